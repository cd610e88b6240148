//! Metrics for baskets: one folder for each form, with one file per metric.

mod asked;
pub mod bitmaps;
pub mod buckets;
mod estimated;
pub mod frequent;
pub mod generalized;
pub mod randomized;
pub mod subsets;
