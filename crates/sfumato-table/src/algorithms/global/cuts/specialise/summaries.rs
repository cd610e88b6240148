//! Checks groups whose size doesn't decide: their sensitive values, or their people, are counted
//! and the requirements checked.

use rayon::prelude::*;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::Requirement;
use sfumato_core::{FastMap, Result};

use super::checks::Checks;
use super::keys::Items;
use super::store::{Split, Store, ValueCounts, too_many};
use super::tips::{OUTSIDE, SubLeaves, Tips};

/// The largest number of cells of a counting table without hashing.
const MOST_CELLS: usize = 1 << 22;

/// How often each value of each sensitive column occurs in each sub-leaf.
type Counts = [Option<ValueCounts>];

/// Whether all requirements hold for every group that changes.
pub fn all_hold(
    checks: &Checks<'_>,
    (store, tips): (&dyn Store, &Tips),
    split: Split<'_>,
    sub: &SubLeaves,
    items: &Items<'_>,
    asked: &[(Vec<usize>, &[&dyn Requirement])],
) -> Result<bool> {
    if asked.is_empty() {
        return Ok(true);
    }
    let finder = tips.finder(sub);
    Ok(match checks.tally.subject.is_some() {
        true if !store.knows_rows() => {
            for (set, requirements) in asked {
                let groups = Groups::new(items, sub, set);
                let of_sub: Vec<u32> = groups.changing().collect();
                let people = store.people(split, &finder, &of_sub, groups.n)?;
                let mut people = people.into_iter().zip(&groups.changed);
                // Only models that count people come here: `spill/cuts` refuses all others.
                let holds = |people: u64| requirements.iter().all(|r| people >= r.min_people());
                if !people.all(|(people, changed)| !changed || holds(people)) {
                    return Ok(false);
                }
            }
            true
        }
        true => {
            let rows = store.rows(split, &finder, sub.len())?;
            asked.par_iter().all(|(set, requirements)| {
                let groups = Groups::new(items, sub, set);
                let mut members: Vec<Vec<u32>> = vec![Vec::new(); groups.n];
                for (place, rows) in
                    rows.iter().enumerate().filter(|(place, _)| groups.changes(*place))
                {
                    members[groups.of_sub[place] as usize].extend(rows);
                }
                members.iter().filter(|rows| !rows.is_empty()).all(|rows| {
                    let summary = checks.tally.of_rows(rows);
                    requirements.iter().all(|r| {
                        summary.people >= r.min_people() && r.holds(&summary, &checks.release)
                    })
                })
            })
        }
        false => {
            let counts = store.values(split, &finder, sub.len())?;
            let hold = |groups: &Groups, requirements: &[&dyn Requirement]| {
                groups.summaries(sub, &counts).into_iter().all(|summary| {
                    requirements.iter().all(|r| {
                        summary.people >= r.min_people() && r.holds(&summary, &checks.release)
                    })
                })
            };
            if store.knows_rows() {
                return Ok(asked
                    .par_iter()
                    .all(|(set, requirements)| hold(&Groups::new(items, sub, set), requirements)));
            }
            // One set of columns after the other, so that what must fit doesn't depend on the
            // number of threads.
            for (set, requirements) in asked {
                let groups = Groups::new(items, sub, set);
                if groups.bytes(&counts) > store.room() {
                    return Err(too_many());
                }
                if !hold(&groups, requirements) {
                    return Ok(false);
                }
            }
            true
        }
    })
}

/// Sub-leaves that agree on some columns and the part.
struct Groups {
    of_sub: Vec<u32>,
    n: usize,
    /// Whether each group is smaller than before the value was split.
    changed: Vec<bool>,
}

