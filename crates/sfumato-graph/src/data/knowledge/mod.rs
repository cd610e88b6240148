//! What the structure of a graph tells of its nodes: which of them are alike to somebody who knows
//! some of it.

mod alike;
mod automorphism;
mod isomorphism;
mod neighbourhood;
mod refinement;

pub use alike::Alike;
pub use automorphism::{AutomorphismCheck, shifts};
pub use isomorphism::are_isomorphic;
pub use neighbourhood::Neighbourhoods;
pub use refinement::{refined, refined_all};
