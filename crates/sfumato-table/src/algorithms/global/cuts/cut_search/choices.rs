//! All splits that subtree and interval recoding may make, and the cuts that a set of splits
//! describes.
//!
//! A column with a tree has one split per inner node: the node is replaced by its children. An
//! ordered column without a tree has a split between each two neighbouring values; if cells are
//! missing, they are separated from the others first. A split that needs another one comes after
//! it.

use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Cut, Value};
use sfumato_core::traits::Task;

use super::items::{Item, Items};
use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// What a split does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// A node is replaced by its children.
    Node(Node),
    /// Missing cells are separated from the others.
    Missing,
    /// An interval ends after this value. Values are numbered in their order.
    Behind(u32),
}

/// One split.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The place of the column.
    pub column: usize,
    /// What it does.
    pub split: Split,
    /// The split that must be made before this one.
    pub needs: Option<Item>,
}

/// The tree of a column with, for each node, the values below it that occur.
pub struct Tree {
    /// The tree.
    pub taxonomy: Taxonomy,
    /// The split of each node that has one.
    pub item: Vec<Option<Item>>,
    /// The numbers of the values below each node.
    pub range: Vec<(u32, u32)>,
    /// The price of a cell that is published as each node.
    pub price: Vec<f64>,
}

/// The splits of one column. Values are the codes that occur, numbered in their order, missing
/// last.
pub struct ColumnChoices<'a> {
    /// The column.
    pub column: &'a Column,
    /// The codes of the values.
    pub codes: Vec<u32>,
    /// How many of the values aren't missing.
    pub present: u32,
    /// The tree. `None` for an ordered column without a hierarchy.
    pub tree: Option<Tree>,
    /// The split between missing and the others, in a column without a tree.
    pub parting: Option<Item>,
    /// The range of its splits.
    pub items: std::ops::Range<Item>,
}

/// All splits of all columns.
pub struct Choices<'a> {
    /// The splits of each quasi column.
    pub columns: Vec<ColumnChoices<'a>>,
    items: Vec<Choice>,
}

impl<'a> Choices<'a> {
    /// All splits for the table of a task.
    pub fn new(task: &Task<'a>) -> Self {
        let mut choices = Choices { columns: Vec::new(), items: Vec::new() };
        for (place, column) in task.table.quasi().into_iter().enumerate() {
            let n_codes = column.domain.len() + 1;
            let counts = column.codes.counts(n_codes);
            let codes: Vec<u32> =
                (0..n_codes as u32).filter(|&code| counts[code as usize] > 0).collect();
            let first = choices.items.len() as Item;
            let ordered = column.hierarchy.is_none() && column.domain.kind.is_ordered();
            let (tree, parting) = match ordered {
                true => (None, choices.add_intervals(place, column, &codes)),
                false => (Some(choices.add_tree(place, column, &codes, task)), None),
            };
            let items = first..choices.items.len() as Item;
            let missing = column.domain.missing();
            let present = codes.iter().filter(|&&code| code != missing).count() as u32;
            choices.columns.push(ColumnChoices { column, codes, present, tree, parting, items });
        }
        choices
    }

    fn add(&mut self, column: usize, split: Split, needs: Option<Item>) -> Item {
        self.items.push(Choice { column, split, needs });
        self.items.len() as Item - 1
    }

    fn add_intervals(&mut self, place: usize, column: &Column, codes: &[u32]) -> Option<Item> {
        let present = codes.iter().filter(|&&code| code != column.domain.missing()).count();
        let both = present > 0 && present < codes.len();
        let parting = both.then(|| self.add(place, Split::Missing, None));
        for value in 1..present as u32 {
            self.add(place, Split::Behind(value - 1), parting);
        }
        parting
    }

    fn add_tree(&mut self, place: usize, column: &Column, codes: &[u32], task: &Task<'_>) -> Tree {
        let taxonomy = Taxonomy::new(column);
        let below = |code: u32| codes.partition_point(|&other| other < code) as u32;
        let nodes = 0..taxonomy.len() as Node;
        let range: Vec<(u32, u32)> = nodes
            .clone()
            .map(|node| (below(taxonomy.lo(node)), below(taxonomy.hi(node))))
            .collect();
        let price =
            nodes.clone().map(|node| task.objective.cell(place, taxonomy.value(node))).collect();
        let mut item: Vec<Option<Item>> = vec![None; taxonomy.len()];
        for node in nodes {
            let (lo, hi) = range[node as usize];
            if lo < hi && !taxonomy.children(node).is_empty() {
                let needs = match node {
                    Taxonomy::ROOT => None,
                    node => item[taxonomy.parent(node) as usize],
                };
                item[node as usize] = Some(self.add(place, Split::Node(node), needs));
            }
        }
        Tree { taxonomy, item, range, price }
    }

