//! Notes as they are read: the table, the text of each row, and what the text says of the person.

mod attribute;
mod lend;
mod link;
mod parts;
mod read;
mod similarity;
mod view;

pub use attribute::{Attribute, attributes};
pub use lend::{cell, lent, lent_columns};
pub use link::{Identifiers, Linked, link};
pub use parts::{Extractor, Part};
pub use read::{Noted, read, read_with};
pub use similarity::jaro_winkler;
pub use view::{View, view};
