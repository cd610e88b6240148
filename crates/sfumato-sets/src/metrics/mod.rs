//! Metrics for baskets: one folder for each form, one file each.

pub mod bitmaps;
pub mod buckets;
pub mod subsets;
