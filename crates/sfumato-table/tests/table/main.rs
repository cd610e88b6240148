//! Tests of tables: models against oracles, algorithms against brute force, releases against lies.

#![allow(clippy::unwrap_used)]

mod algorithms;
mod models;
mod releases;
