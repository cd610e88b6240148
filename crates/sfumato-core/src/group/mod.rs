//! Groups of records and what models know of them.

mod evaluate;
mod histogram;
mod summary;

pub use evaluate::{ClassTable, Guarantee, evaluate};
pub use histogram::Histogram;
pub use summary::{Summary, Tally};
