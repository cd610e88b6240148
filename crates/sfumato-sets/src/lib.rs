//! Baskets: a record is a set of items.
//!
//! `data` reads, `forms` are what may be published, `models` say what must hold, `algorithms` decide, `metrics` measure; `serve`
//! hands out one set at a time.

pub mod algorithms;
pub mod data;
pub mod forms;
pub mod metrics;
pub mod models;
pub mod serve;
