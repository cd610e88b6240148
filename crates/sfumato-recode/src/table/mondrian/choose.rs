//! Choosing the split of a node: the widest column that has an allowed one, and whether it may leave records out.

use std::ops::Range;

use sfumato_core::{Error, Result};

use super::grow::{Node, Rules, Worker};
use super::split::{Candidate, Split};
use super::store::with_cells;
use super::suppress;

impl Worker<'_, '_> {
    /// The split of the widest column that has an allowed one; `None` if the node is a leaf.
    pub fn choose(&mut self, node: &Node, live: &Range<usize>) -> Result<Option<Split>> {
        let rows = node.range.len();
        let min = self.rules.check.min_rows;
        // Two publishable parts, or one and somebody to leave out.
        let enough = if node.budget == 0 { rows / 2 >= min } else { rows > min };
        if enough {
            self.scores.clear();
            for &column in &self.live[live.clone()] {
                self.scores.push(self.rules.shapes[column].weighted_spread(self.cells[column]));
            }
            while let Some(widest) = widest(&self.scores, &self.live[live.clone()]) {
                self.scores[widest] = f64::NEG_INFINITY;
                if let Some(split) = self.allowed(node, self.live[live.start + widest]) {
                    return Ok(Some(split));
                }
            }
        }
        if node.holds { Ok(None) } else { Err(Error::infeasible("the whole table can't be published")) }
    }

    /// The best allowed split of a column: one that publishes all rows, or else one whose suppressed rows pay.
    fn allowed(&mut self, node: &Node, column: usize) -> Option<Split> {
        let Rules { shapes, addresses, check, relaxed, .. } = *self.rules;
        let candidate = Candidate {
            column,
            shape: &shapes[column],
            bounds: self.cells[column],
            region: self.region[column],
        };
        let min = check.min_rows;
        let plausible = |sizes: &[usize]| match node.budget {
            0 => sizes.iter().all(|&rows| rows >= min),
            budget => {
                let small: usize = sizes.iter().filter(|&&rows| rows < min).sum();
                small as u64 <= budget && small < node.range.len()
            }
        };
        let by = addresses[column];
        let splits = with_cells!(&self.block.stores[by.store], by.lane, node.range.clone(), cells => {
            candidate.splits(cells, relaxed, &mut self.counter, plausible)
        });
        let mut lossy = None;
        for mut split in splits {
            if check.judge(&self.block, node.range.clone(), by, &mut split, node.budget == 0) {
                return Some(split);
            }
            let dropped = split.dropped();
            let affordable = dropped as u64 <= node.budget && dropped < node.range.len();
            if lossy.is_none() && affordable && (!node.holds || suppress::pays(&split, shapes, &self.cells)) {
                lossy = Some(split);
            }
        }
        lossy
    }
}

/// The place of the largest score; among equal ones that of the first column.
fn widest(scores: &[f64], columns: &[usize]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, &score) in scores.iter().enumerate() {
        let beats =
            |best: usize| score > scores[best] || (score == scores[best] && columns[i] < columns[best]);
        if score > f64::NEG_INFINITY && best.is_none_or(beats) {
            best = Some(i);
        }
    }
    best
}
