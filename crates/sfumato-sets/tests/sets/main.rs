//! Tests of releases of baskets.

mod bitmaps_of_lists;
