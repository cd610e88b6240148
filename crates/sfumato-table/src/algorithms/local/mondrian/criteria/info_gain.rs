//! InfoGain: the entropy of a class column within the parts. If other features are published as
//! they are, it is the entropy within the parts and the values of these features.

use std::ops::Range;

use sfumato_core::column::Codes;

use super::super::cells::Cells;
use super::super::store::{Slice, with_cells};
use super::x_log_x::XLogX;
use super::{Counts, Criterion, Parts, View};

/// The largest number of labels for which sums are computed again at every cut, which is exact.
/// With more labels they are updated.
const FEW: usize = 8;

/// One class column.
pub struct InfoGain {
    /// The label of each row: the cell of its other features, then its class.
    labels: Codes,
    n_classes: usize,
    n_labels: usize,
    /// The value of a nat.
    pub scale: f64,
    /// A table of x log x.
    pub x_log_x: XLogX,
}

impl InfoGain {
    /// Make it from labels below `n_cells * n_classes`.
    pub fn new(labels: Codes, n_classes: usize, n_cells: usize, scale: f64) -> Self {
        InfoGain { labels, n_classes, n_labels: n_classes * n_cells, scale, x_log_x: XLogX::new() }
    }

    /// `n H(class | cell)` of counts by label, in nats.
    fn entropy(&self, counts: &[u32]) -> f64 {
        let mut entropy = 0.0;
        for cell in counts.chunks_exact(self.n_classes) {
            let mut rows = 0;
            for &count in cell {
                rows += count;
                entropy -= self.x_log_x.of(count);
            }
            entropy += self.x_log_x.of(rows);
        }
        entropy
    }

    /// Walk over the slots up to the end of the cuts. `at_cut` is called with the place of each cut
    /// and the two sides.
    fn walk(
        &self,
        view: &View<'_>,
        cuts: Range<usize>,
        room: &mut Counts,
        mut at_cut: impl FnMut(usize, &[u32], &[u32]),
    ) {
        let (range, slots, width) = (view.range.clone(), view.slots, self.n_labels);
        let Counts { rows: table, left, right, .. } = room;
        left.clear();
        left.resize(width, 0);
        right.clone_from(&view.whole.rows);
        if slots.dense {
            table.clear();
            table.resize(slots.len() * width, 0);
            with_cells!(&view.block.stores[view.by.store], view.by.lane, range.clone(), cells => {
                with_cells!(&view.own[0], 0, range, labels => {
                    for (code, label) in cells.codes().zip(labels.codes()) {
                        table[(code - slots.min) as usize * width + label as usize] += 1;
                    }
                });
            });
            for slot in 0..cuts.end {
                if slot >= cuts.start && slots.rows_before(slot) != slots.ends[slot] {
                    at_cut(slot, left, right);
                }
                let counts = &table[slot * width..(slot + 1) * width];
                for ((left, right), &count) in left.iter_mut().zip(right.iter_mut()).zip(counts) {
                    *left += count;
                    *right -= count;
                }
            }
            return;
        }
        with_cells!(&view.own[0], 0, range, labels => {
            for slot in 0..cuts.end {
                if slot >= cuts.start {
                    at_cut(slot, left, right);
                }
                let rows = slots.rows_before(slot) as usize..slots.ends[slot] as usize;
                for &place in &slots.order[rows] {
                    let label = labels.at(place as usize) as usize;
                    left[label] += 1;
                    right[label] -= 1;
                }
            }
        });
    }
}

impl Criterion for InfoGain {
    fn columns(&self) -> Vec<&Codes> {
        vec![&self.labels]
    }

    fn width(&self) -> usize {
        self.n_labels
    }

    fn scale(&self) -> f64 {
        self.scale
    }

