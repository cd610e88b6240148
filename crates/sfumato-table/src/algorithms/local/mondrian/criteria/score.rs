//! Scores the splits of one column at one node: all cuts between its codes, or the children of a
//! hierarchy's node.

use std::cmp::Ordering;

use super::super::block::Block;
use super::super::grow::{Node, Rules};
use super::super::shape::Bounds;
use super::super::store::{Slice, with_cells};
use super::info_gain::InfoGain;
use super::selection::Overlapping;
use super::slots::Slots;
use super::two_classes::{CutGain, TwoClasses, Wide};
use super::{Counts, Guide, View};

/// The largest difference of gains that count as equal: sums are added in different orders.
pub const ALIKE: f64 = 1e-9;

/// Buffers for scoring, kept from node to node.
#[derive(Debug, Default)]
pub struct Scratch {
    slots: Slots,
    pub room: Counts,
    gains: Vec<f64>,
    pub of_slot: Vec<u32>,
    pub table: Vec<u64>,
    wide: Wide,
}

/// A split with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The gain over all records of the node.
    pub gain: f64,
    /// How far the parts are from being even.
    pub unevenness: usize,
    /// The place of the quasi column.
    pub column: usize,
    /// The number of parts.
    pub parts: usize,
    /// The first code of the second part and the number of rows before it. `None` for children of a
    /// hierarchy's node, or missing and the rest.
    pub cut: Option<(u32, usize)>,
}

impl Scored {
    /// Compare two splits: the better one first; of equal ones the more even, then the first
    /// column, then the lower cut.
    pub fn order(&self, other: &Scored) -> Ordering {
        // Sums come in different orders: what differs by less than a billionth is equal.
        let rounded = |gain: f64| (gain / ALIKE).round();
        let by_gain = rounded(other.gain).total_cmp(&rounded(self.gain));
        by_gain
            .then(self.unevenness.cmp(&other.unevenness))
            .then(self.column.cmp(&other.column))
            .then(self.cut.cmp(&other.cut))
    }
}

/// The goal by which the splits of a node are scored.
pub enum Question<'q> {
    /// Fewer wrongly selected records.
    Selections(&'q Overlapping<'q>),
    /// Whether a split makes the targets purer.
    Targets {
        /// The counts of the whole node for each criterion.
        wholes: &'q [Counts],
        /// The gain that a split into two parts must have to be of use.
        enough: f64,
    },
}

/// One column at one node, with everything that is needed to score it.
pub struct Column<'c> {
    /// What is the same for every node.
    pub rules: &'c Rules<'c>,
    /// The workload.
    pub guide: &'c Guide<'c>,
    /// The rows.
    pub block: &'c Block<'c>,
    /// The node.
    pub node: &'c Node,
    /// The place of the quasi column.
    pub column: usize,
    /// The interval of its cells.
    pub bounds: Bounds,
    /// The goal of the scoring.
    pub question: &'c Question<'c>,
}

