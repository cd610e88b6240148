//! The cells of a table as they are published: the cut of each column, and the cells that are
//! suppressed nevertheless.
//!
//! Two cells are the same if they are published as the same text; a suppressed one is the text `*`,
//! a value like any other.

use sfumato_core::FastMap;
use sfumato_core::dataset::{Column, ROOT_LABEL};
use sfumato_core::recoding::Value;
use sfumato_core::traits::Task;

use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// The number of the text `*` in every column.
pub const STAR: u32 = 0;

/// The cells of one column.
pub struct ColumnCells<'a> {
    column: &'a Column,
    tree: Taxonomy,
    /// The node that is published for each code.
    node_of: Vec<Node>,
    /// The text of each row's cell, by number.
    pub text_of: Vec<u32>,
    /// The number of texts.
    pub n_texts: usize,
    /// Whether the column has more than one value.
    pub varies: bool,
}

/// All cells.
pub struct Cells<'a> {
    /// One per quasi column.
    pub columns: Vec<ColumnCells<'a>>,
    /// How often a combination must occur.
    pub k: u64,
    /// The number of columns whose values are combined.
    pub combinations: usize,
    /// The person of each row, if people are counted.
    pub subject: Option<Vec<u32>>,
    kept: Vec<bool>,
}

impl<'a> Cells<'a> {
    /// The cells of a table before anything is generalized.
    pub fn new(task: &Task<'a>, k: u64, combinations: usize) -> Self {
        let columns = task.table.quasi().into_iter().map(ColumnCells::new).collect();
        let subject = task.table.subject.as_ref().map(|codes| codes.iter().collect());
        Cells { columns, k, combinations, subject, kept: vec![true; task.table.n_rows] }
    }
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.kept.len()
    }
    /// Whether a row is published.
    pub fn is_kept(&self, row: usize) -> bool {
        self.kept[row]
    }
    /// Suppress a whole record.
    pub fn drop_row(&mut self, row: usize) {
        self.kept[row] = false;
    }

    /// The number of people of some rows.
    pub fn people(&self, rows: impl Iterator<Item = usize>) -> u64 {
        match &self.subject {
            None => rows.count() as u64,
            Some(subject) => {
                let mut people: Vec<u32> = rows.map(|row| subject[row]).collect();
                people.sort_unstable();
                people.dedup();
                people.len() as u64
            }
        }
    }

    /// The distinct published values of a column, and the number of each row's value.
    pub fn published(&self, column: usize) -> (Vec<u32>, Vec<Value>) {
        let column = &self.columns[column];
        let mut numbers: FastMap<Value, u32> = FastMap::default();
        let mut values = Vec::new();
        let mut number = |value: Value| {
            *numbers.entry(value).or_insert_with(|| {
                values.push(value);
                values.len() as u32 - 1
            })
        };
        let rows = column.column.codes.iter().zip(&column.text_of);
        let of_row = rows
            .map(|(code, &text)| {
                let value = column.tree.value(column.node_of[code as usize]);
                let hidden = text == STAR && value.render(column.column) != ROOT_LABEL;
                number(if hidden { Value::Any } else { value })
            })
            .collect();
        (of_row, values)
    }
}

impl<'a> ColumnCells<'a> {
    fn new(column: &'a Column) -> Self {
        let mut tree = Taxonomy::new(column);
        if column.hierarchy.is_none() && column.domain.kind.is_ordered() {
            halve(&mut tree, column);
        }
        let leaves = tree.leaves();
        let node_of = leaves.into_iter().map(|leaf| leaf.unwrap_or(Taxonomy::ROOT)).collect();
        let mut cells =
            ColumnCells { column, tree, node_of, text_of: Vec::new(), n_texts: 0, varies: true };
        cells.read();
        cells
    }

    /// Number the texts of all cells anew. Nothing is suppressed then.
    fn read(&mut self) {
        let mut numbers: FastMap<String, u32> = FastMap::default();
        numbers.insert(ROOT_LABEL.to_string(), STAR);
        let mut of_node: FastMap<Node, u32> = FastMap::default();
        let mut of_code = Vec::with_capacity(self.node_of.len());
        for &node in &self.node_of {
            let text = *of_node.entry(node).or_insert_with(|| {
                let next = numbers.len() as u32;
                *numbers.entry(self.tree.value(node).render(self.column)).or_insert(next)
            });
            of_code.push(text);
        }
        self.n_texts = numbers.len();
        self.text_of = self.column.codes.iter().map(|code| of_code[code as usize]).collect();
        self.varies = self.text_of.windows(2).any(|pair| pair[0] != pair[1]);
    }

    /// Whether a row's cell can be generalized further.
    pub fn can_rise(&self, row: usize) -> bool {
        self.node(row) != Taxonomy::ROOT
    }
    /// The node of a row's cell.
    pub fn node(&self, row: usize) -> Node {
        self.node_of[self.column.codes.get(row) as usize]
    }
    /// The number of codes.
    pub fn n_codes(&self) -> usize {
        self.node_of.len()
    }

    /// Replace some nodes by their parents, for everything below these parents.
    pub fn raise(&mut self, nodes: &[Node]) {
        let mut parents: Vec<Node> = nodes.iter().map(|&node| self.tree.parent(node)).collect();
        // Wide ones last, so that they hide what lies below them; a node comes after its parent in
        // number.
        parents.sort_unstable_by_key(|&node| {
            (self.tree.hi(node) - self.tree.lo(node), std::cmp::Reverse(node))
        });
        for node in parents {
            self.node_of[self.tree.lo(node) as usize..self.tree.hi(node) as usize].fill(node);
        }
        self.read();
    }
}

/// Grow a tree over numbers, in which each range has two halves with about equally many records.
fn halve(tree: &mut Taxonomy, column: &Column) {
    let counts = column.codes.counts(column.domain.len() + 1);
    let mut before = vec![0u64; counts.len() + 1];
    counts.iter().enumerate().for_each(|(code, n)| before[code + 1] = before[code] + n);
    let missing = column.domain.missing();
    let is_range =
        |tree: &Taxonomy, node: Node| tree.children(node).is_empty() && tree.hi(node) <= missing;
    let mut open: Vec<Node> =
        (0..tree.len() as Node).filter(|&node| is_range(tree, node)).collect();
    while let Some(node) = open.pop() {
        let (lo, hi) = (tree.lo(node), tree.hi(node));
        if hi - lo < 2 {
            continue;
        }
        let half = before[lo as usize] + (before[hi as usize] - before[lo as usize]) / 2;
        let at = before[lo as usize..=hi as usize].partition_point(|&n| n < half) as u32 + lo;
        open.extend(tree.split(node, at.clamp(lo + 1, hi - 1)));
    }
}
