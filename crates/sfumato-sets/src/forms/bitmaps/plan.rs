//! Decides what will run: how many matches are required, whether labels must differ, and which
//! algorithm finds them.

use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::explain::PlanFacts;

use crate::data::read::{self, Loaded};
use crate::forms::has_no_algorithm;
use crate::forms::plan_facts::plan_facts;
use crate::job::Job;
use crate::traits::{BitmapAlgorithm, BitmapDecision, BitmapTask, SetRequirements};
use sfumato_engine::random::key;
use sfumato_engine::stopwatch::Stopwatch;

use super::files::labels;

/// What will run: models, algorithm and parameters.
pub struct BitmapPlan {
    /// Which models must hold.
    pub requirements: SetRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn BitmapAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many published records each original record must match.
    pub k: u64,
    /// The label of each record, where the labels of matches must differ.
    pub labels: Option<Vec<u32>>,
    /// The key of random choices.
    key: [u8; 32],
}

/// Plan a job for its records.
pub fn make_plan(job: &Job, loaded: &Loaded) -> Result<BitmapPlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    let asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    let is_other = |hiding: &Hiding| !matches!(hiding, Hiding::Matches | Hiding::Labels);
    if let Some((other, _)) = asked.into_iter().find(|(hiding, _)| is_other(hiding)) {
        return Err(Error::unsupported(format!(
            "a model about {} can't be asked for together with one about matches: bitmaps have \
                items that records hadn't",
            other.describe()
        ))
        .hint("leave one of them out"));
    }
    let n_records = loaded.baskets.quasi.len();
    let k = requirements.k();
    if k > n_records as u64 {
        return Err(Error::infeasible(format!(
            "{k} matches are asked for, and there are {n_records} records"
        ))
        .hint(
            "nobody can hide among more records than there are: ask for fewer, or bring more data",
        ));
    }
    let labels = match requirements.at_least(Hiding::Labels) {
        None => None,
        Some(_) => Some(labels(loaded.baskets.sensitive.as_ref().ok_or_else(|| {
            Error::params("l-diversity is about sensitive items, and none are named").hint(
                "name them with --sensitive-items A,B or sensitive = [\"A\", \"B\"] in [baskets]",
            )
        })?)?),
    };
    let auto = if labels.is_some() { "nonreciprocal-greedy" } else { "nonreciprocal-ring" };
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { auto.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = crate::algorithms::nonreciprocal::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, super::NAME, "bitmap-algorithms"))?;
    if labels.is_some() && !algorithm.info().capabilities.can_serve(Fact::Hiding(Hiding::Labels)) {
        return Err(Error::unsupported(format!(
            "{} knows nothing of sensitive items, and those of matches must differ",
            algorithm.info().name
        ))
        .hint("take nonreciprocal-greedy"));
    }
    let params = Params::check(algorithm.info(), &call.args)?;
    Ok(BitmapPlan { requirements, algorithm, params, is_auto, k, labels, key: key(job.run.seed)? })
}

impl BitmapPlan {
    /// Let the algorithm decide, and refuse an answer that doesn't fit these records.
    pub fn decide(&self, loaded: &Loaded, observer: &dyn Observer) -> Result<BitmapDecision> {
        let sets = &loaded.baskets.quasi;
        let labels = self.labels.as_deref();
        let task = BitmapTask { sets, labels, k: self.k as usize, key: self.key, observer };
        let decision = self.algorithm.anonymize(&self.params, &task)?;
        decision.bitmaps.check().map_err(|error| {
            Error::internal(format!("the algorithm gave bitmaps that don't fit: {}", error.message))
        })?;
        if decision.bitmaps.len() != sets.len() || decision.matches.len() != sets.len() {
            return Err(Error::internal(
                "the algorithm hasn't a bitmap for each record; nothing was written",
            ));
        }
        Ok(decision)
    }
}

/// The facts of the plan. Reads the input and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job, &loaded)?;
    let named = (plan.algorithm.info(), &plan.params, plan.is_auto);
    let mut facts = plan_facts(&loaded, read_ms, named);
    let and =
        if plan.labels.is_some() { ", no two of which have the same sensitive item" } else { "" };
    facts.requires.push(format!(
        "every record is a possible world of {} published records{and}, in as many disjoint \
         assignments",
        plan.k
    ));
    facts.publishes.push(
        "a folder of two files: base sets, and distance sets after their thresholds, row by row"
            .into(),
    );
    Ok(facts)
}
