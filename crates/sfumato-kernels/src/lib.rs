//! What several kinds of data share: walks along a ring of records, flows that find who matches
//! whom, and counts of what occurs together.
//!
//! Nothing here knows what a record is, reads or writes files, or judges a release.

pub mod assignments;
pub mod itemsets;
pub mod nonreciprocal;
pub mod seeded;
