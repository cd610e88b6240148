//! Turns cuts into a recoding, for all global recodings: rows are grouped, groups that may not be
//! published are suppressed within the limit, and the result satisfies every requirement against
//! the release that is really published, or there is an error.

use rayon::prelude::*;
use sfumato_core::dataset::Column;
use sfumato_core::group::{ClassTable, Summary, failing_classes};
use sfumato_core::recoding::{Cut, Cuts, Finding, SUPPRESSED};
use sfumato_core::traits::{Requirement, Task};
use sfumato_core::{Error, Result};

use super::groups::Groups;
use crate::algorithms::shared::infeasible::infeasible;

/// The verdict about cuts: which groups stay, and how many rows are suppressed.
pub struct Verdict {
    /// Whether each group is published.
    pub kept: Vec<bool>,
    /// The number of rows in groups that aren't published.
    pub suppressed: u64,
}

/// Make a recoding from cuts. Groups that fail are suppressed. Returns an error if these are more
/// than allowed.
pub fn publish(task: &Task<'_>, cuts: Vec<Cut>, findings: Vec<Finding>) -> Result<Cuts> {
    let quasi = task.table.quasi();
    let groups = Groups::new(&quasi, &cuts, task.table.n_rows);
    let verdict = judge(task, &cuts, &groups);
    if verdict.suppressed > task.max_suppressed
        || (verdict.suppressed > 0 && !verdict.kept.contains(&true))
    {
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

/// Decide which groups may be published. Groups that fail are removed until the rest holds against
/// itself: a removal changes the release with which groups are compared, and the groups that agree
/// on some of the columns.
pub fn judge(task: &Task<'_>, cuts: &[Cut], groups: &Groups) -> Verdict {
    let mut summaries = summaries(task, groups);
    let projections: Vec<&dyn Requirement> = task
        .requirements
        .iter()
        .filter(|requirement| !requirement.scope().is_met_by_classes())
        .collect();
    let quasi = task.table.quasi();
    let published =
        |(column, cut): (&&Column, &Cut), groups: &[u32], example: &[u32]| -> Vec<u32> {
            let value = |&group: &u32| {
                let row = example[group as usize] as usize;
                cut.of_code()[column.codes.get(row) as usize]
            };
            groups.iter().map(value).collect()
        };
    let mut kept: Vec<u32> = (0..groups.len() as u32).collect();
    loop {
        let keys = match projections.is_empty() {
            true => Vec::new(),
            false => {
                quasi.iter().zip(cuts).map(|pair| published(pair, &kept, &groups.example)).collect()
            }
        };
        let classes = ClassTable::new(keys, summaries);
        let mut fails: Vec<bool> = classes
            .summaries
            .par_iter()
            .map(|class| !task.requirements.holds(class, &classes.release))
            .collect();
        for requirement in &projections {
            let failing = failing_classes(*requirement, &classes, &at_once);
            fails.iter_mut().zip(failing).for_each(|(fails, failing)| *fails |= failing);
        }
        if !fails.contains(&true) {
            break;
        }
        let stays = |fails: &mut std::slice::Iter<'_, bool>| !fails.next().copied().unwrap_or(true);
        let mut each = fails.iter();
        kept.retain(|_| stays(&mut each));
        let mut each = fails.iter();
        summaries = classes.summaries;
        summaries.retain(|_| stays(&mut each));
    }
    let mut verdict =
        Verdict { kept: vec![false; groups.len()], suppressed: groups.of_row.len() as u64 };
    for group in kept {
        verdict.kept[group as usize] = true;
        verdict.suppressed -= groups.rows[group as usize];
    }
    verdict
}

/// Run pieces of work on all threads.
fn at_once(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(work);
}

/// The summary of each group.
pub fn summaries(task: &Task<'_>, groups: &Groups) -> Vec<Summary> {
    if task.requirements.is_count_only() && task.table.subject.is_none() {
        return groups.rows.iter().map(|&rows| Summary::of_count(rows)).collect();
    }
    let (rows, starts) = groups.rows_in_order();
    let tally = task.tally();
    (0..groups.len())
        .into_par_iter()
        .map(|group| tally.of_rows(&rows[starts[group]..starts[group + 1]]))
        .collect()
}

/// The error for a column whose values have neither a tree nor an order.
pub fn needs_hierarchy(algorithm: &str, column: &str) -> Error {
    Error::unsupported(format!(
        "{algorithm} needs a hierarchy for the quasi column '{column}': its values have no order"
    ))
    .hint("give the column a hierarchy; a flat one has every value below one root")
}
