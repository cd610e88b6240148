//! The facts of a plan that changes edges, without running it.

use sfumato_core::Result;
use sfumato_core::facts::Promises as _;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::count;

use super::plan::make_plan;
use super::publish::layout_of;
use super::report::warnings;
use crate::data::{Loaded, read};
use crate::job::Job;

/// What is read, for every form of graphs.
pub(crate) fn read_facts(job: &Job, data: &Loaded) -> ReadFacts {
    ReadFacts {
        records: data.graph.n() as u64,
        called: "nodes",
        bytes: data.source.bytes,
        besides: format!("{} edges", count(data.graph.m())),
        about: warnings(job, data),
    }
}

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let data = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job, &data)?;
    let (layout, _) = layout_of(job, &data)?;
    let info = plan.algorithm.info();
    Ok(PlanFacts {
        read: read_facts(job, &data),
        requires: plan.requirements.describe(),
        publishes: vec![format!(
            "edges that were changed, as {}; nodes get random numbers",
            layout.spell()
        )],
        algorithm: AlgorithmFacts {
            call: plan.params.describe(),
            why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
            summary: info.summary.into(),
            notes: Vec::new(),
        },
        suppresses: "no nodes".into(),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::about(
            data.graph.bytes() as f64 * 5.0,
            "the graph five times: as read, changed, numbered, read back and numbered back",
        ),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
