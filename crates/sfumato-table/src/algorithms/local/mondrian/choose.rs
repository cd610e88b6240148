//! Chooses the split of a node: in the first column that has an allowed one, possibly with
//! suppressed records.

use std::ops::Range;

use sfumato_core::{Error, Result};

use super::cells::Cells;
use super::criteria::Guided;
use super::gain::{self, Size};
use super::grow::{Node, Order, Rules, Worker};
use super::leftover::Leftovers;
use super::split::{Candidate, Split};
use super::store::with_cells;
use super::suppress;

/// The depth below which the usual, even splits are made, since a workload may ask for one uneven
/// split after the other.
pub const GUIDED_DEPTH: u32 = 256;

impl Worker<'_, '_> {
    /// The split of the first column that has an allowed one. `None` if the node is a leaf.
    pub fn choose(&mut self, node: &Node, live: &Range<usize>) -> Result<Option<Split>> {
        let rows = node.range.len();
        let min = self.rules.check.min_rows;
        // Two publishable parts, or one and somebody to leave out.
        let enough = if node.budget == 0 { rows / 2 >= min } else { rows > min };
        if enough && rows > self.rules.stop_rows {
            let mut guided = node.guided && node.depth < GUIDED_DEPTH;
            if let Some(guide) = self.rules.guide.filter(|_| guided) {
                match self.guided(guide, node, live) {
                    Guided::Split(split) => return Ok(Some(split)),
                    Guided::Nothing { below_too } => guided = !below_too,
                }
            }
            self.score(node, live);
            while let Some(best) = best(&self.scores, &self.live[live.clone()]) {
                self.scores[best] = f64::NEG_INFINITY;
                if let Some(split) = self.allowed(node, live, self.live[live.start + best]) {
                    return Ok(Some(Split { guided, ..split }));
                }
            }
        }
        if node.holds {
            Ok(None)
        } else {
            Err(Error::infeasible("the whole table can't be published"))
        }
    }

    /// Score the live columns of a node: the one with the highest score is tried first. Columns
    /// that a projection names come before the others.
    fn score(&mut self, node: &Node, live: &Range<usize>) {
        self.score_by_order(node, live);
        let Some(guide) = self.rules.guide.filter(|guide| guide.projected.contains(&false)) else {
            return;
        };
        let most = self.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = self.scores.iter().copied().fold(f64::INFINITY, f64::min);
        for (score, column) in self.scores.iter_mut().zip(&self.live[live.clone()]) {
            if !guide.projected[*column] {
                *score -= most - least + 1.0;
            }
        }
    }

    fn score_by_order(&mut self, node: &Node, live: &Range<usize>) {
        let Rules { shapes, addresses, check, prices, order, leftovers, .. } = *self.rules;
        let columns = &self.live[live.clone()];
        self.scores.clear();
        if order == Order::Widest || columns.len() == 1 {
            self.scores.extend(
                columns.iter().map(|&column| shapes[column].weighted_spread(self.cells[column])),
            );
            return;
        }
        let rows = node.range.len();
        self.gain.clear();
        for &column in columns {
            let by = addresses[column];
            with_cells!(&self.block.stores[by.store], by.lane, node.range.clone(), cells =>
                match rows {
                ..=gain::SAMPLE => self.gain.push(cells.codes()),
                _ => self.gain.push((0..gain::SAMPLE).map(|i| cells.at(gain::sampled(i, rows)))),
            });
        }
        let size = Size { rows, min_rows: check.min_rows, leftovers: leftovers != Leftovers::None };
        self.gain.score(columns, shapes, prices, size, &mut self.scores);
    }

    /// The best allowed split of a column: one that publishes all rows, or else one whose
    /// suppressed rows are worth their cost.
    pub fn allowed(&mut self, node: &Node, live: &Range<usize>, column: usize) -> Option<Split> {
        let Rules { shapes, addresses, check, relaxed, leftovers, quantiles, .. } = *self.rules;
        let candidate = Candidate {
            column,
            shape: &shapes[column],
            bounds: self.cells[column],
            region: self.region[column],
        };
        let min = check.min_rows;
        let parent = candidate.parent().filter(|_| leftovers != Leftovers::None);
        let plausible = |sizes: &[usize]| match node.budget {
            _ if parent.is_some() => sizes.iter().any(|&rows| rows >= min),
            0 => sizes.iter().all(|&rows| rows >= min),
            budget => {
                let small: usize = sizes.iter().filter(|&&rows| rows < min).sum();
                small as u64 <= budget && small < node.range.len()
            }
        };
        let by = addresses[column];
        let store = &self.block.stores[by.store];
        let splits = with_cells!(store, by.lane, node.range.clone(), cells => {
            candidate.splits(cells, relaxed, quantiles, &mut self.counter, plausible)
        });
        let mut lossy = None;
        for mut split in splits {
            let all_or_nothing = node.budget == 0 && parent.is_none();
            if check.judge(&self.block, node.range.clone(), by, &mut split, all_or_nothing) {
                return Some(split);
            }
            let dropped = split.dropped();
            let affordable = dropped as u64 <= node.budget && dropped < node.range.len();
            let priced = match affordable && candidate.parent().is_none() {
                // What a part is worth is said by its own cells, not by values of others between
                // them.
                true => {
                    with_cells!(&self.block.stores[by.store], by.lane, node.range.clone(), cells =>
                        split.tightened(cells))
                }
                false => split.clone(),
            };
            if affordable && suppress::beats_keeping(&priced, shapes, &self.cells, min) {
                return Some(split);
            }
            if let Some(kept) =
                parent.and_then(|parent| self.keep_leftovers(node, live, split.clone(), parent))
            {
                return Some(kept);
            }
            if lossy.is_none()
                && affordable
                && (!node.holds || suppress::pays(&priced, shapes, &self.cells))
            {
                lossy = Some(split);
            }
        }
        lossy
    }
}

/// The place of the largest score; of equal ones that of the first column.
pub fn best(scores: &[f64], columns: &[usize]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, &score) in scores.iter().enumerate() {
        let beats = |best: usize| {
            score > scores[best] || (score == scores[best] && columns[i] < columns[best])
        };
        if score > f64::NEG_INFINITY && best.is_none_or(beats) {
            best = Some(i);
        }
    }
    best
}
