//! Which step to leave out next: the one that removes most violating sequences for each frequent
//! one that is lost.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::data::sequences::PrefixTree;

/// A step with its score: violating sequences removed, over one more than frequent ones lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scored {
    gain: u64,
    loss: u64,
    /// How many steps of all paths it is: of equal scores the one that costs less.
    occurrences: u64,
    step: u32,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |gain: u64, loss: u64| u128::from(gain) * (u128::from(loss) + 1);
        product(self.gain, other.loss)
            .cmp(&product(other.gain, self.loss))
            .then(other.occurrences.cmp(&self.occurrences))
            .then(Reverse(self.step).cmp(&Reverse(other.step)))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The scores of all steps (the table of PrivGain and UtilityLoss).
pub struct Scores {
    violating: PrefixTree,
    frequent: PrefixTree,
    occurrences: Vec<u64>,
    best: BinaryHeap<Scored>,
}

impl Scores {
    /// The scores of steps in these trees.
    pub fn new(violating: PrefixTree, frequent: PrefixTree, occurrences: Vec<u64>) -> Self {
        let mut scores = Scores { violating, frequent, occurrences, best: BinaryHeap::new() };
        (0..scores.occurrences.len() as u32).for_each(|step| scores.note(step));
        scores
    }

    fn scored(&self, step: u32) -> Scored {
        Scored {
            gain: self.violating.having(step),
            loss: self.frequent.having(step),
            occurrences: self.occurrences[step as usize],
            step,
        }
    }

    fn note(&mut self, step: u32) {
        let scored = self.scored(step);
        if scored.gain > 0 {
            self.best.push(scored);
        }
    }

    /// Take the step with the best score, and forget all sequences that have it. `None` if no
    /// violating sequence is left.
    pub fn take(&mut self) -> Option<u32> {
        let best = loop {
            let best = self.best.pop()?;
            // What was noted before its score changed isn't the best any more.
            if best == self.scored(best.step) && best.gain > 0 {
                break best.step;
            }
        };
        let mut touched = self.violating.forget(best);
        touched.extend(self.frequent.forget(best));
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().filter(|step| *step != best).for_each(|step| self.note(step));
        Some(best)
    }
}
