//! What algorithms for baskets have in common.

pub mod classes;
pub mod feasible;
pub mod polish;
