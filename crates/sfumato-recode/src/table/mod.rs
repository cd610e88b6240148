//! Algorithms for tables: records of quasi and sensitive columns.

pub mod buckets;
pub mod global;
pub mod local;
pub mod nonreciprocal;
pub mod shared;
