//! Code that several kinds of data share: walks along a ring of records, flows that find which
//! records match or correspond, and counts of items that occur together.
//!
//! Nothing here knows what a record is, reads or writes files, or judges a release.

pub mod assignments;
pub mod correspondence;
pub mod itemsets;
pub mod nonreciprocal;
pub mod seeded;