impl Column<'_> {
    /// The largest number of splits that it may have for this goal.
    pub fn possible(&self) -> usize {
        let is_asked = match self.question {
            Question::Selections(_) => true,
            Question::Targets { .. } => self.guide.steering.iter().any(|s| s.features[self.column]),
        };
        let shape = &self.rules.shapes[self.column];
        match (is_asked, shape.tree.is_none() && self.bounds.max < shape.missing) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => {
                let rows = self.node.range.len() + 1;
                let least = self.rules.check.min_rows.max(1);
                rows.saturating_sub(2 * least)
                    .min(usize::try_from(shape.span(self.bounds)).unwrap_or(usize::MAX))
            }
        }
    }

    /// Score those splits that may be taken.
    pub fn score(&self, scratch: &mut Scratch, scored: &mut Vec<Scored>) {
        if self.possible() == 0 {
            return;
        }
        let Column { rules, column, bounds, .. } = *self;
        let shape = &rules.shapes[column];
        let by = rules.addresses[column];
        let is_cut = shape.tree.is_none() && bounds.max < shape.missing;
        let done = match is_cut {
            true => self.score_two_classes(scratch, scored),
            false => self.score_parts_by_two_classes(scratch, scored),
        };
        if done.is_some() {
            return;
        }
        let width = match self.question {
            Question::Selections(_) => 1,
            Question::Targets { .. } => {
                let reading =
                    self.guide.steering.iter().filter(|steering| steering.features[column]);
                match reading.map(|steering| steering.criterion.width()).max() {
                    Some(width) => width,
                    None => return,
                }
            }
        };
        let mut slots = std::mem::take(&mut scratch.slots);
        with_cells!(&self.block.stores[by.store], by.lane, self.node.range.clone(), cells => {
            slots.fill(cells, bounds.min, bounds.max, width);
        });
        match is_cut {
            true => self.score_cuts(&slots, scratch, scored),
            false => self.score_parts(&slots, scratch, scored),
        }
        scratch.slots = slots;
    }

    /// The criterion and the rows as it sees them, if one target of two classes is all there is.
    pub fn two_classes(&self) -> Option<(&InfoGain, TwoClasses<'_>)> {
        let Question::Targets { wholes, .. } = self.question else { return None };
        let [steering] = self.guide.steering.as_slice() else { return None };
        let info_gain =
            steering.criterion.two_classes().filter(|_| steering.features[self.column])?;
        let two_classes = TwoClasses {
            block: self.block,
            range: self.node.range.clone(),
            by: self.rules.addresses[self.column],
            bounds: (self.bounds.min, self.bounds.max),
            labels: &steering.own(self.block.payload())[0],
            rows: self.node.range.len() as u32,
            ones: wholes[0].rows[1],
            least: self.rules.check.min_rows.clamp(1, u32::MAX as usize) as u32,
            x_log_x: &info_gain.x_log_x,
        };
        Some((info_gain, two_classes))
    }

    /// Whether counting by code is cheap.
    pub fn spans_little(&self) -> bool {
        (self.bounds.max - self.bounds.min) as usize <= (4 * self.node.range.len()).max(256)
    }

    /// Score cuts by two classes, if that is the only criterion and the faster way.
    fn score_two_classes(&self, scratch: &mut Scratch, scored: &mut Vec<Scored>) -> Option<()> {
        let (info_gain, two_classes) = self.two_classes()?;
        let Question::Targets { enough, .. } = self.question else { return None };
        let counts_rows = self.rules.check.counts_rows();
        let first = scored.len();
        let mut best = f64::NEG_INFINITY;
        let tell = |cut: CutGain| {
            let gain = info_gain.scale * cut.gain;
            // Where numbers of rows decide, only the best one can be taken.
            if counts_rows && gain < best - 2.0 * ALIKE {
                return;
            }
            best = best.max(gain);
            let cut = self.cut(gain, cut.before, cut.code, cut.left as usize);
            match counts_rows && scored.len() > first {
                true if cut.order(&scored[first]).is_lt() => scored[first] = cut,
                true => {}
                false => scored.push(cut),
            }
        };
        match (self.spans_little(), counts_rows) {
            (true, _) => two_classes.cuts(&mut scratch.table, tell),
            (false, true) => {
                two_classes.best_cuts(enough.max(ALIKE) / info_gain.scale, &mut scratch.wide, tell);
            }
            (false, false) => return None,
        }
        Some(())
    }

    /// A cut halfway between two codes, for rows that are yet to come.
    fn cut(&self, gain: f64, last_left: u32, code: u32, left: usize) -> Scored {
        Scored {
            gain,
            unevenness: self.node.range.len().abs_diff(2 * left),
            column: self.column,
            parts: 2,
            cut: Some((last_left + (code - last_left).div_ceil(2), left)),
        }
    }

    fn score_cuts(&self, slots: &Slots, scratch: &mut Scratch, scored: &mut Vec<Scored>) {
        let n = self.node.range.len();
        let least = self.rules.check.min_rows.max(1);
        if n < 2 * least {
            return;
        }
        // Cuts with enough rows on both sides: the cut before slot i has the rows before it on the
        // left.
        let start = 1 + slots.ends.partition_point(|end| (*end as usize) < least);
        let end = 1 + slots.ends.partition_point(|end| (*end as usize) <= n - least);
        let cuts = start..end.min(slots.len());
        if cuts.is_empty() {
            return;
        }
        let mut gains = std::mem::take(&mut scratch.gains);
        gains.clear();
        gains.resize(cuts.len(), 0.0);
        match self.question {
            Question::Selections(overlapping) => {
                overlapping.add_cuts(self.column, slots, cuts.clone(), n, &mut gains);
            }
            Question::Targets { wholes, .. } => {
                for (steering, whole) in self.guide.steering.iter().zip(wholes.iter()) {
                    if steering.features[self.column] {
                        let view = self.view(steering.own(self.block.payload()), slots, whole);
                        steering.criterion.add_cuts(
                            &view,
                            cuts.clone(),
                            &mut scratch.room,
                            &mut gains,
                        );
                    }
                }
            }
        }
        let first = scored.len();
        let mut last_left = slots.code(0);
        for slot in (0..cuts.end).filter(|slot| slots.rows_before(*slot) != slots.ends[*slot]) {
            let code = slots.code(slot);
            if slot >= cuts.start {
                let left = slots.rows_before(slot) as usize;
                scored.push(self.cut(gains[slot - cuts.start], last_left, code, left));
            }
            last_left = code;
        }
        // Where numbers of rows decide, every cut at hand is allowed, and one of them is enough.
        if self.rules.check.counts_rows()
            && let Some(best) = scored[first..].iter().min_by(|a, b| a.order(b)).copied()
        {
            scored.truncate(first);
            scored.push(best);
        }
        scratch.gains = gains;
    }

    /// The view of a criterion.
    pub fn view<'v>(
        &'v self,
        own: &'v [Slice<'v>],
        slots: &'v Slots,
        whole: &'v Counts,
    ) -> View<'v> {
        View {
            block: self.block,
            own,
            range: self.node.range.clone(),
            by: self.rules.addresses[self.column],
            slots,
            whole,
        }
    }
}
