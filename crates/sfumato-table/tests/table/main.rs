//! Tests of tables: models against oracles, algorithms against brute force, releases against lies.

mod algorithms;
mod models;
mod releases;
