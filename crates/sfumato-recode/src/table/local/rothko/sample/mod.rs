//! Rothko-S.

mod chained;
mod draw;
pub mod statistics;
pub mod words;
