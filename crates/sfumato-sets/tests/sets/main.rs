//! Tests of releases of baskets.

#![allow(clippy::unwrap_used)]

mod attacks;
mod audits;
mod bitmaps_of_lists;
mod generalized;
mod releases;
mod support;