    /// The number of splits.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are no splits.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// What a split does.
    #[inline]
    pub fn choice(&self, item: Item) -> &Choice {
        &self.items[item as usize]
    }

    /// Those of some splits that can be made next.
    pub fn available(&self, made: &Items, among: &Items) -> Vec<Item> {
        let next = |&item: &Item| self.choice(item).needs.is_none_or(|needs| made.contains(needs));
        among.minus(made).iter().filter(next).collect()
    }

    /// The splits that need a split.
    pub fn needing(&self, item: Item) -> impl Iterator<Item = Item> + '_ {
        // They come after it in its column; nothing needs a split between values.
        let end = match self.choice(item).split {
            Split::Behind(_) => item,
            _ => self.columns[self.choice(item).column].items.end,
        };
        (item..end).filter(move |&other| self.choice(other).needs == Some(item))
    }

    /// Remove a split and all that need it.
    pub fn remove(&self, items: &mut Items, item: Item) {
        items.remove(item);
        if matches!(self.choice(item).split, Split::Behind(_)) {
            return;
        }
        // What needs a split comes after it in its column.
        self.repair(items, item + 1..self.columns[self.choice(item).column].items.end);
    }

    /// Remove the splits of a range that need one which isn't made.
    pub fn repair(&self, items: &mut Items, range: std::ops::Range<Item>) {
        for item in range {
            if items.contains(item)
                && self.choice(item).needs.is_some_and(|needs| !items.contains(needs))
            {
                items.remove(item);
            }
        }
    }

    /// Make a split and all that it needs.
    pub fn insert(&self, items: &mut Items, item: Item) {
        let mut next = Some(item);
        while let Some(item) = next {
            items.insert(item);
            next = self.choice(item).needs;
        }
    }

    /// The cuts that a set of splits describes.
    pub fn cuts(&self, on: &Items) -> Vec<Cut> {
        self.columns.iter().map(|column| column.cut(on)).collect()
    }
}

impl ColumnChoices<'_> {
    /// The split after a value of a column without a tree.
    pub fn behind(&self, value: u32) -> Item {
        self.items.start + u32::from(self.parting.is_some()) + value
    }

    /// What is published for an interval of values that aren't missing.
    pub fn interval(&self, lo: u32, hi: u32) -> Value {
        Value::Range { lo: self.codes[lo as usize], hi: self.codes[hi as usize - 1] + 1 }
    }

    /// What is published for everything in a column without a tree.
    pub fn everything(&self) -> Value {
        let missing = self.column.domain.missing();
        match (self.present, self.codes.last() == Some(&missing)) {
            (0, _) => Value::covering(self.column, 0, 0, true),
            (_, true) => Value::Any,
            (n, false) => self.interval(0, n),
        }
    }

    /// The intervals of values between the splits that are made.
    pub fn intervals(&self, on: &Items) -> Vec<(u32, u32)> {
        let n = self.present;
        let ends =
            (1..n).filter(|&end| on.contains(self.behind(end - 1))).chain((n > 0).then_some(n));
        let mut lo = 0;
        ends.map(|end| (std::mem::replace(&mut lo, end), end)).collect()
    }

    fn cut(&self, on: &Items) -> Cut {
        if let Some(tree) = &self.tree {
            let mut nodes = Vec::new();
            let mut open = vec![Taxonomy::ROOT];
            while let Some(node) = open.pop() {
                match tree.item[node as usize].is_some_and(|item| on.contains(item)) {
                    true => open.extend(tree.taxonomy.children(node)),
                    false => nodes.push(node),
                }
            }
            return tree.taxonomy.cut(&nodes);
        }
        let missing = self.column.domain.missing();
        if self.parting.is_some_and(|parting| !on.contains(parting)) {
            return Cut::new(vec![Value::Any; missing as usize + 1]);
        }
        // Codes between the intervals occur nowhere; each gap is a range of its own.
        let mut of_code: Vec<Value> = Vec::with_capacity(missing as usize + 1);
        let gap = |of_code: &mut Vec<Value>, hi: u32| {
            let lo = of_code.len() as u32;
            of_code.extend((lo..hi).map(|_| Value::Range { lo, hi }));
        };
        for (lo, hi) in self.intervals(on) {
            let (first, end) = (self.codes[lo as usize], self.codes[hi as usize - 1] + 1);
            gap(&mut of_code, first);
            of_code.extend((first..end).map(|_| self.interval(lo, hi)));
        }
        gap(&mut of_code, missing);
        of_code.push(Value::covering(self.column, 0, 0, true));
        Cut::new(of_code)
    }
}
