//! Chooses a node's split by the classes of a workload, from how often they occur with each word.

use super::decide::{Decided, Decision};
use super::node::WordSplit;
use super::rules::{Goal, Guide};
use crate::algorithms::local::mondrian::criteria::{ALIKE, Counts, Criterion, Scored, Sizes};
use crate::algorithms::local::mondrian::leftover::Leftovers;

/// The number of cuts that are asked about at once if people have to be counted.
const ASKED_AT_ONCE: usize = 16;

impl Decision<'_> {
    /// The best allowed split by the workload, or else whether the workload can't gain anything in
    /// the parts either.
    pub fn guided(&self, guide: &Guide) -> Decided<Result<WordSplit, bool>> {
        let (Some(goal), Some(first)) = (&guide.goal, self.group.columns.first()) else {
            return Ok(Err(true));
        };
        let mut labels = vec![0; goal.n_labels];
        first
            .with(0, 0..first.words.len())
            .iter()
            .for_each(|(label, n)| labels[*label as usize] += n);
        let whole = goal.criterion.counted(labels);
        let impurity = goal.criterion.scale * whole.impurity();
        if impurity <= 0.0 {
            return Ok(Err(true));
        }
        let rows = self.node.rows;
        let nats = self.choices(goal).max(1.0).ln();
        let enough = |parts: usize| {
            let least = guide.min_gain * rows as f64;
            match guide.significant {
                false => least,
                true => {
                    (goal.criterion.beyond_chance(&whole, rows, nats, parts) * impurity).max(least)
                }
            }
        };
        let of_two = enough(2);
        let mut scored = Vec::new();
        if impurity >= of_two {
            self.live
                .iter()
                .for_each(|column| self.score_splits(goal, &whole, *column, &mut scored));
        }
        scored.retain(|s| s.gain >= if s.parts == 2 { of_two } else { enough(s.parts) });
        match self.first_allowed(scored)? {
            Some(split) => Ok(Ok(split)),
            // One split that gains nothing may be followed by one that does, unless gains were said
            // to be too small.
            None => Ok(Err(guide.min_gain > 0.0)),
        }
    }

    /// The largest number of splits of a column.
    fn possible(&self, goal: &Goal, column: usize) -> usize {
        let (quasi, cells) = (&self.rules.quasi[column], self.cells[column]);
        match (goal.features[column], quasi.is_cut(cells)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => {
                let most = (self.node.rows + 1).saturating_sub(2 * self.rules.min_rows.max(1));
                most.min(usize::try_from(quasi.span(cells)).unwrap_or(usize::MAX))
            }
        }
    }

    /// The number of splits to choose from that differ by more than chance.
    fn choices(&self, goal: &Goal) -> f64 {
        let choices = |column: &usize| match self.possible(goal, *column) {
            0 => 0.0,
            possible => 1.0 + (possible as f64).log2(),
        };
        self.live.iter().map(choices).sum()
    }

    fn score_splits(&self, goal: &Goal, whole: &Counts, column: usize, scored: &mut Vec<Scored>) {
        if self.possible(goal, column) == 0 {
            return;
        }
        match self.rules.quasi[column].is_cut(self.cells[column]) {
            true => self.score_cuts(goal, whole, column, scored),
            false => self.score_parts(goal, whole, column, scored),
        }
    }

    fn score_cuts(&self, goal: &Goal, whole: &Counts, column: usize, scored: &mut Vec<Scored>) {
        let (n, least, set) =
            (self.node.rows, self.rules.min_rows.max(1), &self.group.columns[column]);
        let mut gain = goal.criterion.cut_gains(whole);
        let (mut left, mut right) = (vec![0; goal.n_labels], whole.rows().to_vec());
        let first = scored.len();
        for place in 0..set.words.len() {
            let before = set.rows_before(place);
            if n - before < least {
                break;
            }
            if before >= least {
                let gain = gain.of(&left, &right);
                let unevenness = n.abs_diff(2 * before);
                scored.push(Scored {
                    gain,
                    unevenness,
                    column,
                    parts: 2,
                    cut: Some((place as u32, before)),
                });
            }
            for (label, n) in set.with(0, place..place + 1) {
                left[*label as usize] += n;
                right[*label as usize] -= n;
            }
        }
        // Where numbers of rows decide, every cut at hand is allowed, and one of them is enough.
        if self.rules.judge == super::rules::Judge::Rows
            && let Some(best) = scored[first..].iter().min_by(|a, b| a.order(b)).copied()
        {
            scored.truncate(first);
            scored.push(best);
        }
    }

    fn score_parts(&self, goal: &Goal, whole: &Counts, column: usize, scored: &mut Vec<Scored>) {
        let (quasi, cells, set) =
            (&self.rules.quasi[column], self.cells[column], &self.group.columns[column]);
        let ends: Vec<u64> = match quasi.tree.filter(|_| cells.max < quasi.missing) {
            Some(tree) => {
                let cover = tree.smallest_cover(cells.min as u32, cells.max as u32 + 1);
                let ends = tree.children(cover).map(|child| u64::from(tree.hi(child)));
                ends.skip_while(|end| *end <= cells.min).collect()
            }
            None => vec![quasi.missing, quasi.missing + 1],
        };
        let mut starts = vec![0];
        starts.extend(ends.iter().map(|end| set.words.partition_point(|word| word < end)));
        let sizes: Vec<usize> =
            starts.windows(2).map(|w| set.rows_before(w[1]) - set.rows_before(w[0])).collect();
        let forbids_small =
            self.rules.settings.leftovers == Leftovers::None && self.node.above.budget == 0;
        let Some(sizes) = Sizes::new(&sizes, self.rules.min_rows.max(1), forbids_small) else {
            return;
        };
        // Those too small to leave stay together: one part more.
        let mut counts = vec![0; (ends.len() + 1) * goal.n_labels];
        for (part, places) in starts.windows(2).enumerate() {
            let part = if sizes.is_small(part) { ends.len() } else { part };
            for (label, n) in set.with(0, places[0]..places[1]) {
                counts[part * goal.n_labels + *label as usize] += n;
            }
        }
        let gain = goal.criterion.gain_of_parts(whole, &counts);
        let unevenness = sizes.unevenness(self.node.rows);
        scored.push(Scored { gain, unevenness, column, parts: sizes.n_parts(), cut: None });
    }

    /// The first allowed split in the order of gains, among those that gain anything.
    fn first_allowed(&self, mut scored: Vec<Scored>) -> Decided<Option<WordSplit>> {
        scored.retain(|scored| scored.gain >= ALIKE);
        scored.sort_unstable_by(Scored::order);
        let cut = |scored: &Scored| {
            let (place, left) = scored.cut?;
            let words = &self.group.columns[scored.column].words;
            let (before, word) = (words[place as usize - 1], words[place as usize]);
            // Halfway, for rows that are yet to come.
            Some(self.pair(scored.column, before + (word - before).div_ceil(2), left))
        };
        for (i, one) in scored.iter().enumerate() {
            let Some(mut split) = cut(one) else {
                match self.allowed(one.column)? {
                    None => continue,
                    split => return Ok(split),
                }
            };
            if i.is_multiple_of(ASKED_AT_ONCE) && self.rules.subject.is_some() {
                let next = &scored[i..scored.len().min(i + ASKED_AT_ONCE)];
                self.foresee(&next.iter().filter_map(cut).collect::<Vec<_>>(), true)?;
            }
            if self.judge(&mut split, true)? {
                return Ok(Some(split));
            }
        }
        Ok(None)
    }
}
