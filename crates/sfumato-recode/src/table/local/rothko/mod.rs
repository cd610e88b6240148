//! Rothko: scalable Mondrian.

pub mod prune;
pub mod sample;
