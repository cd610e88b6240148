//! Tests of tables: models compared with oracles, algorithms with brute force, and releases against
//! wrong answers of algorithms.

#![allow(clippy::unwrap_used)]

mod algorithms;
mod attacks;
mod models;
mod releases;
