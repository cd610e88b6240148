//! Buckets: groups of records whose harmless part is published as it is, and whose sensitive part
//! only as counts per group.
//!
//! A bucket doesn't hide that somebody is in it: an attacker who knows a person finds their record.
//! What the record no longer says is which of the group's sensitive facts are that person's.

mod counts;
mod degree;
mod groups;
mod traits;

pub use counts::FactCounts;
pub use degree::{Degree, check_frequencies, degree_of};
pub use groups::Groups;
pub use traits::{BucketAlgorithm, BucketFindings, BucketMetric, BucketTask, BucketView};
