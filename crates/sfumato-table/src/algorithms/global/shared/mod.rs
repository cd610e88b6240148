//! What several global recodings share: the trees of the columns, groups of rows that are published
//! alike, and the only function that turns cuts into a recoding.

pub mod groups;
pub mod publish;
pub mod taxonomy;
