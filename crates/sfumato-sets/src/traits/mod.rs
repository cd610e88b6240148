//! The traits of models, algorithms and metrics for baskets: what may be promised about what is
//! published, how it is achieved, and what is measured.
//!
//! `sets` are those of subsets, `buckets` and `bitmaps` those of the two other forms.

mod bitmaps;
mod buckets;
mod sets;

pub use bitmaps::{BitmapAlgorithm, BitmapDecision, BitmapMetric, BitmapTask, BitmapView};
pub use buckets::{BucketAlgorithm, BucketFindings, BucketMetric, BucketTask, BucketView};
pub use sets::{
    SetAlgorithm, SetMetric, SetModel, SetRequirement, SetRequirements, SetTask, SetView,
};
