//! Answers over HTTP, on loopback only: one file per service. Nothing here decides what may be
//! answered, and nothing is written down.

mod serve_sets;

pub use serve_sets::serve_sets;
