//! Groups of records, and their summaries, which are all that models know about them.

mod class_evaluation;
mod counts;
mod evaluate;
mod histogram;
mod packed;
mod projection;
mod sampling;
mod summary;
mod worst;

pub use class_evaluation::ClassEvaluation;
pub use evaluate::{ClassTable, RunAll, evaluate, evaluate_with, failing_classes, one_by_one};
pub use histogram::Histogram;
pub use packed::{put_number, take_number};
pub use projection::{Projections, Walk};
pub use sampling::Sampling;
pub use summary::{Summary, Tally};
pub use worst::Guarantee;
