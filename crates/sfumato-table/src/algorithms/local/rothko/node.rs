//! A node of the top tree and its split, in words.

use super::above::{Above, Words};
use super::rules::Rules;
use super::scan::Group;
use super::split_tree::Fork;
use crate::algorithms::local::mondrian::grow::budgets;
use crate::algorithms::local::mondrian::shape::Bounds;
use crate::algorithms::local::mondrian::split::{Split, SplitPart as LocalPart};

/// A node that may be split.
#[derive(Debug, Clone)]
pub struct Node {
    /// The number of rows.
    pub rows: usize,
    /// What it inherits from above.
    pub above: Above,
    /// For each quasi column, the largest possible number of different words.
    pub most_words: Vec<u64>,
}

/// One part of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitPart {
    /// The number of rows.
    pub rows: usize,
    /// The words that its records may have.
    pub region: Words,
    /// Whether it may be published.
    pub holds: bool,
}

/// A split: parts in the order of their words, then perhaps one that stays at the parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordSplit {
    /// The place of the quasi column.
    pub column: usize,
    /// The parts, at least two.
    pub parts: Vec<SplitPart>,
    /// If the last part stays, the places of rows that stay although their words leave.
    pub kept: Option<Vec<u32>>,
    /// Whether a workload may still gain something in the parts.
    pub guided: bool,
}

impl WordSplit {
    /// The number of rows in parts that can't be published.
    pub fn dropped(&self) -> usize {
        self.parts.iter().filter(|part| !part.holds).map(|part| part.rows).sum()
    }

    /// The fork by which rows are divided.
    pub fn fork(&self, rules: &Rules<'_>) -> Fork {
        let leaving = self.parts.len() - usize::from(self.kept.is_some());
        Fork {
            column: rules.quasi[self.column].place,
            parts: self.parts[..leaving].iter().map(|part| part.region).collect(),
            kept: self.kept.is_some(),
            lent: self.kept.clone().unwrap_or_default(),
        }
    }

    /// The split with the parts that don't hold, and the lent rows, as one last part.
    pub fn keep(&self, parent: Words, lent: Vec<u32>) -> WordSplit {
        let rows = self.dropped() + lent.len();
        let mut parts: Vec<SplitPart> =
            self.parts.iter().copied().filter(|part| part.holds).collect();
        parts.push(SplitPart { rows, region: parent, holds: true });
        WordSplit { parts, kept: Some(lent), ..self.clone() }
    }

    /// The split in codes, given one interval per part.
    pub fn in_codes(&self, bounds: impl Iterator<Item = Bounds>) -> Split {
        let parts = self.parts.iter().zip(bounds);
        let part = |(part, region): (&SplitPart, Bounds)| LocalPart {
            rows: part.rows,
            region,
            holds: part.holds,
        };
        Split {
            column: self.column,
            parts: parts.map(part).collect(),
            extra: 0,
            kept: None,
            guided: self.guided,
        }
    }

    /// The nodes of the parts, and whether they are published.
    pub fn nodes(&self, node: &Node, group: &Group) -> Vec<(Node, bool)> {
        let nowhere = Bounds { min: 0, max: 0 };
        let split = self.in_codes(self.parts.iter().map(|_| nowhere));
        let leaving = self.parts.len() - usize::from(self.kept.is_some());
        let parts = self.parts.iter().zip(budgets(&split, node.above.budget)).enumerate();
        let child = |(i, (part, budget)): (usize, (&SplitPart, u64))| {
            let mut above = Above {
                budget,
                holds: true,
                guided: self.guided,
                depth: node.above.depth + 1,
                ..node.above.clone()
            };
            above.region[self.column] = part.region;
            let rows = part.rows as u64;
            let mut most_words: Vec<u64> =
                group.columns.iter().map(|set| (set.words.len() as u64).min(rows)).collect();
            if i < leaving {
                let words = group.columns[self.column].places(part.region).len() as u64;
                most_words[self.column] = words.min(rows);
            }
            (Node { rows: part.rows, above, most_words }, part.holds)
        };
        parts.map(child).collect()
    }
}
