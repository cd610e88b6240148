//! Divides the input into partitions that fit into memory, by the chosen engine.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::algorithms::rothko::{self, Limits};
use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_core::tuples::{Sliced, Tuples};
use sfumato_io::spill::{SpillDivide, SpillFolder, widths_of};

use super::choice::Choice;
use super::look::Looked;
use super::resume::{Divided, Spilled, job_text};
use super::source::InputTuples;
use crate::job::{Engine, Job};
use sfumato_engine::random::shuffle;

/// How the input was divided, the partitions, and how often the input was read.
pub type Divisions = (Divided, Vec<(Box<dyn Tuples>, Spilled)>, u64);

/// Divide the input into partitions that fit into memory, in random order.
pub fn divide(
    job: &Job,
    looked: &Looked,
    choice: &Choice,
    outline: &rothko::Outline<'_>,
    folder: &SpillFolder,
    limit: u64,
    observer: &dyn Observer,
) -> Result<Divisions> {
    let input = InputTuples {
        job,
        path: looked.path.clone(),
        options: looked.options.clone(),
        layout: &looked.layout,
        observer,
        passes: AtomicU64::new(0),
    };
    let rows = choice.rows;
    let limits = Limits {
        partition_rows: rows.partition,
        group_bytes: rows.groups,
        max_parts: rows.parts,
        sample_rows: looked.shares.sample_rows,
    };
    let spill = SpillDivide::new(folder, &widths_of(outline.frame), rows.chunk)?.synced();
    let (partitions, work) = match choice.engine {
        Engine::Tree => rothko::tree(outline, &limits, &input, &spill)?,
        _ => rothko::sample(
            outline,
            &limits,
            choice.alpha,
            &input,
            &spill,
            Some(looked.sample.clone()),
        )?,
    };
    let mut parts: Vec<Option<(Box<dyn Tuples>, Spilled)>> = Vec::with_capacity(partitions.len());
    for rothko::Partition { tuples, above, published, whole_class } in partitions {
        let n_rows = tuples.n_rows();
        let spilled =
            Spilled { files: tuples.names(), slice: None, n_rows, above, published, whole_class };
        // A class that doesn't fit is published in slices that do.
        let is_one = spilled.whole_class.is_some() || !published;
        let n_slices = if is_one { n_rows.div_ceil(rows.partition) } else { 1 };
        if n_slices <= 1 {
            parts.push(Some((tuples, spilled)));
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
            parts.push(Some((Box::new(sliced), spilled)));
        }
    }
    let mut order: Vec<u32> = (0..parts.len() as u32).collect();
    shuffle(&mut order, &mut looked.secret.of_order());
    let parts: Vec<(Box<dyn Tuples>, Spilled)> =
        order.into_iter().filter_map(|place| parts[place as usize].take()).collect();
    let divided = Divided {
        version: env!("CARGO_PKG_VERSION").into(),
        job: job_text(job),
        input: looked.survey.source.sha256.clone(),
        memory: limit,
        secret: looked.secret,
        engine: choice.engine.name().into(),
        partitions: parts.iter().map(|(_, spilled)| spilled.clone()).collect(),
        work: serde_json::to_value(work).expect("counters are numbers by name"),
    };
    Ok((divided, parts, input.passes()))
}
