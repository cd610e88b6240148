//! Baskets: records that are sets of items. They are read from lines, long tables, list columns,
//! tables whose columns become items and logs of queries, and written in the same layouts.
//!
//! Items get codes in an order that doesn't depend on the records: by number where every item is a
//! whole number, else by name. Utilities, privacy and the order of a release aren't decided here.

mod columns;
mod item;
mod layout;
mod lines;
mod list;
mod long;
mod pieces;
mod queries;
mod read;
mod table;
mod utilities;
mod write;

pub use layout::{BasketLayout, ItemColumn, ItemKind, Separator};
pub use queries::{normal_query, terms_of};
pub use read::{BasketOptions, ReadBaskets, read_baskets};
pub use utilities::{parse_utilities, read_utilities};
pub use write::{BasketWriteOptions, Keyed, RecordSource, write_baskets};
