//! A generalization hierarchy over the codes of a column: a tree whose nodes are intervals of
//! codes.
//!
//! Nodes are identified by position. Real hierarchies repeat a label at two levels (Australia the
//! country under Australia the region), so a label is never an identity.

use crate::column::Dictionary;
use crate::error::{Error, Result};
use crate::{FastMap, FastSet};

/// A hierarchy as a table: for each leaf one label per level, level 0 first. Builders return such a
/// table, and hierarchy files hold one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelTable {
    /// `levels[l]` has one label per leaf; `levels[0]` are the leaves themselves.
    pub levels: Vec<Dictionary>,
}

impl LevelTable {
    /// Make a table from rows, all of the same length.
    pub fn from_rows<S: AsRef<str>>(rows: &[Vec<S>]) -> Self {
        let depth = rows.first().map_or(0, Vec::len);
        let level = |l: usize| rows.iter().map(|row| row[l].as_ref()).collect();
        LevelTable { levels: (0..depth).map(level).collect() }
    }
    /// The number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.levels.first().map_or(0, Dictionary::len)
    }
    /// The labels of one leaf, from itself to the root.
    pub fn row(&self, leaf: usize) -> impl Iterator<Item = &str> + '_ {
        self.levels.iter().map(move |level| level.get(leaf as u32))
    }
}

/// The number of a node in its hierarchy. The root is 0.
pub type NodeId = u32;

/// A tree over the codes `0..n_leaves`; each node covers the codes `lo..hi`.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    parent: Vec<NodeId>,
    lo: Vec<u32>,
    hi: Vec<u32>,
    level: Vec<u8>,
    /// The children of a node are contiguous: `first_child..first_child + n_children`.
    first_child: Vec<NodeId>,
    n_children: Vec<u32>,
    labels: Dictionary,
    n_levels: usize,
    n_leaves: usize,
}

/// The label of a root that a builder didn't name.
pub const ROOT_LABEL: &str = "*";

impl Hierarchy {
    /// Build the tree. Also returns, for each leaf of the table, its code (its place in depth-first
    /// order).
    pub fn from_levels(table: &LevelTable) -> Result<(Self, Vec<u32>)> {
        let n_leaves = table.n_leaves();
        if n_leaves == 0 {
            return Err(Error::input("the hierarchy has no values"));
        }
        let mut seen = FastSet::default();
        if let Some(leaf) = table.levels[0].iter().position(|text| !seen.insert(text)) {
            return Err(Error::input("the hierarchy lists a value twice").at_line(leaf as u64 + 1));
        }
        let top = table.levels.last().expect("a table with leaves has a level");
        let has_root = table.levels.len() > 1 && top.iter().all(|label| label == top.get(0));
        let n_levels = table.levels.len() + usize::from(!has_root);
        if n_levels > usize::from(u8::MAX) {
            return Err(Error::input(format!(
                "the hierarchy has {n_levels} levels; at most 255 are supported"
            )));
        }

        let mut tree = Hierarchy {
            parent: vec![0],
            lo: vec![0],
            hi: vec![n_leaves as u32],
            level: vec![(n_levels - 1) as u8],
            first_child: vec![0],
            n_children: vec![0],
            labels: Dictionary::new(),
            n_levels,
            n_leaves,
        };
        tree.labels.push(if has_root { top.get(0) } else { ROOT_LABEL });

        // Level by level from the root: sort leaves by (parent's place, first appearance of the
        // label below that parent), which makes children contiguous and, at level 0, gives the
        // depth-first leaf order.
        let mut order: Vec<u32> = (0..n_leaves as u32).collect();
        let mut node_of: Vec<NodeId> = vec![0; n_leaves];
        for level in (0..n_levels - 1).rev() {
            let labels = &table.levels[level];
            let mut ids: FastMap<(NodeId, &str), u32> = FastMap::default();
            let mut rank = vec![0u32; n_leaves];
            for &leaf in &order {
                let next = ids.len() as u32;
                rank[leaf as usize] =
                    *ids.entry((node_of[leaf as usize], labels.get(leaf))).or_insert(next);
            }
            // `order` is grouped by parent, so ranks of one parent are already contiguous; a stable
            // sort keeps first appearance inside each.
            order.sort_by_key(|&leaf| rank[leaf as usize]);
            let mut previous = None;
            for (place, &leaf) in order.iter().enumerate() {
                let leaf = leaf as usize;
                if previous != Some(rank[leaf]) {
                    previous = Some(rank[leaf]);
                    tree.add_node(
                        node_of[leaf],
                        place as u32,
                        level as u8,
                        labels.get(leaf as u32),
                    );
                }
                let id = (tree.parent.len() - 1) as NodeId;
                tree.hi[id as usize] = place as u32 + 1;
                node_of[leaf] = id;
            }
        }
        let mut code_of = vec![0u32; n_leaves];
        order.iter().enumerate().for_each(|(code, &leaf)| code_of[leaf as usize] = code as u32);
        Ok((tree, code_of))
    }

