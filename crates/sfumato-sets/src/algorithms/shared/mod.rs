//! Code that algorithms for baskets share.

pub mod classes;
pub mod feasible;
pub mod polish;