impl Groups {
    fn new(items: &Items<'_>, sub: &SubLeaves, set: &[usize]) -> Self {
        let whole = Items { first: None, ..*items };
        let parents = whole.prefix(set);
        let mut numbers: FastMap<(u32, u32), u32> = FastMap::default();
        let mut n_parts: Vec<u32> = vec![0; parents.n()];
        let mut parent_of: Vec<u32> = Vec::new();
        let mut of_sub = Vec::with_capacity(sub.len());
        for (&parent, &part) in parents.keys().iter().zip(&sub.part) {
            let next = parent_of.len() as u32;
            let group = *numbers.entry((parent, part)).or_insert(next);
            if group == next {
                parent_of.push(parent);
                n_parts[parent as usize] += 1;
            }
            of_sub.push(group);
        }
        let changed = parent_of.iter().map(|&parent| n_parts[parent as usize] > 1).collect();
        Groups { of_sub, n: parent_of.len(), changed }
    }

    fn changes(&self, sub: usize) -> bool {
        self.changed[self.of_sub[sub] as usize]
    }

    /// The group of each sub-leaf, or `OUTSIDE` if the group doesn't change.
    fn changing(&self) -> impl Iterator<Item = u32> {
        let group = |group: &u32| if self.changed[*group as usize] { *group } else { OUTSIDE };
        self.of_sub.iter().map(group)
    }

    /// The number of bytes that the summaries of the groups take at most while they are made: the
    /// counts that were given, those that are brought into the order of groups, and what becomes
    /// of them.
    fn bytes(&self, counts: &Counts) -> u64 {
        let of_column = |counts: &ValueCounts| {
            let sorted = match self.n.saturating_mul(counts.n_codes) {
                cells if cells <= MOST_CELLS => cells * size_of::<u64>(),
                _ => counts.entries.len() * size_of::<(u32, u32, u64)>(),
            };
            let entry = size_of::<(u32, u32, u32)>() + size_of::<(u32, u64)>();
            (sorted + counts.entries.len() * entry) as u64
        };
        let of_group = size_of::<Summary>() + counts.len() * size_of::<Histogram>();
        counts.iter().flatten().map(of_column).sum::<u64>() + (self.n * of_group) as u64
    }

    /// The summaries of the groups that change.
    fn summaries(&self, sub: &SubLeaves, counts: &Counts) -> Vec<Summary> {
        let mut rows = vec![0u64; self.n];
        for (&group, &n) in self.of_sub.iter().zip(&sub.rows) {
            rows[group as usize] += u64::from(n);
        }
        let mut histograms: Vec<Vec<Histogram>> = vec![Vec::new(); self.n];
        for column in counts {
            match column {
                Some(counts) => self.add_histograms(counts, &mut histograms),
                None => histograms.iter_mut().for_each(|list| list.push(Histogram::default())),
            }
        }
        let groups =
            rows.into_iter().zip(histograms).zip(&self.changed).filter(|(_, changed)| **changed);
        groups.map(|((rows, list), _)| Summary::of_histograms(rows, list)).collect()
    }

    fn add_histograms(&self, counts: &ValueCounts, into: &mut [Vec<Histogram>]) {
        let ValueCounts { entries, n_codes } = counts;
        let n_codes = *n_codes;
        let changing = entries.iter().filter(|(sub, _, _)| self.changes(*sub as usize));
        let keyed =
            changing.map(|&(sub, code, rows)| (self.of_sub[sub as usize], code, u64::from(rows)));
        if self.n.saturating_mul(n_codes) <= MOST_CELLS {
            let mut cells = vec![0u64; self.n * n_codes];
            keyed.for_each(|(group, code, rows)| {
                cells[group as usize * n_codes + code as usize] += rows
            });
            for (list, cells) in into.iter_mut().zip(cells.chunks_exact(n_codes.max(1))) {
                let counts = cells.iter().enumerate().map(|(code, &rows)| (code as u32, rows));
                list.push(Histogram::from_counts(counts));
            }
            return;
        }
        let mut sorted: Vec<(u32, u32, u64)> = keyed.collect();
        sorted.sort_unstable();
        let mut runs = sorted.chunk_by(|a, b| a.0 == b.0).peekable();
        for (group, list) in into.iter_mut().enumerate() {
            let run = runs.next_if(|run| run[0].0 as usize == group).unwrap_or(&[]);
            list.push(Histogram::from_counts(run.iter().map(|&(_, code, rows)| (code, rows))));
        }
    }
}
