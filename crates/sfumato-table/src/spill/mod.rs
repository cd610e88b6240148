//! Tables larger than memory: the same pipeline, with a memory budget.
//!
//! The input is never in memory as a whole. A first pass finds what its columns are, Rothko divides
//! it into partitions that fit, each of them is anonymized, shuffled and appended to the release,
//! and the release is read back partition by partition. A killed run can be continued.

pub mod audit;
mod choice;
mod class_runs;
mod cover;
mod divide;
mod explain;
mod folder;
mod larger;
mod layout;
mod look;
mod measure;
mod originals;
mod publish;
mod report;
mod resume;
mod room;
mod rules;
mod save_recoding;
mod seed;
mod shares;
mod source;
mod survey;
pub(crate) mod verify;

pub use explain::explain;
pub use larger::{Appended, Division, Larger, Look, Spooled, look_at};
pub use room::beyond_memory;
