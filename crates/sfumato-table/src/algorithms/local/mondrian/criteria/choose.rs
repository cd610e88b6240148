//! Chooses a node's split by the workload: all cuts of all columns are scored, and the best allowed
//! one is taken.

use std::ops::Range;

use rayon::prelude::*;

use super::super::grow::{Node, Rules, Worker};
use super::super::split::{Candidate, Split};
use super::score::{ALIKE, Column, Question, Scored, Scratch};
use super::selection::Overlapping;
use super::{Counts, Guide};

/// The number of rows from which on several threads score the columns of a node.
const PARALLEL_ROWS: usize = 1 << 16;

/// The answer of the workload for a node.
pub enum Guided {
    /// The split.
    Split(Split),
    /// No split gains enough.
    Nothing {
        /// Whether this is so for all of its parts as well.
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
            if let Some(split) = self.first_allowed(node, live, scored) {
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
            impurity += steering.criterion.scale()
                * steering.criterion.whole(own, node.range.clone(), whole);
        }
        // Selections may still have something to say below.
        let nothing = Guided::Nothing { below_too: overlapping.is_empty() };
        let mut guided = nothing;
        if impurity > 0.0 {
            let rows = node.range.len();
            let choices = self.choices(guide, node, live, &wholes);
            let least = guide.min_gain * rows as f64;
            // Sums come in different orders: a gain that is just enough is enough.
            let enough = |parts: usize| match guide.significant {
                false => least - ALIKE,
                true => least_gain(guide, &wholes, rows, choices, parts).max(least) - ALIKE,
            };
            let of_two = enough(2);
            let question = Question::Targets { wholes: &wholes, enough: of_two };
            // No split gains more than there is, and more parts must gain more.
            let mut scored = match impurity >= of_two {
                true => self.scored(guide, node, live, &question),
                false => Vec::new(),
            };
            scored.retain(|s| s.gain >= if s.parts == 2 { of_two } else { enough(s.parts) });
            guided = match self.first_allowed(node, live, scored) {
                Some(split) => Guided::Split(split),
                // One split that gains nothing may be followed by one that does, unless gains were
                // said to be too small.
                None => {
                    Guided::Nothing { below_too: overlapping.is_empty() && guide.min_gain > 0.0 }
                }
            };
        }
        self.wholes = wholes;
        guided
    }

    /// The first allowed split in the order of gains, among those that gain anything.
    fn first_allowed(
        &mut self,
        node: &Node,
        live: &Range<usize>,
        mut scored: Vec<Scored>,
    ) -> Option<Split> {
        let Rules { shapes, addresses, check, .. } = *self.rules;
        scored.retain(|scored| scored.gain >= ALIKE);
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

    /// The number of splits to choose from that differ by more than chance: neighbouring cuts are
    /// similar, so their number counts by its logarithm.
    fn choices(
        &self,
        guide: &Guide<'_>,
        node: &Node,
        live: &Range<usize>,
        wholes: &[Counts],
    ) -> f64 {
        let question = &Question::Targets { wholes, enough: 0.0 };
        let (rules, block, cells) = (self.rules, &self.block, &self.cells);
        let choices = |&column: &usize| {
            let column =
                Column { rules, guide, block, node, column, bounds: cells[column], question };
            match column.possible() {
                0 => 0.0,
                possible => 1.0 + (possible as f64).log2(),
            }
        };
        // In the order of the columns: a sum must not depend on where they lie in memory.
        let mut columns = self.live[live.clone()].to_vec();
        columns.sort_unstable();
        columns.iter().map(choices).sum()
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
            Column { rules, guide, block, node, column, bounds: cells[column], question }
                .score(scratch, scored)
        };
        if node.range.len() <= PARALLEL_ROWS {
            let mut scored = Vec::new();
            columns.iter().for_each(|column| score(&mut self.scratch, *column, &mut scored));
            return scored;
        }
        let of_column = |column: &usize| {
            let mut scored = Vec::new();
            score(&mut Scratch::default(), *column, &mut scored);
            scored
        };
        columns.par_iter().flat_map_iter(of_column).collect()
    }
}

/// The gain that a split into `parts` parts must have to be more than chance, if it is one of
/// `choices` splits. With several targets, the gain that is enough for one of them.
fn least_gain(
    guide: &Guide<'_>,
    wholes: &[Counts],
    rows: usize,
    choices: f64,
    parts: usize,
) -> f64 {
    let nats = choices.max(1.0).ln();
    let (mut share, mut impurity) = (f64::INFINITY, 0.0);
    for (steering, whole) in
        guide.steering.iter().zip(wholes).filter(|(_, whole)| whole.impurity > 0.0)
    {
        share = steering.criterion.beyond_chance(whole, rows, nats, parts).min(share);
        impurity += steering.criterion.scale() * whole.impurity;
    }
    share * impurity
}
