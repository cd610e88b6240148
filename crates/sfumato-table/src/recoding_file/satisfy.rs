//! Removes classes of new rows until the rest satisfies the models of the recoding.

use rayon::prelude::*;
use sfumato_core::group::{ClassTable, Summary, failing_classes};
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::traits::{Requirement, Task};
use sfumato_core::{Error, Result};

use sfumato_engine::threads::at_once;

/// Suppress classes of the new rows that don't satisfy the models, within the limit. The reference
/// distribution is that of what stays, and so are the groups that agree on some columns, so this
/// goes on until nothing changes. `keys[column][class]` says which classes are published alike in a
/// column.
pub fn keep_satisfying(
    task: &Task<'_>,
    keys: &[Vec<u32>],
    n_classes: usize,
    mut class_of_row: Vec<u32>,
) -> Result<Vec<u32>> {
    let tally = task.tally();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); n_classes];
    for (row, class) in class_of_row.iter().enumerate().filter(|(_, class)| **class != SUPPRESSED) {
        members[*class as usize].push(row as u32);
    }
    let summaries: Vec<Summary> = members.par_iter().map(|rows| tally.of_rows(rows)).collect();
    let (by_class, by_projection): (Vec<&dyn Requirement>, Vec<&dyn Requirement>) =
        task.requirements.iter().partition(|requirement| requirement.scope().is_met_by_classes());
    let mut kept: Vec<usize> = (0..n_classes).filter(|class| !members[*class].is_empty()).collect();
    loop {
        let before = kept.len();
        let rows: Vec<u32> = kept.iter().flat_map(|class| &members[*class]).copied().collect();
        let release = tally.of_rows(&rows);
        for requirement in by_class.iter().chain(&by_projection) {
            let classes = ClassTable {
                keys: keys
                    .iter()
                    .map(|keys| kept.iter().map(|class| keys[*class]).collect())
                    .collect(),
                summaries: kept.iter().map(|class| summaries[*class].clone()).collect(),
                release: release.clone(),
            };
            let mut fails = failing_classes(*requirement, &classes, &at_once).into_iter();
            kept.retain(|_| !fails.next().unwrap_or(false));
        }
        if kept.len() == before {
            break;
        }
    }
    let mut is_kept = vec![false; n_classes];
    kept.iter().for_each(|class| is_kept[*class] = true);
    for class in class_of_row.iter_mut().filter(|class| **class != SUPPRESSED) {
        if !is_kept[*class as usize] {
            *class = SUPPRESSED;
        }
    }
    let suppressed = class_of_row.iter().filter(|class| **class == SUPPRESSED).count() as u64;
    if suppressed > task.max_suppressed {
        return Err(Error::infeasible(format!(
            "the new rows don't satisfy the models of the recoding: {suppressed} rows would have \
                to be suppressed, {} may be",
            task.max_suppressed
        ))
        .hint("collect more rows before publishing, or allow more with --max-suppression"));
    }
    if suppressed == class_of_row.len() as u64 {
        return Err(Error::infeasible("no row is left to publish")
            .hint("collect more rows before publishing"));
    }
    Ok(class_of_row)
}
