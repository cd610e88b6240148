//! Checks whether a value may be split: every resulting group, for every requirement and every set
//! of columns that the requirement is about.

use rayon::prelude::*;
use sfumato_core::group::{Summary, Tally};
use sfumato_core::traits::{Requirement, Scope, Task};
use sfumato_core::{Error, FastMap, Result};

use super::keys::{Items, by_prefix, same_prefix};
use super::store::{Split, Store};
use super::summaries;
use super::tips::{SubLeaves, Tips};

/// The largest number of sets that are compared pair by pair.
const MOST_COMPARED: usize = 2048;

/// The requirements of a task by the columns that they are about.
pub struct Checks<'a> {
    /// Sets of columns, with the number of rows that each group needs.
    counted: Vec<(Vec<usize>, u64)>,
    /// Sets of columns, with the requirements that each group must satisfy.
    pub(super) asked: Vec<(Vec<usize>, Vec<&'a dyn Requirement>)>,
    pub(super) release: Summary,
    pub(super) tally: Tally<'a>,
    n_columns: usize,
}

impl<'a> Checks<'a> {
    /// The requirements of a task. With a subject column a person may be on both sides of a split,
    /// so that only absorbing models are sure to fail below a group that fails.
    pub fn new(algorithm: &str, task: &Task<'a>) -> Result<Self> {
        let n_columns = task.table.quasi().len();
        let with_subject = task.table.subject.is_some();
        if let Some(failing) = task.requirements.iter().find(|r| with_subject && !r.is_absorbing())
        {
            return Err(Error::unsupported(format!(
                "{algorithm} can't serve {} with a subject column: a person may be on both sides \
                    of a split, and then groups that hold may fail together",
                failing.model()
            ))
            .hint("use a model that only counts people, or no subject column"));
        }
        let mut counted: Vec<(Vec<usize>, u64)> = Vec::new();
        let mut asked: Vec<(Vec<usize>, Vec<&dyn Requirement>)> = Vec::new();
        let mut index: FastMap<Vec<usize>, usize> = FastMap::default();
        for requirement in task.requirements.iter() {
            let sets = largest(subsets(requirement.scope(), n_columns), |_, _| true);
            match requirement.is_count_only() && !with_subject {
                true => counted
                    .extend(sets.into_iter().map(|(set, ())| (set, requirement.min_people()))),
                false => {
                    for (set, ()) in sets {
                        let next = asked.len();
                        let place = *index.entry(set.clone()).or_insert(next);
                        if place == next {
                            asked.push((set, Vec::new()));
                        }
                        asked[place].1.push(requirement);
                    }
                }
            }
        }
        let counted = largest(counted, |small, large| small <= large);
        Ok(Checks { counted, asked, release: task.whole(), tally: task.tally(), n_columns })
    }

    /// The number of rows below which a nonempty part fails, whatever else is published.
    pub fn min_rows(&self, column: usize) -> u64 {
        let counted =
            self.counted.iter().filter(|(set, _)| set.contains(&column)).map(|(_, min)| *min);
        let asked = self.asked.iter().filter(|(set, _)| set.contains(&column));
        let asked = asked.flat_map(|(_, list)| list.iter().map(|r| r.min_people()));
        counted.chain(asked).max().unwrap_or(1)
    }