    fn whole(&self, own: &[Slice<'_>], range: Range<usize>, whole: &mut Counts) -> f64 {
        whole.rows.clear();
        whole.rows.resize(self.n_labels, 0);
        with_cells!(&own[0], 0, range, labels =>
            labels.codes().for_each(|label| whole.rows[label as usize] += 1));
        whole.impurity = self.entropy(&whole.rows);
        whole.impurity
    }

    fn add_cuts(&self, view: &View<'_>, cuts: Range<usize>, room: &mut Counts, gains: &mut [f64]) {
        let first = cuts.start;
        let mut gain = self.cut_gains(view.whole);
        self.walk(view, cuts, room, |slot, left, right| {
            gains[slot - first] += gain.of(left, right)
        });
    }

    fn beyond_chance(&self, whole: &Counts, n_rows: usize, nats: f64, parts: usize) -> f64 {
        let cells = whole.rows.chunks_exact(self.n_classes);
        let classes =
            |cell: &[u32]| cell.iter().filter(|count| **count > 0).count().saturating_sub(1);
        let shares = cells.map(classes).sum::<usize>() * parts.saturating_sub(1);
        (nats + 0.5 * shares as f64 * (n_rows as f64).ln()) / whole.impurity
    }

    fn two_classes(&self) -> Option<&InfoGain> {
        (self.n_labels == 2).then_some(self)
    }

    fn of_parts(&self, view: &View<'_>, parts: &Parts<'_>, room: &mut Counts) -> f64 {
        let (range, slots, width) = (view.range.clone(), view.slots, self.n_labels);
        let counts = &mut room.rows;
        counts.clear();
        counts.resize(parts.n * width, 0);
        with_cells!(&view.own[0], 0, range.clone(), labels => match slots.dense {
            true => with_cells!(&view.block.stores[view.by.store], view.by.lane, range, cells => {
                for (code, label) in cells.codes().zip(labels.codes()) {
                    let part = parts.of_slot[(code - slots.min) as usize] as usize;
                    counts[part * width + label as usize] += 1;
                }
            }),
            false => for slot in 0..slots.len() {
                let part = parts.of_slot[slot] as usize;
                for &place in &slots.order[slots.rows_before(
                    slot) as usize..slots.ends[slot] as usize] {
                    counts[part * width + labels.at(place as usize) as usize] += 1;
                }
            },
        });
        self.gain_of_parts(view.whole, counts)
    }
}

impl InfoGain {
    /// The gain of parts, whose rows are counted by label, one part after the other.
    pub fn gain_of_parts(&self, whole: &Counts, counts: &[u32]) -> f64 {
        let after: f64 = counts.chunks_exact(self.n_labels).map(|part| self.entropy(part)).sum();
        self.scale * (whole.impurity - after)
    }

    /// The gains of cuts, which must be asked for from the lowest to the highest.
    pub fn cut_gains<'a>(&'a self, whole: &Counts) -> CutGains<'a> {
        let few = self.n_labels <= FEW;
        let sums = match few {
            true => Vec::new(),
            false => {
                whole.rows.chunks_exact(self.n_classes).map(|cell| self.entropy(cell)).collect()
            }
        };
        let last_left = if few { Vec::new() } else { vec![0; self.n_labels] };
        CutGains { criterion: self, before: whole.impurity, after: whole.impurity, last_left, sums }
    }

    /// Rows counted by label, as the counts of a whole node.
    pub fn counted(&self, rows: Vec<u32>) -> Counts {
        let impurity = self.entropy(&rows);
        Counts { rows, impurity, ..Counts::default() }
    }
}

/// The gains of consecutive cuts.
pub struct CutGains<'a> {
    criterion: &'a InfoGain,
    before: f64,
    after: f64,
    last_left: Vec<u32>,
    sums: Vec<f64>,
}

impl CutGains<'_> {
    /// The gain of a cut with these rows on its sides.
    #[inline]
    pub fn of(&mut self, left: &[u32], right: &[u32]) -> f64 {
        let InfoGain { n_classes, scale, .. } = *self.criterion;
        if self.sums.is_empty() {
            return scale
                * (self.before - (self.criterion.entropy(left) + self.criterion.entropy(right)));
        }
        // From one cut to the next few labels change: only those are counted again.
        let cells = left.chunks_exact(n_classes).zip(right.chunks_exact(n_classes));
        for (((left, right), last), sum) in
            cells.zip(self.last_left.chunks_exact_mut(n_classes)).zip(&mut self.sums)
        {
            if left != last {
                let now = self.criterion.entropy(left) + self.criterion.entropy(right);
                self.after += now - *sum;
                *sum = now;
                last.copy_from_slice(left);
            }
        }
        scale * (self.before - self.after)
    }
}
