//! The one door through which cuts leave: rows are grouped, what may not be published is suppressed within the limit, and what
//! leaves satisfies every requirement against the release that is really published, or is an error.

use rayon::prelude::*;
use sfumato_core::group::Summary;
use sfumato_core::recoding::{Cut, Cuts, Finding, SUPPRESSED};
use sfumato_core::traits::{Requirement, Scope, Task};
use sfumato_core::{Error, Result};

use super::groups::Groups;
use super::keys::{Items, by_prefix, same_prefix};
use super::projection::project;
use crate::table::shared::infeasible::infeasible;

/// What came of cuts: which groups stay, and how many rows are lost.
pub struct Verdict {
    /// Whether each group is published.
    pub kept: Vec<bool>,
    /// Rows of the groups that aren't.
    pub suppressed: u64,
}

/// Make a recoding of cuts. Groups that fail are suppressed; an error if they are more than allowed.
pub fn publish(task: &Task<'_>, cuts: Vec<Cut>, findings: Vec<Finding>) -> Result<Cuts> {
    let quasi = task.table.quasi();
    let groups = Groups::new(&quasi, &cuts, task.table.n_rows);
    let verdict = judge(task, &cuts, &groups);
    if verdict.suppressed > task.max_suppressed || (verdict.suppressed > 0 && !verdict.kept.contains(&true)) {
        return Err(infeasible(task));
    }
    let mut class_of_group = vec![SUPPRESSED; groups.len()];
    let mut of_class: Vec<Vec<u32>> = vec![Vec::new(); cuts.len()];
    let kept = (0..groups.len()).filter(|&group| verdict.kept[group]);
    for (class, group) in kept.enumerate() {
        class_of_group[group] = class as u32;
        for ((column, cut), of_class) in quasi.iter().zip(&cuts).zip(&mut of_class) {
            of_class.push(cut.of_code()[column.codes.get(groups.example[group] as usize) as usize]);
        }
    }
    let class_of_row = groups.of_row.iter().map(|&group| class_of_group[group as usize]).collect();
    Ok(Cuts::new(cuts, of_class, class_of_row)?.with_findings(findings))
}

/// Which groups may be published. Those that may not are taken out until what stays holds against itself: what is taken out
/// changes the release that groups are compared with, and the groups that agree on some of the columns.
pub fn judge(task: &Task<'_>, cuts: &[Cut], groups: &Groups) -> Verdict {
    let summaries = summaries(task, groups);
    let quasi = task.table.quasi();
    let projections: Vec<_> = task
        .requirements
        .iter()
        .filter_map(|requirement| match requirement.scope() {
            Scope::Projection(subsets) => Some((requirement, subsets)),
            Scope::Class => None,
        })
        .collect();
    // A scope may be a list of hundreds of subsets: it is asked for once, not for each class.
    let about_classes: Vec<&dyn Requirement> =
        task.requirements.iter().filter(|requirement| requirement.scope() == Scope::Class).collect();
    let min_people = about_classes.iter().map(|requirement| requirement.min_people()).max().unwrap_or(1);
    let class_holds = |class: &Summary, release: &Summary| {
        class.people >= min_people
            && about_classes.iter().all(|requirement| requirement.holds(class, release))
    };
    let keys: Vec<Vec<u32>> = match projections.is_empty() {
        true => Vec::new(),
        false => quasi
            .iter()
            .zip(cuts)
            .map(|(column, cut)| {
                let value = |&row: &u32| cut.of_code()[column.codes.get(row as usize) as usize];
                groups.example.iter().map(value).collect()
            })
            .collect(),
    };
    let n_values: Vec<usize> = cuts.iter().map(|cut| cut.values().len()).collect();
    let counts_rows =
        |requirement: &&dyn Requirement| requirement.is_count_only() && task.table.subject.is_none();
    let mut kept = vec![true; groups.len()];
    let whole = || merged(summaries.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(summary, _)| summary));
    let mut release = whole();
    loop {
        let failing: Vec<bool> = summaries
            .par_iter()
            .zip(&kept)
            .map(|(summary, kept)| *kept && !class_holds(summary, &release))
            .collect();
        let mut changed = take_out(&mut kept, &failing);
        for (requirement, subsets) in &projections {
            if counts_rows(requirement)
                && all_large(&keys, &n_values, groups, &kept, subsets, requirement.min_people())
            {
                continue;
            }
            let failing_in = |subset: &Vec<usize>| {
                let (group_of, n) = project(&keys, &n_values, subset);
                let holds: Vec<bool> = match counts_rows(requirement) {
                    true => {
                        let mut rows = vec![0u64; n];
                        for (class, &group) in group_of.iter().enumerate().filter(|(class, _)| kept[*class]) {
                            rows[group as usize] += groups.rows[class];
                        }
                        rows.iter().map(|&rows| rows == 0 || rows >= requirement.min_people()).collect()
                    }
                    false => {
                        let mut members: Vec<Vec<&Summary>> = vec![Vec::new(); n];
                        for (class, &group) in group_of.iter().enumerate().filter(|(class, _)| kept[*class]) {
                            members[group as usize].push(&summaries[class]);
                        }
                        let holds = |members: &Vec<&Summary>| {
                            members.is_empty()
                                || requirement.holds(&merged(members.iter().copied()), &release)
                        };
                        members.iter().map(holds).collect()
                    }
                };
                (group_of, holds)
            };
            let failing: Option<Vec<bool>> = subsets
                .par_iter()
                .filter_map(|subset| {
                    let (group_of, holds) = failing_in(subset);
                    let fails = |&group: &u32| !holds[group as usize];
                    holds.contains(&false).then(|| group_of.iter().map(fails).collect::<Vec<bool>>())
                })
                .reduce_with(|a, b| a.iter().zip(&b).map(|(a, b)| a | b).collect());
            changed |= failing.is_some_and(|failing| take_out(&mut kept, &failing));
        }
        if !changed {
            break;
        }
        release = merged(summaries.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(summary, _)| summary));
    }
    let lost = groups.rows.iter().zip(&kept).filter(|(_, kept)| !**kept).map(|(rows, _)| rows).sum();
    Verdict { kept, suppressed: lost }
}

