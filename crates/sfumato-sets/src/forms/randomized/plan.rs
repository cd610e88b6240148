//! Decides what will run: the bound on the amplification, and the algorithm that chooses the
//! operator.

use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::quantity;

use crate::algorithms::randomization::{self, RandomizingAlgorithm};
use crate::data::read;
use crate::forms::has_no_algorithm;
use crate::forms::plan_facts::plan_facts;
use crate::job::Job;
use crate::traits::SetRequirements;

/// What will run: models, algorithm and parameters.
pub struct RandomPlan {
    /// Which models must hold.
    pub requirements: SetRequirements,
    /// The algorithm that chooses the operator.
    pub algorithm: &'static dyn RandomizingAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// Below which the amplification must stay.
    pub amplification: f64,
}

/// The default algorithm.
const AUTO: &str = "select-a-size";

/// Plan a job.
pub fn make_plan(job: &Job) -> Result<RandomPlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    let other = requirements.all.iter().find(|requirement| requirement.amplification().is_none());
    if let Some(other) = other {
        return Err(Error::unsupported(format!(
            "{} can't be asked for together with a model of a mechanism: random sets needn't be \
             true of anybody",
            other.model()
        ))
        .hint("leave one of them out"));
    }
    let bounds = requirements.all.iter().filter_map(|requirement| requirement.amplification());
    let amplification = bounds.fold(f64::INFINITY, f64::min);
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { AUTO.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = randomization::find(&call.name).map_err(|error| {
        has_no_algorithm(error, &call.name, super::NAME, "randomized-algorithms")
    })?;
    let params = Params::check(algorithm.info(), &call.args)?;
    Ok(RandomPlan { requirements, algorithm, params, is_auto, amplification })
}

/// The facts of the plan. Reads the input and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job)?;
    let named = (plan.algorithm.info(), &plan.params, plan.is_auto);
    let mut facts = plan_facts(&loaded, read_ms, named);
    let below = quantity(plan.amplification);
    facts.requires = plan
        .requirements
        .all
        .iter()
        .map(|requirement| format!("{}: an amplification below {below}", requirement.describe()))
        .collect();
    facts.publishes.push("a random set for each record, beside the size of its own".into());
    Ok(facts)
}
