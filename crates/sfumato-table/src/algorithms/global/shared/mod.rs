//! What several global recodings need: the trees of the columns, groups of rows that are published
//! alike, and the one door through which cuts leave.

pub mod groups;
pub mod publish;
pub mod taxonomy;
