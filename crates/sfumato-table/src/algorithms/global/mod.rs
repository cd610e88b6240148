//! Global recoding: a value is published in the same way in all records, so tables stay comparable
//! cell by cell. The state of a column is a cut; full-domain recoding takes a whole level, subtree
//! recoding any cut of the tree, sibling recoding may keep a value while its siblings are
//! generalized.

pub mod cuts;
pub mod levels;
pub mod shared;
