//! Code that several kinds of data share: walks along a ring of records, flows that find which
//! records match or correspond, counts of items that occur together, and noise of whole numbers.
//!
//! Nothing here knows what a record is, reads or writes files, or judges a release.

pub mod assignments;
pub mod concentrated;
pub mod correspondence;
pub mod discrete_gaussian;
pub mod discrete_laplace;
pub mod exponential;
pub mod invariance;
pub mod itemsets;
pub mod lossy_join;
pub mod nonreciprocal;
pub mod possible_worlds;
pub mod seeded;
