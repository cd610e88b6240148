//! The growth phase: Mondrian on a sample, with the resulting tree in words.

use sfumato_core::Result;
use sfumato_core::group::Sampling;
use sfumato_core::traits::{Effort, Task};

use super::words::{Splits, Translation};
use crate::algorithms::local::mondrian::Start;
use crate::algorithms::local::mondrian::sampled::{Top, grow_top};
use crate::algorithms::local::rothko::Outline;
use crate::algorithms::local::rothko::above::Above;

/// Grow the top of a tree from a sample, `words[column][row]`.
pub fn grow(
    outline: &Outline<'_>,
    sample: Vec<Vec<u64>>,
    sampling: &Sampling,
    above: &Above,
    stop_rows: usize,
    max_parts: usize,
) -> Result<Splits> {
    let Outline { frame, requirements, params, .. } = *outline;
    let table = frame.table(sample)?;
    let objective = (outline.objective)(&table);
    let workload = outline.workload.map(|bind| bind(&table)).transpose()?;
    let task = Task {
        table: &table,
        requirements,
        max_suppressed: 0,
        objective: &objective,
        workload: workload.as_ref(),
        reference: Some(outline.whole),
        effort: Effort::Normal,
        seed: outline.seed,
        key: [0; 32],
        earlier: None,
        population: None,
        observer: outline.observer,
    };
    let region = above.local_region(frame, &table)?;
    let start = Start { region, budget: 0, holds: true, guided: above.guided, depth: above.depth };
    let grown = grow_top(params, &task, &start, &Top { sampling: *sampling, stop_rows })?;
    let translation = Translation {
        frame,
        table: &table,
        leftovers: params.text("leftovers") != Some("none"),
        is_whole: sampling.is_whole(),
    };
    Ok(translation.splits(&grown, above.region.clone(), max_parts))
}