    /// Whether all groups that result from splitting a value may be published.
    pub fn allow(
        &self,
        (store, tips): (&dyn Store, &Tips),
        n_blocks: &[usize],
        split: Split<'_>,
        sub: &SubLeaves,
    ) -> Result<bool> {
        let Split { column, parts } = split;
        // What doesn't tell records apart changes no group.
        if parts.rows.iter().filter(|rows| **rows > 0).count() <= 1 {
            return Ok(true);
        }
        let others = |set: &[usize]| -> Vec<usize> {
            set.iter().copied().filter(|&other| other != column && n_blocks[other] > 1).collect()
        };
        let counted = self.counted.iter().filter(|(set, _)| set.contains(&column));
        let mut counted =
            largest(counted.map(|(set, min)| (others(set), *min)).collect(), |small, large| {
                small <= large
            });
        let n_active =
            (0..self.n_columns).filter(|&other| other != column && n_blocks[other] > 1).count();
        // All columns together: sub-leaves are the groups.
        if let Some(place) = counted.iter().position(|(set, _)| set.len() == n_active) {
            let (_, min) = counted.swap_remove(place);
            if sub.rows.iter().any(|&rows| u64::from(rows) < min) {
                return Ok(false);
            }
        }
        let asked: Vec<_> = self.asked.iter().filter(|(set, _)| set.contains(&column)).collect();
        let mut needed = vec![false; self.n_columns];
        counted.iter().for_each(|(set, _)| set.iter().for_each(|&column| needed[column] = true));
        asked
            .iter()
            .for_each(|(set, _)| others(set).iter().for_each(|&column| needed[column] = true));
        let columns = gather(tips, &sub.leaf, &needed);
        let items = Items {
            first: Some((&sub.part, parts.rows.len())),
            columns: &columns,
            n_values: n_blocks,
            rows: &sub.rows,
        };
        by_prefix(&mut counted);
        let chunks: Vec<&[(Vec<usize>, u64)]> = counted.chunk_by(same_prefix).collect();
        let small = chunks.par_iter().any(|sets| {
            let columns = sets[0].0.split_last().map_or(&[][..], |(_, rest)| rest);
            let prefix = items.prefix(columns);
            let too_small = |(set, min): &(Vec<usize>, u64)| {
                items
                    .least(&prefix, set.last().copied())
                    .is_some_and(|least| u64::from(least) < *min)
            };
            sets.iter().any(too_small)
        });
        if small {
            return Ok(false);
        }
        let asked: Vec<(Vec<usize>, &[&dyn Requirement])> =
            asked.into_iter().map(|(set, list)| (others(set), list.as_slice())).collect();
        summaries::all_hold(self, (store, tips), split, sub, &items, &asked)
    }
}

/// The sets of columns that a promise is about.
pub fn subsets(scope: Scope, n_columns: usize) -> Vec<(Vec<usize>, ())> {
    let sets = match scope {
        Scope::Class | Scope::Matches => vec![(0..n_columns).collect()],
        Scope::Projection(subsets) => subsets,
        Scope::Earlier | Scope::Population | Scope::Owners => Vec::new(),
    };
    let sorted = |mut set: Vec<usize>| {
        set.sort_unstable();
        set.dedup();
        (set, ())
    };
    sets.into_iter().map(sorted).collect()
}

/// The numbers of some columns for some leaves.
pub fn gather(tips: &Tips, leaves: &[u32], needed: &[bool]) -> Vec<Vec<u32>> {
    needed
        .par_iter()
        .enumerate()
        .map(|(column, needed)| match needed {
            true => leaves.iter().map(|&leaf| tips.blocks(column)[leaf as usize]).collect(),
            false => Vec::new(),
        })
        .collect()
}

/// Remove sets whose columns are all in another set that requires as much: groups that agree on
/// fewer columns are unions of groups that agree on more, and these requirements hold for unions of
/// groups for which they hold.
fn largest<T: Clone>(
    mut sets: Vec<(Vec<usize>, T)>,
    covered: impl Fn(&T, &T) -> bool,
) -> Vec<(Vec<usize>, T)> {
    sets.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let mut kept: Vec<(Vec<usize>, T)> = Vec::new();
    let mut masks: Vec<u128> = Vec::new();
    for (set, what) in sets {
        let mask = set.iter().fold(0u128, |mask, &column| mask | 1 << (column % 128));
        // Masks fold columns above 128 onto others: what they let through is compared in full.
        let within = |place: &usize| {
            let (other, theirs) = &kept[*place];
            mask & !masks[*place] == 0
                && covered(&what, theirs)
                && set.iter().all(|column| other.binary_search(column).is_ok())
        };
        let first = if kept.len() > MOST_COMPARED { kept.len() - 1 } else { 0 };
        if (first..kept.len()).any(|place| within(&place)) {
            continue;
        }
        kept.push((set, what));
        masks.push(mask);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_within_others_are_left_out() {
        let sets = vec![(vec![0], 2), (vec![0, 1], 3), (vec![1], 5), (vec![2], 1), (vec![0, 1], 2)];
        assert_eq!(largest(sets, |a, b| a <= b), [(vec![0, 1], 3), (vec![1], 5), (vec![2], 1)]);
    }
}
