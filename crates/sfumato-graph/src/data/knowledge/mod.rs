//! What the structure of a graph tells of its nodes: which of them are alike to somebody who knows
//! some of it.

mod alike;
mod automorphism;
mod isomorphism;
mod links;
mod neighbourhood;
mod refinement;
mod subgraph;

pub use alike::Alike;
pub use automorphism::{AutomorphismCheck, shifts};
pub use isomorphism::are_isomorphic;
pub use links::{class_pairs, links_between, near_of_classes, near_pairs};
pub use neighbourhood::Neighbourhoods;
pub use refinement::{refined, refined_all};
pub use subgraph::{Rooted, subgraph_least};
