//! What the recodings by clusters have in common: the run around the search. They search for groups
//! of rows, which are then handled in the same way.

use sfumato_core::recoding::{BoxesBuilder, Recoding};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::{Error, Result};

use super::clusters::{Judge, publish};
use super::progress::Progress;
use super::space::Space;

/// Search for clusters and publish them. If the objective doesn't depend on cells, the normalized
/// certainty penalty says which records are similar, since a search among equal prices would put
/// dissimilar records together.
pub fn anonymize(
    algorithm: &dyn Algorithm,
    task: &Task<'_>,
    search: impl Fn(&Task<'_>, &Space<'_>, &Judge<'_>, &mut Progress<'_>) -> Result<Vec<Vec<u32>>>,
) -> Result<Box<dyn Recoding>> {
    algorithm.check_requirements(task.requirements)?;
    let name = algorithm.info().name;
    if task.table.n_rows >= u32::MAX as usize {
        return Err(Error::unsupported(format!("{name} takes at most 4,294,967,294 records")));
    }
    let ncp = Objective::ncp(task.table);
    let task = match task.objective.ignores_cells() {
        true => Task { objective: &ncp, ..*task },
        false => *task,
    };
    let space = Space::new(&task, name)?;
    if task.table.n_rows == 0 {
        return Ok(Box::new(BoxesBuilder::new(space.n_columns()).finish(Vec::new())));
    }
    let judge = Judge::new(&task);
    let mut progress = Progress::begin(&task);
    let clusters = search(&task, &space, &judge, &mut progress)?;
    progress.reach(task.table.n_rows)?;
    Ok(Box::new(publish(&task, &space, clusters)?))
}
