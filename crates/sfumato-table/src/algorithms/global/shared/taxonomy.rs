//! The tree of one quasi column for global recodings: every code, missing included, lies below the
//! root, and each node has a published value.
//!
//! A hierarchy has a tree; words without one are children of the root. Numbers without one begin as
//! one range, and the algorithm grows the tree.

use sfumato_core::dataset::{Column, Hierarchy};
use sfumato_core::recoding::{Cut, Value};

/// The number of a node. The root is 0.
pub type Node = u32;

/// A tree over the codes of a column. Nodes are intervals of codes; missing is the code after the
/// domain's last.
#[derive(Debug, Clone)]
pub struct Taxonomy {
    values: Vec<Value>,
    parent: Vec<Node>,
    children: Vec<Vec<Node>>,
    lo: Vec<u32>,
    hi: Vec<u32>,
    /// The published value of a missing cell if the root isn't published.
    missing: Value,
    missing_code: u32,
    missing_occurs: bool,
}

impl Taxonomy {
    /// The number of the root.
    pub const ROOT: Node = 0;

    /// The tree of a column: of its hierarchy, or of single values below one root. Ordered columns
    /// without a hierarchy are one range without children; see [`Taxonomy::split`].
    pub fn new(column: &Column) -> Self {
        let missing_code = column.domain.missing();
        Self::with_missing(column, column.codes.iter().any(|code| code == missing_code))
    }

    /// The same for a column whose rows are elsewhere.
    pub fn with_missing(column: &Column, missing_occurs: bool) -> Self {
        let missing_code = column.domain.missing();
        let mut tree = Taxonomy {
            values: Vec::new(),
            parent: Vec::new(),
            children: Vec::new(),
            lo: Vec::new(),
            hi: Vec::new(),
            missing: Value::covering(column, 0, 0, true),
            missing_code,
            missing_occurs,
        };
        let all = everything(column, missing_occurs);
        let end = missing_code + u32::from(missing_occurs);
        match &column.hierarchy {
            Some(hierarchy) => {
                tree.add(Self::ROOT, all, 0, end);
                // Numbers of nodes stay those of the hierarchy; its children come after their
                // parents.
                for node in 1..hierarchy.n_nodes() as u32 {
                    let (lo, hi) = (hierarchy.lo(node), hierarchy.hi(node));
                    tree.add(hierarchy.parent(node), Value::Node(node), lo, hi);
                }
                tree.add_missing();
            }
            None if column.domain.kind.is_ordered() => {
                tree.add(Self::ROOT, all, 0, end);
                if missing_occurs && missing_code > 0 {
                    tree.add(Self::ROOT, Value::Range { lo: 0, hi: missing_code }, 0, missing_code);
                }
                tree.add_missing();
            }
            None => {
                tree.add(Self::ROOT, Value::Any, 0, end);
                for code in 0..missing_code {
                    tree.add(Self::ROOT, Value::Range { lo: code, hi: code + 1 }, code, code + 1);
                }
                tree.add_missing();
            }
        }
        tree
    }

    fn add(&mut self, parent: Node, value: Value, lo: u32, hi: u32) -> Node {
        let node = self.values.len() as Node;
        self.values.push(value);
        self.parent.push(parent);
        self.children.push(Vec::new());
        self.lo.push(lo);
        self.hi.push(hi);
        if node != Self::ROOT {
            self.children[parent as usize].push(node);
        }
        node
    }

    fn add_missing(&mut self) {
        if self.missing_occurs {
            self.add(Self::ROOT, self.missing, self.missing_code, self.missing_code + 1);
        }
    }

    /// Split a range of an ordered column without a hierarchy before a code. Returns the two
    /// halves.
    pub fn split(&mut self, node: Node, at: u32) -> [Node; 2] {
        let (lo, hi) = (self.lo(node), self.hi(node));
        debug_assert!(lo < at && at < hi && self.children(node).is_empty());
        let left = self.add(node, Value::Range { lo, hi: at }, lo, at);
        let right = self.add(node, Value::Range { lo: at, hi }, at, hi);
        [left, right]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// Whether there is no node, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// The published value of a node.
    pub fn value(&self, node: Node) -> Value {
        self.values[node as usize]
    }
    /// The parent of a node. The root is its own parent.
    pub fn parent(&self, node: Node) -> Node {
        self.parent[node as usize]
    }
    /// The children of a node, in the order of their codes.
    pub fn children(&self, node: Node) -> &[Node] {
        &self.children[node as usize]
    }
    /// The first code below a node.
    pub fn lo(&self, node: Node) -> u32 {
        self.lo[node as usize]
    }
    /// One past the last code below a node.
    pub fn hi(&self, node: Node) -> u32 {
        self.hi[node as usize]
    }
    /// The number of codes, including missing whether it occurs or not.
    pub fn n_codes(&self) -> usize {
        self.missing_code as usize + 1
    }
    /// The leaf of each code. A missing value that doesn't occur has none.
    pub fn leaves(&self) -> Vec<Option<Node>> {
        let mut leaves = vec![None; self.n_codes()];
        for node in (0..self.len() as Node).filter(|&node| self.children(node).is_empty()) {
            (self.lo(node)..self.hi(node)).for_each(|code| leaves[code as usize] = Some(node));
        }
        leaves
    }

    /// The cut that publishes each code as the deepest of these nodes above it. A missing value
    /// that doesn't occur keeps its own value.
    pub fn cut(&self, nodes: &[Node]) -> Cut {
        let mut order: Vec<Node> = nodes.to_vec();
        // Wide ones first, so that what lies below overwrites them.
        order.sort_by_key(|&node| (std::cmp::Reverse(self.hi(node) - self.lo(node)), node));
        let mut of_code = vec![self.missing; self.n_codes()];
        for node in order {
            of_code[self.lo(node) as usize..self.hi(node) as usize].fill(self.value(node));
        }
        Cut::new(of_code)
    }
}

/// The value that stands for all values of a column: the root itself, not the last node of a chain
/// below it that covers as much.
pub fn everything(column: &Column, with_missing: bool) -> Value {
    match (&column.hierarchy, with_missing) {
        (Some(_), false) => Value::Node(Hierarchy::ROOT),
        _ => Value::covering(column, 0, column.domain.missing(), with_missing),
    }
}