    fn add_node(&mut self, parent: NodeId, lo: u32, level: u8, label: &str) {
        let id = self.parent.len() as NodeId;
        if self.n_children[parent as usize] == 0 {
            self.first_child[parent as usize] = id;
        }
        self.n_children[parent as usize] += 1;
        self.parent.push(parent);
        self.lo.push(lo);
        self.hi.push(lo);
        self.level.push(level);
        self.first_child.push(0);
        self.n_children.push(0);
        self.labels.push(label);
    }

    /// A hierarchy with one level: all values are children of the root.
    pub fn flat(n_leaves: usize, labels: &Dictionary) -> Result<Self> {
        let leaves = (0..n_leaves as u32).map(|code| labels.get(code)).collect();
        Ok(Self::from_levels(&LevelTable { levels: vec![leaves] })?.0)
    }

    /// The number of the root.
    pub const ROOT: NodeId = 0;

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.parent.len()
    }
    /// The number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.n_leaves
    }
    /// The number of levels, including leaves and root.
    pub fn n_levels(&self) -> usize {
        self.n_levels
    }
    /// The first code below a node.
    #[inline]
    pub fn lo(&self, node: NodeId) -> u32 {
        self.lo[node as usize]
    }
    /// One past the last code below a node.
    #[inline]
    pub fn hi(&self, node: NodeId) -> u32 {
        self.hi[node as usize]
    }
    /// The number of leaves below a node.
    pub fn leaves(&self, node: NodeId) -> u32 {
        self.hi(node) - self.lo(node)
    }
    /// The level of a node: 0 for leaves, `n_levels - 1` for the root.
    pub fn level(&self, node: NodeId) -> usize {
        usize::from(self.level[node as usize])
    }
    /// The parent of a node. The root is its own parent.
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.parent[node as usize]
    }
    /// The children of a node, in the order of their codes.
    pub fn children(&self, node: NodeId) -> std::ops::Range<NodeId> {
        let first = self.first_child[node as usize];
        first..first + self.n_children[node as usize]
    }
    /// The label of a node.
    pub fn label(&self, node: NodeId) -> &str {
        self.labels.get(node)
    }
    /// The leaf of a code. Leaves are the last nodes, in code order.
    pub fn leaf(&self, code: u32) -> NodeId {
        (self.n_nodes() - self.n_leaves) as NodeId + code
    }
    /// The ancestor of a code at a level.
    pub fn ancestor(&self, code: u32, level: usize) -> NodeId {
        let mut node = self.leaf(code);
        while self.level(node) < level {
            node = self.parent(node);
        }
        node
    }
    /// The lowest node that covers the codes `lo..hi` (not empty).
    pub fn smallest_cover(&self, lo: u32, hi: u32) -> NodeId {
        let mut node = self.leaf(lo);
        while self.hi(node) < hi {
            node = self.parent(node);
        }
        node
    }
    /// The hierarchy as a table of levels in the order of codes, as a hierarchy file holds it.
    pub fn to_levels(&self) -> LevelTable {
        let level =
            |l| (0..self.n_leaves as u32).map(|code| self.label(self.ancestor(code, l))).collect();
        LevelTable { levels: (0..self.n_levels).map(level).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&str]) -> LevelTable {
        LevelTable::from_rows(
            &rows.iter().map(|row| row.split(';').collect()).collect::<Vec<Vec<&str>>>(),
        )
    }

    #[test]
    fn leaves_get_depth_first_codes_and_nodes_are_intervals() {
        let (tree, codes) =
            Hierarchy::from_levels(&table(&["a;X;*", "b;Y;*", "c;X;*", "d;Y;*", "X;Z;*"])).unwrap();
        assert_eq!(codes, [0, 2, 1, 3, 4]);
        let names: Vec<_> = tree
            .children(Hierarchy::ROOT)
            .map(|n| (tree.label(n), tree.lo(n), tree.hi(n)))
            .collect();
        assert_eq!(names, [("X", 0, 2), ("Y", 2, 4), ("Z", 4, 5)]);
        assert_eq!(tree.label(tree.leaf(1)), "c");
        assert_eq!(tree.label(tree.smallest_cover(0, 2)), "X");
        assert_eq!(tree.smallest_cover(1, 3), Hierarchy::ROOT);
        assert_eq!(tree.label(tree.ancestor(4, 1)), "Z");
        assert_eq!((tree.n_levels(), tree.n_nodes()), (3, 9));
    }

    #[test]
    fn a_root_is_added_only_when_missing() {
        let (tree, _) = Hierarchy::from_levels(&table(&["a;X", "b;Y"])).unwrap();
        assert_eq!((tree.n_levels(), tree.label(Hierarchy::ROOT)), (3, "*"));
        let (flat, _) = Hierarchy::from_levels(&table(&["a"])).unwrap();
        assert_eq!((flat.n_levels(), flat.n_nodes()), (2, 2));
    }

    #[test]
    fn a_value_listed_twice_is_refused() {
        let error = Hierarchy::from_levels(&table(&["a;*", "a;*"])).unwrap_err();
        assert_eq!(error.to_string(), "line 2: the hierarchy lists a value twice");
    }

    #[test]
    fn levels_round_trip() {
        let levels = table(&["1;0-4;*", "2;0-4;*", "5;5-9;*"]);
        assert_eq!(Hierarchy::from_levels(&levels).unwrap().0.to_levels(), levels);
    }
}
