//! Measures what a recipient can learn from a release, by doing the recipient's task with it.
//!
//! - [`learner`]: learners of classes and of numbers, one file each, one list. What a kept library
//!   does well and fast is the library's; the rest is our own, tested against the library.
//! - [`score`]: how good predictions are: accuracy, area under the curve, mean absolute error, and
//!   their spread over folds.
//! - [`compare`]: seeded folds and splits, and the paired t-test between two lists of scores.
//! - [`cluster`]: clusterers, and how alike two clusterings are (F-measure, match point).
//! - [`reduce`]: the dimensionality-reduction transform, and how well it keeps distances.
//!
//! Everything takes a [`Matrix`] of finite numbers; how cells or regions become numbers is the
//! caller's business. Nothing here anonymizes, promises privacy or knows of releases. Equal seeds
//! give equal results for any number of threads: whatever runs at once has its own seed, and sums
//! are added in a fixed order.

pub mod cluster;
pub mod compare;
pub mod learner;
mod matrix;
mod random;
pub mod reduce;
pub mod score;
#[cfg(test)]
mod testing;

pub use matrix::{LARGEST, Matrix};
