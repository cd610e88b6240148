//! Global recoding: a value is published alike in all records, so tables stay comparable cell by
//! cell. The state of a column is a cut; full-domain recoding takes a whole level, subtree recoding
//! any cut of the tree, sibling recoding may leave a value standing while its siblings go.

pub mod cuts;
pub mod levels;
pub mod shared;
