//! Children that can't be published by themselves, at a node whose rows aren't in memory: they stay
//! together, with records that are lent to them.

use std::cmp::Reverse;

use sfumato_core::group::{Histogram, Summary};

use super::above::Words;
use super::decide::{Decided, Decision, Halt};
use super::facts::{Lendable, Pool, Question};
use super::local::Local;
use super::node::{SplitPart, WordSplit};
use super::rules::Judge;
use crate::algorithms::local::mondrian::leftover::{Leftovers, POOL, PULLED, nearest};

impl Decision<'_> {
    /// Turn a judged split into children into one whose last part stays at the parent. `None` if no
    /// part could leave.
    pub fn keep_leftovers(
        &self,
        mut split: WordSplit,
        parent: Words,
    ) -> Decided<Option<WordSplit>> {
        let min = self.rules.min_rows;
        if !split.parts.iter().any(|part| part.holds) {
            return Ok(None);
        }
        let mut rows = split.dropped();
        if self.rules.settings.leftovers == Leftovers::Lend
            && rows < min
            && let Some(kept) = self.lend(&split, parent)?
        {
            return Ok(Some(kept));
        }
        for _ in 0..=PULLED {
            if rows >= min && self.stay_holds(&split, parent)? {
                let any_leaves = split.parts.iter().any(|part| part.holds);
                return Ok(any_leaves.then(|| split.keep(parent, Vec::new())));
            }
            let smallest =
                split.parts.iter_mut().filter(|part| part.holds).min_by_key(|part| part.rows);
            let Some(smallest) = smallest else { return Ok(None) };
            smallest.holds = false;
            rows += smallest.rows;
        }
        Ok(None)
    }

    /// Whether the parts that don't hold may be published together.
    fn stay_holds(&self, split: &WordSplit, parent: Words) -> Decided<bool> {
        if self.rules.judge == Judge::Rows {
            return Ok(true);
        }
        if self.rules.subject.is_some() {
            let groups = self.people(&split.keep(parent, Vec::new()))?;
            return Ok(groups.last().is_some_and(|group| self.holds(group)));
        }
        let staying = split.parts.iter().filter(|part| !part.holds);
        Ok(self.holds(&self.summary(split.column, staying)))
    }

    /// Take records from the largest child for the rows that stay, which are too few.
    fn lend(&self, split: &WordSplit, parent: Words) -> Decided<Option<WordSplit>> {
        let min = self.rules.min_rows;
        let needed = min - split.dropped();
        let leaving = split.parts.iter().filter(|part| part.holds);
        let Some(lender) =
            leaving.max_by_key(|part| (part.rows, Reverse(part.region.min))).copied()
        else {
            return Ok(None);
        };
        if lender.rows < min + needed {
            return Ok(None);
        }
        let wanted = lender.rows.min(POOL.max(needed));
        let fork = split.keep(parent, Vec::new()).fork(self.rules);
        let pool = Pool { fork, lender: lender.region, rows: lender.rows, wanted };
        let Some(found) = self.facts.pool(&pool) else {
            return Err(Halt::Ask(vec![Question::Pool(pool)]));
        };
        let mut lent = self.nearest(found, needed)?;
        lent.sort_unstable();
        let mut kept = split.keep(parent, lent.clone());
        if let Some(part) = kept.parts.iter_mut().find(|part| part.region == lender.region) {
            part.rows -= lent.len();
        }
        let holds = match (self.rules.judge, self.rules.subject) {
            (Judge::Rows, _) => true,
            (_, Some(_)) => {
                let groups = self.people(&kept)?;
                let parts = kept.parts.iter().enumerate();
                let mut asked = parts
                    .filter(|(i, part)| i + 1 == kept.parts.len() || part.region == lender.region);
                asked.all(|(i, _)| self.holds(&groups[i]))
            }
            _ => self.both_hold(split, &lender, found, &lent),
        };
        Ok(holds.then_some(kept))
    }

    /// Whether the rows that stay with the lent records, and the lender without them, may be
    /// published.
    fn both_hold(
        &self,
        split: &WordSplit,
        lender: &SplitPart,
        found: &Lendable,
        lent: &[u32],
    ) -> bool {
        let staying = self.summary(split.column, split.parts.iter().filter(|part| !part.holds));
        let lending = self.summary(split.column, std::iter::once(lender));
        let is_lent: Vec<bool> =
            found.places.iter().map(|place| lent.binary_search(place).is_ok()).collect();
        let mut codes = found.sensitive.iter();
        let histograms =
            self.rules.sensitive.iter().map(|column| match column.and_then(|_| codes.next()) {
                Some(codes) => {
                    let lent = codes.iter().zip(&is_lent).filter(|(_, is_lent)| **is_lent);
                    Histogram::from_counts(lent.map(|(code, _)| (*code, 1)))
                }
                None => Histogram::default(),
            });
        let moved = Summary::of_histograms(lent.len() as u64, histograms.collect());
        let mut all = staying;
        all.merge(&moved);
        self.holds(&all) && lending.subtract(&moved).is_some_and(|remain| self.holds(&remain))
    }

    /// The records of a pool that widen the region of those that stay least.
    fn nearest(&self, found: &Lendable, wanted: usize) -> Decided<Vec<u32>> {
        let words = found.words.iter().zip(&found.span).map(|(words, span)| {
            let mut words = words.clone();
            words.extend([span.min, span.max]);
            words
        });
        let local = Local::new(self.rules, words);
        let column = |&column: &usize| {
            let codes = found.words[column].iter().map(|word| local.code(column, *word)).collect();
            (column, local.bounds(column, found.span[column]), codes)
        };
        let lent = local.look(|_, prices| {
            nearest(prices, self.live.iter().map(column), &found.places, wanted)
        })?;
        Ok(lent)
    }
}
