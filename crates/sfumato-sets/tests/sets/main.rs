//! Tests of releases of baskets.

mod audits;
mod bitmaps_of_lists;
mod releases;
mod support;
