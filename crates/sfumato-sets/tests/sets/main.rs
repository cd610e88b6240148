//! Tests of releases of baskets.

mod attacks;
mod audits;
mod bitmaps_of_lists;
mod generalized;
mod releases;
mod support;
