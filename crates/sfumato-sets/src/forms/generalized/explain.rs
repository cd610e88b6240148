//! The facts of a plan that generalizes items, without running it.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::count;

use super::plan::make_plan;
use super::tree_of;
use crate::data::read;
use crate::forms::plan_facts::{plan_facts, required};
use crate::job::Job;

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job, loaded.baskets.quasi.len())?;
    let named = (plan.algorithm.info(), &plan.params, plan.is_auto);
    let mut facts = plan_facts(&loaded, read_ms, named);
    let tree = tree_of(&loaded)?;
    let (nodes, leaves) = (count(tree.n_nodes() as u64), count(u64::from(tree.n_leaves())));
    facts.read.about.push(format!("item hierarchy: {nodes} nodes, {leaves} of them items"));
    if let Some(sensitive) = &loaded.baskets.sensitive {
        let instances = count(sensitive.n_instances());
        let line = format!("sensitive: {instances} instances, published as they are");
        facts.read.about.push(line);
    }
    facts.requires =
        plan.requirements.all.iter().map(|requirement| required(requirement.as_ref())).collect();
    Ok(facts)
}
