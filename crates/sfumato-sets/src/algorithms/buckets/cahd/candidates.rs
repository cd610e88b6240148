//! Finds candidates for the group of a record: the nearest records on both sides that share no
//! sensitive item with it or with each other.

use super::super::facts::Facts;
use super::remaining::{END, Remaining};

/// Finds candidates, with buffers that are reused from record to record.
pub struct Candidates<'a> {
    facts: &'a Facts,
    /// How many candidates are wanted on each side.
    wanted: usize,
    /// The last search in which each sensitive item was in use.
    used: Vec<u32>,
    search: u32,
    found: Vec<Candidate>,
    far: Vec<Candidate>,
}

/// A candidate. Candidates are ordered by distance, and of equal ones the record before comes
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// How many positions away.
    pub distance: u32,
    /// Whether it stands after the record.
    pub behind: bool,
    /// Its position in the order.
    pub position: u32,
}

impl<'a> Candidates<'a> {
    /// A search for at most `wanted` candidates on each side.
    pub fn new(facts: &'a Facts, wanted: usize) -> Self {
        let used = vec![0; facts.counts().len()];
        Candidates { facts, wanted, used, search: 0, found: Vec::new(), far: Vec::new() }
    }

    /// The candidates of a position, the nearest first. Positions must be asked for in ascending
    /// order.
    pub fn find(
        &mut self,
        remaining: &mut Remaining,
        position: u32,
        set: u32,
    ) -> &mut Vec<Candidate> {
        self.found.clear();
        self.search += 1;
        self.mark(set);
        // The number of conflicting records that are skipped one by one before the lists of the
        // sets are used, which takes as long.
        let mut patience = self.facts.n_sets() + 2 * self.wanted;
        let (mut before, mut behind) = (remaining.previous(position), remaining.next(position));
        let mut missing = [self.wanted; 2];
        loop {
            // A side without records, or with enough of them, is as far as can be.
            let left = if before == END || missing[0] == 0 { END } else { position - before };
            let right = if behind == END || missing[1] == 0 { END } else { behind - position };
            if left == END && right == END {
                break;
            }
            let is_behind = right < left;
            let at = if is_behind { behind } else { before };
            let set = remaining.set(at).unwrap_or(0);
            if self.is_free(set) {
                self.mark(set);
                self.found.push(Candidate {
                    distance: left.min(right),
                    behind: is_behind,
                    position: at,
                });
                missing[usize::from(is_behind)] -= 1;
            } else if patience == 0 {
                self.find_far(remaining, position, missing);
                break;
            } else {
                patience -= 1;
            }
            match is_behind {
                true => behind = remaining.next(at),
                false => before = remaining.previous(at),
            }
        }
        &mut self.found
    }

    /// Continue with the lists of the sets. Of a set with sensitive items only the nearest record
    /// on each side can be a candidate: two records with the same set conflict, and if the nearest
    /// conflicts with a nearer candidate, so do the others.
    fn find_far(&mut self, remaining: &mut Remaining, position: u32, mut missing: [usize; 2]) {
        let mut far = std::mem::take(&mut self.far);
        far.clear();
        let before = |at: u32| Candidate { distance: position - at, behind: false, position: at };
        let behind = |at: u32| Candidate { distance: at - position, behind: true, position: at };
        for set in 1..self.facts.n_sets() as u32 {
            if self.is_free(set) {
                let (left, right) = remaining.around(position, set);
                far.extend((left != END).then(|| before(left)));
                far.extend((right != END).then(|| behind(right)));
            }
        }
        // Of those without sensitive items, as many as are wanted; the nearest of them were found
        // already.
        let (mut left, mut right) = remaining.around(position, 0);
        let last = self.found.last().copied();
        let is_new = |candidate: &Candidate| last.is_none_or(|last| *candidate > last);
        for _ in 0..self.wanted {
            if left != END {
                far.extend(Some(before(left)).filter(is_new));
                left = remaining.previous_alike(left);
            }
            if right != END {
                far.extend(Some(behind(right)).filter(is_new));
                right = remaining.next_alike(right);
            }
        }
        far.sort_unstable();
        for candidate in &far {
            let missing = &mut missing[usize::from(candidate.behind)];
            let set = remaining.set(candidate.position).unwrap_or(0);
            if *missing > 0 && self.is_free(set) {
                self.mark(set);
                self.found.push(*candidate);
                *missing -= 1;
            }
        }
        self.far = far;
    }

    fn is_free(&self, set: u32) -> bool {
        self.facts.set(set).iter().all(|item| self.used[*item as usize] != self.search)
    }
    fn mark(&mut self, set: u32) {
        self.facts.set(set).iter().for_each(|item| self.used[*item as usize] = self.search);
    }
}
