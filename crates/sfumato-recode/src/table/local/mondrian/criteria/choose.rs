//! Choosing a node's split by the workload: all cuts of all columns are scored, and the best allowed one is taken.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::super::grow::{Node, Rules, Worker};
use super::super::leftover::Leftovers;
use super::super::shape::Bounds;
use super::super::split::{Candidate, Split};
use super::super::store::with_cells;
use super::selection::Overlapping;
use super::slots::Slots;
use super::{Counts, Guide, Parts, View};

/// The columns of larger nodes are scored by several threads.
const PARALLEL_ROWS: usize = 1 << 16;
/// Gains that differ by less are equal: sums come in different orders.
const ALIKE: f64 = 1e-9;

/// Room for scoring, kept from node to node.
#[derive(Debug, Default)]
pub struct Scratch {
    slots: Slots,
    room: Counts,
    gains: Vec<f64>,
    of_slot: Vec<u32>,
}

/// A split that was scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// What it gains over all records of the node.
    pub gain: f64,
    /// How far the parts are from being even.
    unevenness: usize,
    /// Which quasi column.
    pub column: usize,
    /// The first code of the second part and the rows before it; `None` for children of a hierarchy's node, or missing against the rest.
    pub cut: Option<(u32, usize)>,
}

impl Scored {
    /// The better one first; of equal ones the more even, then the first column, then the lower cut.
    fn order(&self, other: &Scored) -> Ordering {
        // Sums come in different orders: what differs by less than a billionth is equal.
        let rounded = |gain: f64| (gain / ALIKE).round();
        let by_gain = rounded(other.gain).total_cmp(&rounded(self.gain));
        by_gain
            .then(self.unevenness.cmp(&other.unevenness))
            .then(self.column.cmp(&other.column))
            .then(self.cut.cmp(&other.cut))
    }
}

/// What is asked about the splits of a node.
enum Question<'q> {
    /// How many selected records less.
    Selections(&'q Overlapping<'q>),
    /// How much purer, with the counts of the whole node for each criterion.
    Targets(&'q [Counts]),
}

/// What the workload says about a node.
pub enum Guided {
    /// The split.
    Split(Split),
    /// No split gains enough. Whether that is so for all of its parts as well.
    Nothing {
        /// For good.
        below_too: bool,
    },
}

impl Worker<'_, '_> {
    /// The best allowed split by the workload.
    pub fn guided(&mut self, guide: &Guide<'_>, node: &Node, live: &Range<usize>) -> Guided {
        let boxed = if self.rules.tighten { &self.cells } else { &self.region };
        let overlapping = Overlapping::new(guide.selections, boxed);
        if !overlapping.is_empty() {
            let scored = self.scored(guide, node, live, &Question::Selections(&overlapping));
            if let Some(split) = self.first_allowed(node, live, scored, ALIKE) {
                return Guided::Split(split);
            }
        }
        if guide.steering.is_empty() {
            return Guided::Nothing { below_too: overlapping.is_empty() };
        }
        let mut wholes = std::mem::take(&mut self.wholes);
        wholes.resize(guide.steering.len(), Counts::default());
        let mut impurity = 0.0;
        for (steering, whole) in guide.steering.iter().zip(&mut wholes) {
            let own = steering.own(self.block.payload());
            impurity += steering.criterion.whole(own, node.range.clone(), whole);
        }
        // Selections may still have something to say below.
        let nothing = Guided::Nothing { below_too: overlapping.is_empty() };
        let mut guided = nothing;
        if impurity > 0.0 {
            let scored = self.scored(guide, node, live, &Question::Targets(&wholes));
            let enough = (guide.min_gain * node.range.len() as f64).max(ALIKE);
            guided = match self.first_allowed(node, live, scored, enough) {
                Some(split) => Guided::Split(split),
                // One split that gains nothing may be followed by one that does, unless gains were said to be too small.
                None => Guided::Nothing { below_too: overlapping.is_empty() && guide.min_gain > 0.0 },
            };
        }
        self.wholes = wholes;
        guided
    }

    /// The first allowed one in the order of gains, of those that gain at least so much.
    fn first_allowed(
        &mut self,
        node: &Node,
        live: &Range<usize>,
        mut scored: Vec<Scored>,
        least: f64,
    ) -> Option<Split> {
        let Rules { shapes, addresses, check, .. } = *self.rules;
        scored.retain(|scored| scored.gain >= least);
        scored.sort_unstable_by(Scored::order);
        for Scored { column, cut, .. } in scored {
            let Some((code, left)) = cut else {
                match self.allowed(node, live, column) {
                    None => continue,
                    split => return split,
                }
            };
            let candidate = Candidate {
                column,
                shape: &shapes[column],
                bounds: self.cells[column],
                region: self.region[column],
            };
            let mut split = candidate.pair(code, [left, node.range.len() - left]);
            if check.judge(&self.block, node.range.clone(), addresses[column], &mut split, true) {
                return Some(split);
            }
        }
        None
    }

    /// Score the splits of all live columns.
    fn scored(
        &mut self,
        guide: &Guide<'_>,
        node: &Node,
        live: &Range<usize>,
        question: &Question<'_>,
    ) -> Vec<Scored> {
        let columns = &self.live[live.clone()];
        let (rules, block, cells) = (self.rules, &self.block, &self.cells);
        let score = |scratch: &mut Scratch, column: usize, scored: &mut Vec<Scored>| {
            let column = Column { rules, guide, block, node, column, bounds: cells[column], question };
            column.score(scratch, scored);
        };
        if node.range.len() <= PARALLEL_ROWS {
            let mut scored = Vec::new();
            columns.iter().for_each(|column| score(&mut self.scratch, *column, &mut scored));
            return scored;
        }
        columns
            .par_iter()
            .flat_map_iter(|column| {
                let mut scored = Vec::new();
                score(&mut Scratch::default(), *column, &mut scored);
                scored
            })
            .collect()
    }
}

