//! Where the points of a search are, each with its leaf: in memory, or in files that are read from
//! the beginning to the end. The search asks for counts and keeps only those, so that it decides
//! the same wherever the points are.

use sfumato_core::{Error, Result};

use super::refinement::Parts;
use super::tips::{Finder, SubLeaves, Tips};

/// A value that is to be taken apart.
#[derive(Clone, Copy)]
pub struct Split<'a> {
    /// The column's place among the quasi columns.
    pub column: usize,
    /// The parts.
    pub parts: &'a Parts,
}

/// How often each value of a sensitive column occurs in each sub-leaf.
pub struct ValueCounts {
    /// `(sub-leaf, code, rows)`, by sub-leaf and then by code.
    pub entries: Vec<(u32, u32, u32)>,
    /// How many codes the column has, missing included.
    pub n_codes: usize,
}

/// Points and their leaves. All of them begin in leaf 0.
pub trait Store: Send + Sync {
    /// How many values may be asked about at once.
    fn at_once(&self) -> usize;

    /// What the leaves that hold a value fall into, for each of some values.
    fn sub_leaves(&self, tips: &Tips, splits: &[Split<'_>]) -> Result<Vec<SubLeaves>>;

    /// How often each sensitive value that a model counts occurs in each sub-leaf; `None` for
    /// columns that no model counts.
    fn values(
        &self,
        split: Split<'_>,
        finder: &Finder<'_>,
        n_sub: usize,
    ) -> Result<Vec<Option<ValueCounts>>>;

    /// Whether rows are known one by one. Where they aren't, people are counted by
    /// [`Store::people`], and what is built from counts must fit into [`Store::room`].
    fn knows_rows(&self) -> bool;

    /// The number of bytes that summaries of groups may take.
    fn room(&self) -> u64;

    /// How many different people there are in each group, where `of_sub` has the group of each
    /// sub-leaf, or [`OUTSIDE`](super::tips::OUTSIDE) if nobody asks for it. An error where rows
    /// are known.
    fn people(
        &self,
        split: Split<'_>,
        finder: &Finder<'_>,
        of_sub: &[u32],
        n_groups: usize,
    ) -> Result<Vec<u64>>;

    /// The rows of each sub-leaf: for people, who aren't added up. An error where rows aren't
    /// points.
    fn rows(&self, split: Split<'_>, finder: &Finder<'_>, n_sub: usize) -> Result<Vec<Vec<u32>>>;

    /// Move each point of a value that is taken apart to the leaf of its sub-leaf.
    fn move_points(
        &mut self,
        split: Split<'_>,
        finder: &Finder<'_>,
        leaf_of_sub: &[u32],
    ) -> Result<()>;

    /// Whether it is worth telling which leaves are closed.
    fn drops_closed(&self) -> bool;

    /// Some leaves are closed: none of their values can be taken apart any more, so nobody will ask
    /// about their points again. `is_closed` says which.
    fn close(&mut self, tips: &Tips, is_closed: &[bool]) -> Result<()>;
}

/// The error for counts of groups that outgrew the memory allowed.
pub fn too_many() -> Error {
    Error::resources("the groups that the search counts don't fit into the memory allowed").hint(
        "raise --memory, ask for larger classes, or give columns hierarchies with fewer values",
    )
}
