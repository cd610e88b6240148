//! Buckets: groups of records whose harmless part is published as it is, and whose sensitive part
//! only as counts per group.
//!
//! Nobody hides in a bucket: whoever knows somebody finds their record. What the record doesn't say
//! any more is which of the group's sensitive facts are theirs.

mod counts;
mod degree;
mod groups;
mod traits;

pub use counts::FactCounts;
pub use degree::{Degree, check_frequencies, degree_of};
pub use groups::Groups;
pub use traits::{BucketAlgorithm, BucketFindings, BucketMetric, BucketTask, BucketView};
