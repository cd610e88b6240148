//! Grows the rest of a partition's tree, which fits into memory: Mondrian itself, starting from the
//! top tree.

use sfumato_core::dataset::Table;
use sfumato_core::recoding::Boxes;
use sfumato_core::traits::{Effort, Task};
use sfumato_core::{ErrorKind, Result};

use super::Outline;
use super::above::Above;
use crate::algorithms::local::mondrian::{self, Start};
use crate::algorithms::shared::infeasible::infeasible;

/// The classes of a loaded partition.
pub fn finish(outline: &Outline<'_>, table: &Table, above: &Above) -> Result<Boxes> {
    let workload = outline.workload.map(|bind| bind(table)).transpose()?;
    let objective = (outline.objective)(table);
    let task = Task {
        table,
        requirements: outline.requirements,
        max_suppressed: above.budget,
        objective: &objective,
        workload: workload.as_ref(),
        reference: Some(outline.whole),
        effort: Effort::Normal,
        seed: outline.seed,
        // Mondrian draws nothing that a promise rests on.
        key: [0; 32],
        earlier: None,
        population: None,
        observer: outline.observer,
    };
    let start = Start {
        region: above.local_region(outline.frame, table)?,
        budget: above.budget,
        holds: above.holds,
        guided: above.guided,
        depth: above.depth,
    };
    mondrian::below(outline.params, &task, Some(&start)).map_err(|error| match error.kind {
        ErrorKind::Infeasible => infeasible(&task),
        _ => error,
    })
}
