//! Mixed records as they are read: columns, and the set of items of each row.

mod cells;
mod read;
mod units;

pub use cells::{joined, sets_of};
pub use read::{MixedData, RawRecords, options, read, read_raw};
pub use units::{Rows, Units};
