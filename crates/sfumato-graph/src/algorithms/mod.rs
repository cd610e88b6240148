//! Algorithms for graphs, by the form that they are for.

pub mod answering;
pub mod editing;
pub mod randomizing;
pub mod supernodes;
