//! The facts of a plan that makes supernodes, without running it.

use sfumato_core::Result;
use sfumato_core::facts::Promises as _;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::{AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, only_reading};
use sfumato_engine::stopwatch::Stopwatch;

use super::plan::make_plan;
use crate::data::read;
use crate::forms::edited::explain::read_facts;
use crate::job::Job;

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let data = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job, &data)?;
    Ok(PlanFacts {
        read: read_facts(job, &data),
        requires: plan.requirements.describe(),
        publishes: vec!["sizes of supernodes and numbers of edges; no node and no edge".into()],
        algorithm: AlgorithmFacts {
            call: plan.params.describe(),
            why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
            summary: plan.algorithm.info().summary.into(),
            notes: Vec::new(),
        },
        suppresses: "no nodes".into(),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::about(
            data.graph.bytes() as f64 * 4.0,
            "the graph, and the numbers of edges between supernodes",
        ),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
