//! Records the tree of splits, to apply it to other records than those from which it was grown.
//!
//! Nodes are recorded in the order in which they are grown, a node before its children, so that the
//! lists of threads only have to be concatenated. Nothing is recorded unless asked for.

use super::leaves::Leaves;
use super::split::Split;
use sfumato_core::{Error, Result};

/// A recorded node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    rows: usize,
    guided: bool,
    depth: u32,
    /// The split, without children yet.
    split: Option<GrownSplit>,
}

impl Entry {
    /// A node with its split, if it has one.
    pub fn new(rows: usize, guided: bool, depth: u32, split: Option<&Split>) -> Self {
        let parts = |split: &Split| {
            let regions =
                split.parts.iter().map(|part| (part.region.min, part.region.max)).collect();
            let (column, kept) = (split.column, split.kept.is_some());
            GrownSplit { column, regions, kept, children: Vec::new() }
        };
        Entry { rows, guided, depth, split: split.map(parts) }
    }
}

/// A tree of splits; the first node is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grown {
    /// The nodes, each before its children.
    pub nodes: Vec<GrownNode>,
}

/// A node of a tree of splits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrownNode {
    /// The number of its rows in the table from which the tree was grown.
    pub rows: usize,
    /// Whether a workload may still gain something by its split.
    pub guided: bool,
    /// The number of splits above.
    pub depth: u32,
    /// The split of the node. `None` for a leaf.
    pub split: Option<GrownSplit>,
}

/// A split of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrownSplit {
    /// The place among the quasi columns.
    pub column: usize,
    /// The first and the last code of each part.
    pub regions: Vec<(u32, u32)>,
    /// Whether the last part takes what no other part takes. Its region is then that of the node.
    pub kept: bool,
    /// The children, one node per part.
    pub children: Vec<usize>,
}

impl Grown {
    /// Make a tree from recorded nodes.
    pub fn of(leaves: Vec<Leaves>) -> Result<Grown> {
        let entries: Vec<Entry> = leaves.into_iter().flat_map(|leaves| leaves.entries).collect();
        let mut grown = Grown { nodes: Vec::with_capacity(entries.len()) };
        // Splits that wait for children.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for Entry { rows, guided, depth, split } in entries {
            let place = grown.nodes.len();
            if let Some((parent, missing)) = open.last_mut() {
                *missing -= 1;
                let parent = *parent;
                if *missing == 0 {
                    open.pop();
                }
                if let Some(split) = &mut grown.nodes[parent].split {
                    split.children.push(place);
                }
            } else if place > 0 {
                return Err(Error::internal("a tree of splits has two roots"));
            }
            if let Some(split) = &split {
                open.push((place, split.regions.len()));
            }
            grown.nodes.push(GrownNode { rows, guided, depth, split });
        }
        match open.is_empty() && !grown.nodes.is_empty() {
            true => Ok(grown),
            false => Err(Error::internal("a tree of splits isn't whole")),
        }
    }
}
