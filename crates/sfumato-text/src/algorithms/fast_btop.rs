//! Fast-BTop: terms are taken out one at a time until what stays is safe.

use std::cmp::Reverse;

use sfumato_core::registry::Info;
use sfumato_core::{Error, FastMap, Result};

use super::bits::Bits;
use super::problem::Problem;
use super::{CAPABILITIES, TermAlgorithm};
use crate::models::k_safety::ERASE;

/// The algorithm `fast-btop`, an entry of the registry.
pub struct FastBTop;

static INFO: Info = Info {
    name: "fast-btop",
    summary: "takes terms out one at a time, those that help most first, and puts back what it can",
    papers: &[ERASE],
    doc: "\
While some protected entity is covered by fewer than K others, the term goes that gives these \
entities most new covers, counted up to K for each.
Of equals the one goes that most of the nearest others lack: those that lack no more terms than \
the K-th best cover does. Entities of which a
document says less than of another aren't looked at: they are safe when that one is.

Then the terms that were taken out are tried again, the last first, and stay where that is safe: \
no further term could be kept beside what is kept.

The paper names several ways to estimate progress without saying them in full; this is one.

## Cost

For each term that goes, one look at the entities that share one of the rarest terms, for each \
protected entity that isn't safe and of which the term
was said. Documents are independent, and all cores work on them.
",
    capabilities: CAPABILITIES,
    ..Info::DEFAULT
};

/// What taking a term out is worth: new covers, and how many of the nearest others lack it.
type Worth = (u64, u64);

/// What an entity of which so much is said gains from each term that goes. None if it is safe.
///
/// Rows are looked at by the terms that they have, the rarest first: a row that has none of the
/// first i terms lacks at least i, so that the nearest are found without looking at all of them.
fn gains(problem: &Problem, said: &Bits) -> Option<Vec<(usize, Worth)>> {
    if said.is_empty() {
        return None;
    }
    let enough = problem.k.saturating_add(1);
    let mut order: Vec<usize> = said.iter().collect();
    order.sort_by_key(|term| problem.n_rows_with(*term));
    let n = order.len();
    // How many entities lack so many terms, and for each number and term how many lack that one.
    let mut lacking = vec![0u64; n + 1];
    let mut lack = vec![0u64; (n + 1) * problem.terms];
    let mut looked_at = Bits::empty(problem.terms);
    for (step, term) in order.iter().enumerate() {
        for (row, count) in problem.rows_with(*term).filter(|(row, _)| !row.meets(&looked_at)) {
            let missing = said.without(row);
            let n_missing = missing.len();
            lacking[n_missing] += count;
            if n_missing == 0 && lacking[0] >= enough {
                return None;
            }
            missing.iter().for_each(|term| lack[n_missing * problem.terms + term] += count);
        }
        looked_at.insert(*term);
        if step > 0 && lacking[..=step].iter().sum::<u64>() >= enough {
            break;
        }
    }
    if looked_at == *said {
        // All others have none of the terms.
        let others = problem.entities - lacking.iter().sum::<u64>();
        lacking[n] += others;
        order.iter().for_each(|term| lack[n * problem.terms + term] += others);
    }
    let mut seen = 0;
    let nearest = lacking.iter().position(|count| {
        seen += count;
        seen >= enough
    });
    let nearest = nearest.unwrap_or(n);
    let worth = |term: usize| {
        let of = |n_missing: usize| lack[n_missing * problem.terms + term];
        (of(1).min(enough - lacking[0]), (1..=nearest).map(of).sum())
    };
    Some(order.into_iter().map(|term| (term, worth(term))).collect())
}

/// Protected entities that aren't safe yet, by what is said of them, and what each term is worth.
struct Unsafe<'a> {
    problem: &'a Problem,
    /// How many of the largest sets came to each of these, and their gains.
    sets: FastMap<Bits, (u64, Vec<(usize, Worth)>)>,
    worth: Vec<Worth>,
}

impl Unsafe<'_> {
    /// Look at a set that so many of the largest sets came to.
    fn add(&mut self, said: Bits, times: u64) {
        let gains = match self.sets.get_mut(&said) {
            Some((known, gains)) => {
                *known += times;
                gains.clone()
            }
            None => match gains(self.problem, &said) {
                Some(gains) => self.sets.entry(said).or_insert((times, gains)).1.clone(),
                None => return,
            },
        };
        for (term, (covers, lack)) in gains {
            self.worth[term].0 += covers * times;
            self.worth[term].1 += lack * times;
        }
    }

    /// Take a term out of all of them.
    fn remove(&mut self, term: usize) {
        let speaking: Vec<Bits> = self.sets.keys().filter(|said| said.has(term)).cloned().collect();
        for mut said in speaking {
            let Some((times, gains)) = self.sets.remove(&said) else { continue };
            for (term, (covers, lack)) in gains {
                self.worth[term].0 -= covers * times;
                self.worth[term].1 -= lack * times;
            }
            said.remove(term);
            self.add(said, times);
        }
    }
}

impl TermAlgorithm for FastBTop {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn keep(&self, problem: &Problem) -> Result<Bits> {
        let mut kept = Bits::full(problem.terms);
        let mut gone = Vec::new();
        let worth = vec![(0, 0); problem.terms];
        let mut open = Unsafe { problem, sets: FastMap::default(), worth };
        problem.largest.iter().for_each(|said| open.add(said.clone(), 1));
        while !open.sets.is_empty() {
            // Of equals the first.
            let best = kept.iter().max_by_key(|term| (open.worth[*term], Reverse(*term)));
            let best =
                best.ok_or_else(|| Error::internal("no term is left, and it isn't safe yet"))?;
            kept.remove(best);
            open.remove(best);
            gone.push(best);
        }
        for term in gone.into_iter().rev() {
            kept.insert(term);
            if !problem.is_still_safe(&kept, term) {
                kept.remove(term);
            }
        }
        Ok(kept)
    }
}
