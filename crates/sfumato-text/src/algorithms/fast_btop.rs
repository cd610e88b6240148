//! Fast-BTop: terms are taken out one at a time until what stays is safe.

use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};

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

For each term that goes, one look at all sets of terms that entities have, for each protected \
entity that isn't safe. Documents are independent,
and all cores work on them.
",
    capabilities: CAPABILITIES,
    ..Info::DEFAULT
};

/// What taking out each term is worth: new covers, and how many of the nearest others lack it.
fn worth(problem: &Problem, kept: &Bits) -> Vec<(u64, u64)> {
    let mut worth = vec![(0, 0); problem.terms];
    let mut single = vec![0u64; problem.terms];
    let enough = problem.k.saturating_add(1);
    for one in &problem.largest {
        let said = one.and(kept);
        let have = problem.having(&said, enough);
        if have >= enough {
            continue;
        }
        // How many terms each entity lacks.
        let mut lacking = vec![0u64; said.len() + 1];
        for (row, count) in &problem.rows {
            lacking[said.len() - said.shared(row)] += count;
        }
        let mut seen = 0;
        let nearest = lacking.iter().position(|count| {
            seen += count;
            seen >= enough
        });
        let nearest = nearest.unwrap_or(said.len());
        for (row, count) in &problem.rows {
            let n_lacking = said.len() - said.shared(row);
            if n_lacking == 0 || n_lacking > nearest {
                continue;
            }
            for term in said.without(row).iter() {
                single[term] += if n_lacking == 1 { *count } else { 0 };
                worth[term].1 += count;
            }
        }
        for term in said.iter() {
            worth[term].0 += std::mem::take(&mut single[term]).min(enough - have);
        }
    }
    worth
}

impl TermAlgorithm for FastBTop {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn keep(&self, problem: &Problem) -> Result<Bits> {
        let mut kept = Bits::full(problem.terms);
        let mut gone = Vec::new();
        while !problem.is_safe(&kept) {
            let worth = worth(problem, &kept);
            // Of equals the first.
            let best = kept.iter().max_by_key(|term| (worth[*term], std::cmp::Reverse(*term)));
            let best =
                best.ok_or_else(|| Error::internal("no term is left, and it isn't safe yet"))?;
            kept.remove(best);
            gone.push(best);
        }
        for term in gone.into_iter().rev() {
            kept.insert(term);
            if !problem.is_safe(&kept) {
                kept.remove(term);
            }
        }
        Ok(kept)
    }
}
