//! What may be published of a table: one folder each.

pub mod buckets;
pub mod generalized;
