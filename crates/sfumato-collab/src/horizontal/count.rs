//! What a holder counts in its own rows when it is asked, and adds to a sum that only the leading
//! holder learns.

use sfumato_core::{Error, Result};

use super::LEADER;
use super::boxes::Space;
use super::numbers::{Numbers, Sensitive};
use crate::protocol::Wire;
use crate::protocol::message::{Question, Threshold};
use crate::secure::sums::Sums;

/// A holder's rows with the box of each.
pub struct Counting {
    /// The rows.
    pub own: Numbers,
    /// The box of each row.
    pub region_of: Vec<u32>,
    /// The rows of each box.
    pub rows_of: Vec<Vec<u32>>,
    /// What boxes there are.
    pub space: Space,
    sums: Sums,
    /// The halves that were tried last: own rows of each.
    tried: Vec<[u64; 2]>,
}

/// What the leading holder learns.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Whether any row is there.
    Any(Vec<bool>),
    /// Numbers.
    Sums(Vec<u64>),
}

impl Counting {
    /// All rows in one box.
    pub fn new(own: Numbers, sums: Sums) -> Self {
        let n = own.n_rows;
        let everything = own
            .quasi
            .iter()
            .map(|quasi| match &quasi.leaves {
                Some(leaves) => (0, leaves.len() as i64 - 1),
                None => (-super::numbers::BOUND, super::numbers::BOUND),
            })
            .collect();
        Counting {
            own,
            region_of: vec![0; n],
            rows_of: vec![(0..n as u32).collect()],
            space: Space::new(everything),
            sums,
            tried: Vec::new(),
        }
    }

    /// How many numbers a tried half has: rows, holders, and sensitive values.
    pub fn width(&self) -> usize {
        2 + self.counted().map(|column| column.values.len()).sum::<usize>()
    }

    /// The columns whose values are counted, the target last.
    fn counted(&self) -> impl Iterator<Item = &Sensitive> {
        self.own.sensitive.iter().chain(&self.own.target)
    }

    /// Refuse questions about boxes that don't follow from approved splits: differences of such
    /// answers would single out rows.
    fn check(&self, at: &[Threshold]) -> Result<()> {
        match at.iter().all(|at| self.space.has(at)) {
            true => Ok(()),
            false => Err(Error::unsupported(
                "the leading holder asks about a box that doesn't follow from approved splits",
            )
            .hint("nothing was released; the leading holder doesn't keep to the rules")),
        }
    }

    fn below(&self, at: &Threshold) -> usize {
        let numbers = &self.own.quasi[at.column as usize].of_row;
        let rows = &self.rows_of[at.region as usize];
        rows.iter().filter(|row| numbers[**row as usize] <= at.at).count()
    }

    /// Count, and add to the sum. Only the leading holder is answered.
    pub fn answer(
        &mut self,
        wire: &mut dyn Wire,
        question: &Question,
        k: u64,
    ) -> Result<Option<Answer>> {
        match question {
            Question::Reach { at, below, .. } => {
                self.check(at)?;
                let any = |at: &Threshold| {
                    let n = self.below(at);
                    if *below { n > 0 } else { n < self.rows_of[at.region as usize].len() }
                };
                let says: Vec<bool> = at.iter().map(any).collect();
                Ok(self.sums.any(wire, LEADER, &says)?.map(Answer::Any))
            }
            Question::Count { at, .. } => {
                self.check(at)?;
                let counts: Vec<u64> = at.iter().map(|at| self.below(at) as u64).collect();
                Ok(self.sums.add(wire, LEADER, &counts)?.map(Answer::Sums))
            }
            Question::Try { at, .. } => {
                self.check(at)?;
                self.tried.clear();
                let mut counts = Vec::with_capacity(at.len() * 2 * self.width());
                for at in at {
                    let halves = self.halves(at);
                    self.tried.push([halves[0].len() as u64, halves[1].len() as u64]);
                    halves.iter().for_each(|rows| counts.extend(self.profile(rows)));
                }
                Ok(self.sums.add(wire, LEADER, &counts)?.map(Answer::Sums))
            }
            Question::Insider { totals, .. } => {
                let says: Vec<bool> = match totals.len() == self.tried.len() {
                    // The last question of all is about the boxes themselves.
                    true => totals
                        .iter()
                        .zip(&self.tried)
                        .map(|(all, own)| (0..2).any(|half| is_exposed(all[half], own[half], k)))
                        .collect(),
                    false => {
                        return Err(Error::input("a question is about splits that nobody tried"));
                    }
                };
                Ok(self.sums.any(wire, LEADER, &says)?.map(Answer::Any))
            }
        }
    }

    /// Take every box as a half that was tried, for the question about insiders in the end.
    pub fn try_boxes(&mut self) {
        self.tried = self.rows_of.iter().map(|rows| [rows.len() as u64, 0]).collect();
    }

    fn halves(&self, at: &Threshold) -> [Vec<u32>; 2] {
        let numbers = &self.own.quasi[at.column as usize].of_row;
        let rows = self.rows_of[at.region as usize].iter().copied();
        let (left, right) = rows.partition(|row| numbers[*row as usize] <= at.at);
        [left, right]
    }

    /// Rows, whether there are any, and how often each sensitive value occurs.
    fn profile(&self, rows: &[u32]) -> Vec<u64> {
        let mut counts = vec![rows.len() as u64, u64::from(!rows.is_empty())];
        for column in self.counted() {
            let at = counts.len();
            counts.resize(at + column.values.len(), 0);
            rows.iter().for_each(|row| counts[at + column.of_row[*row as usize] as usize] += 1);
        }
        counts
    }

    /// Split boxes.
    pub fn split(&mut self, at: &[Threshold]) -> Result<()> {
        self.check(at)?;
        for at in at {
            let [left, right] = self.halves(at);
            let next = self.rows_of.len() as u32;
            right.iter().for_each(|row| self.region_of[*row as usize] = next);
            self.rows_of[at.region as usize] = left;
            self.rows_of.push(right);
        }
        self.space.split(at);
        Ok(())
    }
}

/// Whether a holder that takes its own rows out of a class sees rows of others, and too few.
pub fn is_exposed(all: u64, own: u64, k: u64) -> bool {
    let others = all.saturating_sub(own);
    others > 0 && others < k
}