/// One column at one node.
struct Column<'c> {
    rules: &'c Rules<'c>,
    guide: &'c Guide<'c>,
    block: &'c super::Block<'c>,
    node: &'c Node,
    column: usize,
    bounds: Bounds,
    question: &'c Question<'c>,
}

impl Column<'_> {
    fn score(&self, scratch: &mut Scratch, scored: &mut Vec<Scored>) {
        let Column { rules, column, bounds, .. } = *self;
        let shape = &rules.shapes[column];
        let by = rules.addresses[column];
        let width = match self.question {
            Question::Selections(_) => 1,
            Question::Targets(_) => {
                let reading = self.guide.steering.iter().filter(|steering| steering.features[column]);
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
        match shape.tree {
            Some(_) => self.score_parts(&slots, scratch, scored),
            None if bounds.max == shape.missing => self.score_parts(&slots, scratch, scored),
            None => self.score_cuts(&slots, scratch, scored),
        }
        scratch.slots = slots;
    }

    fn score_cuts(&self, slots: &Slots, scratch: &mut Scratch, scored: &mut Vec<Scored>) {
        let n = self.node.range.len();
        let least = self.rules.check.min_rows.max(1);
        if n < 2 * least {
            return;
        }
        // Cuts with enough rows on both sides: the cut before slot i has the rows before it on the left.
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
            Question::Targets(wholes) => {
                for (steering, whole) in self.guide.steering.iter().zip(*wholes) {
                    if steering.features[self.column] {
                        let view = self.view(steering.own(self.block.payload()), slots, whole);
                        steering.criterion.add_cuts(&view, cuts.clone(), &mut scratch.room, &mut gains);
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
                // Halfway between the cells on both sides, for rows that are yet to come.
                let middle = last_left + (code - last_left).div_ceil(2);
                scored.push(Scored {
                    gain: gains[slot - cuts.start],
                    unevenness: n.abs_diff(2 * left),
                    column: self.column,
                    cut: Some((middle, left)),
                });
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

    /// The children of the lowest node above all cells, or missing against the rest.
    fn score_parts(&self, slots: &Slots, scratch: &mut Scratch, scored: &mut Vec<Scored>) {
        let Column { rules, column, bounds, .. } = *self;
        let shape = &rules.shapes[column];
        let mut of_slot = std::mem::take(&mut scratch.of_slot);
        of_slot.clear();
        let mut sizes: Vec<usize> = Vec::new();
        let rows = |slot: usize| (slots.ends[slot] - slots.rows_before(slot)) as usize;
        match shape.tree.filter(|_| bounds.max < shape.missing) {
            Some(tree) => {
                let parent = tree.smallest_cover(bounds.min, bounds.max + 1);
                let mut children = tree.children(parent).skip_while(|child| tree.hi(*child) <= bounds.min);
                let mut end = children.next().map_or(u32::MAX, |child| tree.hi(child));
                sizes.push(0);
                for slot in 0..slots.len() {
                    while slots.code(slot) >= end {
                        end = children.next().map_or(u32::MAX, |child| tree.hi(child));
                        sizes.push(0);
                    }
                    of_slot.push(sizes.len() as u32 - 1);
                    sizes[of_slot[slot] as usize] += rows(slot);
                }
            }
            None => {
                let missing = slots.first_from(shape.missing);
                sizes = vec![slots.rows_before(missing) as usize, rows(missing)];
                of_slot.extend((0..slots.len()).map(|slot| u32::from(slot >= missing)));
            }
        }
        let least = rules.check.min_rows.max(1);
        let small = |size: usize| size > 0 && size < least;
        let forbidden = rules.leftovers == Leftovers::None
            && self.node.budget == 0
            && sizes.iter().any(|size| small(*size));
        let large = sizes.iter().filter(|size| **size >= least).count();
        if !forbidden && large > 0 && sizes.iter().filter(|size| **size > 0).count() > 1 {
            // Those too small to leave stay together: one part more.
            let rest = sizes.len() as u32;
            of_slot.iter_mut().filter(|part| small(sizes[**part as usize])).for_each(|part| *part = rest);
            let parts = Parts { n: sizes.len() + 1, of_slot: &of_slot };
            let gain = match self.question {
                Question::Selections(overlapping) => overlapping.of_parts(column, slots, &parts),
                Question::Targets(wholes) => {
                    let gains = self.guide.steering.iter().zip(*wholes).filter(|(s, _)| s.features[column]);
                    gains
                        .map(|(steering, whole)| {
                            let view = self.view(steering.own(self.block.payload()), slots, whole);
                            steering.criterion.of_parts(&view, &parts, &mut scratch.room)
                        })
                        .sum()
                }
            };
            let n = self.node.range.len();
            let largest = sizes.iter().copied().max().unwrap_or(n);
            scored.push(Scored { gain, unevenness: n.abs_diff(2 * largest), column, cut: None });
        }
        scratch.of_slot = of_slot;
    }

    fn view<'v>(&'v self, own: &'v [super::Slice<'v>], slots: &'v Slots, whole: &'v Counts) -> View<'v> {
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
