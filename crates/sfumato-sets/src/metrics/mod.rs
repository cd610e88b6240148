//! Metrics for baskets: one folder for each form, with one file per metric.

pub mod bitmaps;
pub mod buckets;
mod frequent;
pub mod generalized;
pub mod randomized;
pub mod subsets;