/// Whether all that agree on one of some subsets of columns are enough: the quick answer while nothing has been taken out.
fn all_large(
    keys: &[Vec<u32>],
    n_values: &[usize],
    groups: &Groups,
    kept: &[bool],
    subsets: &[Vec<usize>],
    min: u64,
) -> bool {
    if kept.contains(&false) || groups.of_row.len() >= u32::MAX as usize {
        return false;
    }
    let rows: Vec<u32> = groups.rows.iter().map(|&rows| rows as u32).collect();
    let items = Items { first: None, columns: keys, n_values, rows: &rows };
    let mut sets: Vec<(Vec<usize>, ())> = subsets.iter().map(|subset| (subset.clone(), ())).collect();
    by_prefix(&mut sets);
    let chunks: Vec<&[(Vec<usize>, ())]> = sets.chunk_by(same_prefix).collect();
    chunks.par_iter().all(|sets| {
        let prefix = items.prefix(sets[0].0.split_last().map_or(&[], |(_, rest)| rest));
        let least = |(set, ()): &(Vec<usize>, ())| items.least(&prefix, set.last().copied());
        sets.iter().all(|set| least(set).is_none_or(|least| u64::from(least) >= min))
    })
}

/// Mark groups as gone; whether any was still there.
fn take_out(kept: &mut [bool], failing: &[bool]) -> bool {
    let mut changed = false;
    for (kept, _) in kept.iter_mut().zip(failing).filter(|(kept, failing)| **kept && **failing) {
        *kept = false;
        changed = true;
    }
    changed
}

/// What the models know of each group.
pub fn summaries(task: &Task<'_>, groups: &Groups) -> Vec<Summary> {
    if task.requirements.is_count_only() && task.table.subject.is_none() {
        return groups.rows.iter().map(|&rows| Summary::of_count(rows)).collect();
    }
    let mut starts = vec![0usize; groups.len() + 1];
    for (group, &rows) in groups.rows.iter().enumerate() {
        starts[group + 1] = starts[group] + rows as usize;
    }
    let mut next = starts.clone();
    let mut rows = vec![0u32; groups.of_row.len()];
    for (row, &group) in groups.of_row.iter().enumerate() {
        rows[next[group as usize]] = row as u32;
        next[group as usize] += 1;
    }
    let tally = task.tally();
    (0..groups.len())
        .into_par_iter()
        .map(|group| tally.of_rows(&rows[starts[group]..starts[group + 1]]))
        .collect()
}

/// The union of summaries, by halves: one long running merge of histograms would be quadratic.
fn merged<'a>(summaries: impl Iterator<Item = &'a Summary>) -> Summary {
    let mut level: Vec<Summary> = summaries.cloned().collect();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| {
                let mut first = pair[0].clone();
                pair.get(1).into_iter().for_each(|second| first.merge(second));
                first
            })
            .collect();
    }
    level.pop().unwrap_or_default()
}

/// The error for a column whose values have neither a tree nor an order.
pub fn needs_hierarchy(algorithm: &str, column: &str) -> Error {
    Error::unsupported(format!(
        "{algorithm} needs a hierarchy for the quasi column '{column}': its values have no order"
    ))
    .hint("give the column a hierarchy; a flat one has every value below one root")
}
