//! Tables larger than memory: how their partitions come to be, and what only many of them need.
//!
//! The input is read, never held: a first look says what its columns are, and Rothko divides it
//! into partitions that fit. The pipeline does with each of them what it does with a table in
//! memory. When the release is read back, classes are grouped on disk.

pub mod audit;
mod choice;
mod class_runs;
mod cover;
mod cuts;
mod divide;
mod division;
mod engine_details;
mod explain;
mod larger;
mod layout;
mod look;
mod people;
mod room;
mod rules;
mod save_recoding;
mod shares;
mod shelf;
mod source;
mod survey;
mod texts;
mod verify;

pub use explain::explain;
pub use larger::{Larger, Look, Spooled, TableStore, look_at};
pub use layout::Facts;
pub use room::beyond_memory;
pub use save_recoding::save_recoding;
pub use shelf::Part;
pub use verify::read_back;
