//! What may be published of baskets: one folder each.

pub mod bitmaps;
pub mod buckets;
pub mod subsets;
