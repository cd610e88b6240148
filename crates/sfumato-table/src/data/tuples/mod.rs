//! What the words of tuples mean: the columns of a table that is too large for memory, and how some
//! of its tuples become a table in memory.
//!
//! Where tuples are stored is decided elsewhere ([`sfumato_io::spill`]).

mod axis;
mod chained;
mod frame;
mod of_table;

pub use axis::Axis;
pub use chained::{Chained, Sliced};
pub use frame::{Cells, Frame, Loaded, TupleColumn};
pub use of_table::of_table;
