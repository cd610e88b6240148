//! Checks groups whose size doesn't decide: their sensitive values, or their people, are counted
//! and the requirements checked.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::Requirement;
use sfumato_core::{FastMap, with_codes};

use super::checks::Checks;
use super::keys::Items;
use super::points::Points;
use super::refinement::Parts;
use super::tips::{OUTSIDE, SubLeaves, Tips};

/// The largest number of cells of a counting table without hashing.
const MOST_CELLS: usize = 1 << 22;

/// How often each sensitive value occurs in each sub-leaf: `(sub-leaf, code, rows)` for each
/// sensitive column.
type Counts = Vec<Option<(Vec<(u32, u32, u32)>, usize)>>;

/// Whether all requirements hold for every group that changes.
#[expect(
    clippy::too_many_arguments,
    reason = "the state of the search, which one struct would only wrap"
)]
pub fn all_hold(
    checks: &Checks<'_>,
    points: &Points<'_>,
    tips: &Tips,
    column: usize,
    parts: &Parts,
    sub: &SubLeaves,
    items: &Items<'_>,
    asked: &[(Vec<usize>, &[&dyn Requirement])],
) -> bool {
    if asked.is_empty() {
        return true;
    }
    match checks.tally.subject.is_some() {
        true => {
            let rows = rows_of(points, tips, column, parts, sub);
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
            let counts = counts(points, tips, column, parts, sub);
            asked.par_iter().all(|(set, requirements)| {
                let groups = Groups::new(items, sub, set);
                groups.summaries(sub, &counts).into_iter().all(|summary| {
                    requirements.iter().all(|r| {
                        summary.people >= r.min_people() && r.holds(&summary, &checks.release)
                    })
                })
            })
        }
    }
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

    /// The summaries of the groups that change.
    fn summaries(&self, sub: &SubLeaves, counts: &Counts) -> Vec<Summary> {
        let mut rows = vec![0u64; self.n];
        for (&group, &n) in self.of_sub.iter().zip(&sub.rows) {
            rows[group as usize] += u64::from(n);
        }
        let mut histograms: Vec<Vec<Histogram>> = vec![Vec::new(); self.n];
        for column in counts {
            match column {
                Some((entries, n_codes)) => self.add_histograms(entries, *n_codes, &mut histograms),
                None => histograms.iter_mut().for_each(|list| list.push(Histogram::default())),
            }
        }
        let groups =
            rows.into_iter().zip(histograms).zip(&self.changed).filter(|(_, changed)| **changed);
        groups.map(|((rows, list), _)| Summary::of_histograms(rows, list)).collect()
    }

    fn add_histograms(
        &self,
        entries: &[(u32, u32, u32)],
        n_codes: usize,
        into: &mut [Vec<Histogram>],
    ) {
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

/// Count the sensitive values of each sub-leaf.
fn counts(
    points: &Points<'_>,
    tips: &Tips,
    column: usize,
    parts: &Parts,
    sub: &SubLeaves,
) -> Counts {
    let place = places(points, tips, column, parts, sub);
    let count = |(codes, n_codes): &(std::borrow::Cow<'_, sfumato_core::column::Codes>, usize)| {
        let mut entries = Vec::new();
        let inside = place.iter().enumerate().filter(|(_, place)| **place != OUTSIDE);
        with_codes!(codes.as_ref(), codes => {
            if sub.len().saturating_mul(*n_codes) <= MOST_CELLS {
                let mut cells = vec![0u32; sub.len() * n_codes];
                for (point, &place) in inside {
                    cells[place as usize * n_codes
                        + codes[point].widen() as usize] += points.weight(point);
                }
                for (sub, cells) in cells.chunks_exact((*n_codes).max(1)).enumerate() {
                    let some = cells.iter().enumerate().filter(|(_, rows)| **rows > 0);
                    entries.extend(some.map(|(code, &rows)| (sub as u32, code as u32, rows)));
                }
            } else {
                entries = inside.map(|(point, &place)| (place, codes[point].widen(),
                    points.weight(point))).collect();
                entries.sort_unstable();
                entries.dedup_by(|b, a| {
                    let same = (a.0, a.1) == (b.0, b.1);
                    a.2 += if same { b.2 } else { 0 };
                    same
                });
            }
        });
        (entries, *n_codes)
    };
    points.sensitive.iter().map(|column| column.as_ref().map(count)).collect()
}

/// The sub-leaf of each point, or `OUTSIDE`.
fn places(
    points: &Points<'_>,
    tips: &Tips,
    column: usize,
    parts: &Parts,
    sub: &SubLeaves,
) -> Vec<u32> {
    let finder = tips.finder(sub);
    let codes = points.quasi[column].as_ref();
    with_codes!(codes, codes => codes
        .par_iter()
        .zip(tips.leaf_of_point())
        .map(|(code, &leaf)| match parts.of_code[code.widen() as usize] {
            OUTSIDE => OUTSIDE,
            part => finder.place(leaf, part) as u32,
        })
        .collect())
}

/// The rows of each sub-leaf, if every row is a point.
fn rows_of(
    points: &Points<'_>,
    tips: &Tips,
    column: usize,
    parts: &Parts,
    sub: &SubLeaves,
) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); sub.len()];
    for (row, &place) in places(points, tips, column, parts, sub).iter().enumerate() {
        if place != OUTSIDE {
            rows[place as usize].push(row as u32);
        }
    }
    rows
}
