//! The dimensionality-reduction transform for clustering: a table of numbers times a random matrix,
//! and how well distances survive it. It protects by not being invertible; it promises nothing.

mod projection;
mod stress;

pub use projection::{Entries, Projection};
pub use stress::{Reading, Stress, stress};
