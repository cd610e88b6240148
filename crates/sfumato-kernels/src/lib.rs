//! What several kinds of data share: walks along a ring of records, and flows that find who matches whom.
//!
//! Nothing here knows what a record is, reads or writes files, or judges a release.

pub mod assignments;
pub mod nonreciprocal;
pub mod seeded;
