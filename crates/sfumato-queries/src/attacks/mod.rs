//! Attacks on released logs.

pub mod inversion;
pub mod terms;
