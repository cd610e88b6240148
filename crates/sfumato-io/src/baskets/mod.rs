//! Baskets: records that are sets of items. Reads them from lines, long tables, list columns and
//! tables whose columns become items, and writes them in the same forms.
//!
//! Items get codes in an order that doesn't depend on the records: by number where every item is a
//! whole number, else by name. What a record is worth, who is hidden among whom and which order a
//! release has is not decided here.

mod columns;
mod form;
mod item;
mod lines;
mod list;
mod long;
mod pieces;
mod read;
mod table;
mod utilities;
mod write;

pub use form::{BasketForm, ItemColumn, ItemKind, Separator};
pub use read::{BasketOptions, ReadBaskets, read_baskets};
pub use utilities::{parse_utilities, read_utilities};
pub use write::{BasketWriteOptions, Keyed, RecordSource, write_baskets};
