//! Tests of releases of baskets.

mod audits;
mod bitmaps_of_lists;
mod generalized;
mod releases;
mod support;
