//! Levelwise: all safe sets of one term, of two, and so on, each from those before.

use sfumato_core::registry::Info;
use sfumato_core::{Error, FastSet, Result};

use super::bits::Bits;
use super::problem::Problem;
use super::{CAPABILITIES, TermAlgorithm};
use crate::models::k_safety::ERASE;

/// The algorithm `levelwise`, an entry of the registry.
pub struct Levelwise;

static INFO: Info = Info {
    name: "levelwise",
    summary: "finds a largest safe set of terms by listing all safe sets, smaller ones first",
    papers: &[ERASE],
    doc: "\
Every subset of a safe set of terms is safe. So a set of r + 1 terms is looked at only if all its \
subsets of r terms are safe, and the last
level that has any set holds the largest safe sets. Of these the first is taken.

## Cost

Exponential in the number of terms that a document has of the contexts of protected entities: a \
safe set of 30 terms has a thousand million
subsets. It ends with exit code 4 after two million sets. `best-first` finds a set of the same \
size and looks at far fewer.
",
    capabilities: CAPABILITIES,
    ..Info::DEFAULT
};

/// How many sets are looked at before giving up.
const MOST: usize = 2_000_000;

/// All safe sets by their size, from 0, each set and each level in order.
pub fn levels(problem: &Problem) -> Result<Vec<Vec<Vec<u32>>>> {
    let is_safe = |set: &Vec<u32>| {
        let mut terms = Bits::empty(problem.terms);
        set.iter().for_each(|term| terms.insert(*term as usize));
        problem.is_safe(&terms)
    };
    let mut looked_at = 0;
    let mut levels = vec![vec![Vec::new()]];
    let mut level: Vec<Vec<u32>> =
        (0..problem.terms as u32).map(|term| vec![term]).filter(is_safe).collect();
    while !level.is_empty() {
        let known: FastSet<&[u32]> = level.iter().map(Vec::as_slice).collect();
        let mut next = Vec::new();
        for (at, one) in level.iter().enumerate() {
            let (last, before) = one.split_last().expect("sets of this level have a term");
            // Sets that differ in their last term only stand side by side.
            for other in level[at + 1..].iter().take_while(|other| other.starts_with(before)) {
                let mut joined = one.clone();
                joined.extend(other.last());
                looked_at += 1;
                if looked_at > MOST {
                    return Err(Error::resources(format!(
                        "levelwise looked at {MOST} sets of terms of a document and isn't done"
                    ))
                    .hint("take --algorithm fast-btop, or best-first"));
                }
                debug_assert!(last < joined.last().expect("a set has a term"));
                let all_known = (0..joined.len()).all(|left_out| {
                    let mut part = joined.clone();
                    part.remove(left_out);
                    known.contains(part.as_slice())
                });
                if all_known && is_safe(&joined) {
                    next.push(joined);
                }
            }
        }
        drop(known);
        levels.push(std::mem::replace(&mut level, next));
    }
    Ok(levels)
}

impl TermAlgorithm for Levelwise {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn keep(&self, problem: &Problem) -> Result<Bits> {
        let levels = levels(problem)?;
        let mut kept = Bits::empty(problem.terms);
        let best = levels.last().and_then(|level| level.first());
        best.into_iter().flatten().for_each(|term| kept.insert(*term as usize));
        Ok(kept)
    }
}
