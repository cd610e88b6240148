//! The facts of a plan that publishes regions, without running it.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::count;

use super::decide::tracks_of;
use super::plan::make_plan;
use crate::data::read;
use crate::job::Job;

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let data = tracks_of(&loaded)?;
    let plan = make_plan(job, data.tracks.len())?;
    let known = match &plan.known {
        Some(file) => format!("what is known of whom stands in {file}"),
        None => "everything is known of everybody, at all times".into(),
    };
    Ok(PlanFacts {
        read: ReadFacts {
            records: data.tracks.len() as u64,
            called: "tracks",
            bytes: loaded.source.bytes,
            besides: format!("{} positions", count(data.n_fixes() as u64)),
            about: vec![known],
        },
        requires: plan
            .requirements
            .all
            .iter()
            .map(|requirement| format!("{}: {}", requirement.describe(), requirement.words()))
            .collect(),
        algorithm: AlgorithmFacts {
            call: plan.params.describe(),
            why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
            summary: plan.algorithm.info().summary.into(),
            notes: Vec::new(),
        },
        suppresses: format!("at most {} tracks", count(plan.may_be_left_out)),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::unknown(
            "56 bytes for each position, and an edge for each pair that fits",
        ),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
