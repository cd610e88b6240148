//! Divides the input into partitions that fit into memory, by the chosen engine.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_io::spill::SpillDivide;
use sfumato_io::spill::Tuples;

use super::cuts::{deal_out, find_cuts, values_of};
use super::division::{Divided, Spilled};
use super::larger::Larger;
use super::source::InputTuples;
use super::texts::TextFiles;
use crate::algorithms::rothko::{self, Limits};
use crate::data::tuples::Sliced;
use crate::forms::generalized::make_plan::Plan;
use crate::job::{Engine, Job};
use sfumato_engine::random::shuffle;

/// How the input was divided, the partitions, and how often the input was read.
pub type Divisions = (Divided, Vec<(Arc<dyn Tuples>, Spilled)>, u64);

/// Divide the input into partitions that fit into memory, in random order.
pub fn divide(
    (job, plan): (&Job, &Plan),
    (larger, sample): (&Larger, Vec<Vec<u64>>),
    outline: &rothko::Outline<'_>,
    observer: &dyn Observer,
) -> Result<Divisions> {
    let input = InputTuples {
        job,
        path: larger.path.clone(),
        options: larger.options.clone(),
        layout: &larger.about.layout,
        observer,
        passes: AtomicU64::new(0),
        texts: TextFiles::new(&larger.run.folder, &larger.about.layout),
    };
    let (choice, folder) = (&larger.choice, &larger.run.folder);
    let rows = choice.rows;
    let limits = Limits {
        partition_rows: rows.partition,
        group_bytes: rows.groups,
        max_parts: rows.parts,
        sample_rows: larger.shares.sample_rows,
    };
    if choice.engine == Engine::Cuts {
        return by_cuts(larger, plan, &input);
    }
    let spill = SpillDivide::new(folder, &outline.frame.widths(), rows.chunk)?.synced();
    let (partitions, work) = match choice.engine {
        Engine::Tree => rothko::tree(outline, &limits, &input, &spill)?,
        _ => rothko::sample(outline, &limits, choice.alpha, &input, &spill, Some(sample))?,
    };
    let mut parts: Vec<Option<(Arc<dyn Tuples>, Spilled)>> = Vec::with_capacity(partitions.len());
    for rothko::Partition { tuples, above, published, whole_class } in partitions {
        let n_rows = tuples.n_rows();
        let spilled =
            Spilled { files: tuples.names(), slice: None, n_rows, above, published, whole_class };
        // A class that doesn't fit is published in slices that do.
        let is_one = spilled.whole_class.is_some() || !published;
        let n_slices = if is_one { n_rows.div_ceil(rows.partition) } else { 1 };
        if n_slices <= 1 {
            parts.push(Some((tuples.into(), spilled)));
            continue;
        }
        let tuples: Arc<dyn Tuples> = tuples.into();
        for which in 0..n_slices {
            let sliced = Sliced { tuples: Arc::clone(&tuples), which, of: n_slices };
            let spilled = Spilled {
                slice: Some((which, n_slices)),
                n_rows: sliced.n_rows(),
                ..spilled.clone()
            };
            parts.push(Some((Arc::new(sliced), spilled)));
        }
    }
    let parts = in_random_order(larger, parts);
    let divided = Divided {
        engine: choice.engine.name().into(),
        partitions: parts.iter().map(|(_, spilled)| spilled.clone()).collect(),
        work: serde_json::to_value(work).expect("counters are numbers by name"),
        cuts: None,
        texts: input.texts.names()?,
    };
    Ok((divided, parts, input.passes()))
}

fn in_random_order(
    larger: &Larger,
    mut parts: Vec<Option<(Arc<dyn Tuples>, Spilled)>>,
) -> Vec<(Arc<dyn Tuples>, Spilled)> {
    let mut order: Vec<u32> = (0..parts.len() as u32).collect();
    shuffle(&mut order, &mut larger.run.secret.of_order());
    order.into_iter().filter_map(|place| parts[place as usize].take()).collect()
}

/// Find one recoding for all records, and deal the records out by it.
fn by_cuts(larger: &Larger, plan: &Plan, input: &InputTuples<'_>) -> Result<Divisions> {
    let found = find_cuts(larger, plan, input, input.observer)?;
    let parts = deal_out(larger, &found, input)?;
    let parts = in_random_order(larger, parts.into_iter().map(Some).collect());
    let n_rows = larger.about.layout.n_rows;
    let mut work = serde_json::json!({
        "input_rows": n_rows,
        "rows_read": n_rows * input.passes(),
        "rows_written": n_rows,
    });
    found.findings.iter().for_each(|finding| work[finding.name] = finding.value.into());
    let divided = Divided {
        engine: larger.choice.engine.name().into(),
        partitions: parts.iter().map(|(_, spilled)| spilled.clone()).collect(),
        work,
        cuts: Some(values_of(&found.cuts)),
        texts: input.texts.names()?,
    };
    Ok((divided, parts, input.passes()))
}
