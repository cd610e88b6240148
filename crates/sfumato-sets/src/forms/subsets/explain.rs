//! The facts of a plan that publishes subsets, without running it.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::count;

use super::make_plan;
use crate::data::Collapsed;
use crate::data::read;
use crate::forms::plan_facts::{plan_facts, required};
use crate::job::Job;

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let sets = &loaded.baskets.quasi;
    let plan = make_plan(job, sets.len())?;
    let named = (plan.algorithm.info(), &plan.params, plan.is_auto);
    let mut facts = plan_facts(&loaded, read_ms, named);
    let worth = if loaded.has_utilities { "as the job says" } else { "the same for all" };
    facts.read.about.push(format!("what an item is worth: {worth}"));
    if let Some(sensitive) = &loaded.baskets.sensitive {
        let instances = count(sensitive.n_instances());
        let line = format!("sensitive: {instances} instances, published as they are");
        facts.read.about.push(line);
    }
    facts.requires =
        plan.requirements.all.iter().map(|requirement| required(requirement.as_ref())).collect();
    let copies = Collapsed::share_of_copies(sets, 100_000);
    if plan.algorithm.info().capabilities.takes_weights && copies > 0.0 {
        let share = 100.0 * copies;
        let line = format!("{share:.0} % of some records are copies of others of them");
        facts.algorithm.notes.push(line);
    }
    facts.suppresses = match plan.max_empty {
        Some(most) => format!("at most {} records: published without any item", count(most)),
        None => "records that come to nothing are published without items; the report counts them"
            .into(),
    };
    Ok(facts)
}
