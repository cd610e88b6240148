//! Decides what will run: the required degree, and the algorithm that finds the groups.

use sfumato_core::facts::Hiding;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_engine::explain::PlanFacts;
use sfumato_report::numbers::count;

use crate::data::read::{self, Loaded};
use crate::data::{Groups, check_frequencies};
use crate::forms::has_no_algorithm;
use crate::forms::plan_facts::plan_facts;
use crate::job::Job;
use crate::traits::SetRequirements;
use crate::traits::{BucketAlgorithm, BucketFindings, BucketTask};
use sfumato_engine::stopwatch::Stopwatch;

/// What will run: models, algorithm and parameters.
pub struct BucketPlan {
    /// Which models must hold.
    pub requirements: SetRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn BucketAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// At most one in p records of a group may have the same sensitive item.
    pub p: u64,
    /// The seed of random choices.
    pub seed: u64,
}

/// The default algorithm, which is the best we know: it retains more correlation than the other, in
/// less time.
const AUTO: &str = "cahd";

/// Plan a job for its records.
pub fn make_plan(job: &Job, loaded: &Loaded) -> Result<BucketPlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    let asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    if let Some((other, _)) = asked.into_iter().find(|(hiding, _)| *hiding != Hiding::Bystanders) {
        return Err(Error::unsupported(format!(
            "a model about {} can't be asked for together with the privacy degree: a bucket \
                release publishes harmless items as they are",
            other.describe()
        ))
        .hint("leave one of them out"));
    }
    let p = requirements.k();
    let sensitive = sensitive_of(loaded)?;
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { AUTO.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = crate::algorithms::buckets::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, super::NAME, "bucket-algorithms"))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    check_frequencies(sensitive, p)?;
    let seed = match job.run.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?,
    };
    Ok(BucketPlan { requirements, algorithm, params, is_auto, p, seed })
}

/// The sensitive items of each record. An error if none are named.
pub fn sensitive_of(loaded: &Loaded) -> Result<&Transactions> {
    loaded.baskets.sensitive.as_ref().ok_or_else(|| {
        Error::params("the privacy degree is about sensitive items, and none are named")
            .hint("name them with --sensitive-items A,B or sensitive = [\"A\", \"B\"] in [baskets]")
    })
}

impl BucketPlan {
    /// Let the algorithm decide, and refuse an answer that doesn't fit these records.
    pub fn group(
        &self,
        loaded: &Loaded,
        observer: &dyn Observer,
    ) -> Result<(Groups, BucketFindings)> {
        let sensitive = sensitive_of(loaded)?;
        let quasi = &loaded.baskets.quasi;
        let task = BucketTask { quasi, sensitive, p: self.p, seed: self.seed, observer };
        let (groups, findings) = self.algorithm.group(&self.params, &task)?;
        if groups.of_record().len() != quasi.len() {
            return Err(Error::internal(
                "the algorithm hasn't put each record into a group; nothing was written",
            ));
        }
        Ok((groups, findings))
    }
}

/// The facts of the plan. Reads the input and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job, &loaded)?;
    let sensitive = sensitive_of(&loaded)?;
    let used = sensitive.counts().iter().filter(|n| **n > 0).count() as u64;
    let having = (0..sensitive.len()).filter(|record| sensitive.size(*record) > 0).count();
    let named = (plan.algorithm.info(), &plan.params, plan.is_auto);
    let mut facts = plan_facts(&loaded, read_ms, named);
    facts.read.about.push(format!(
        "sensitive: {} items, in {} records; the most frequent one is in {}",
        count(used),
        count(having as u64),
        count(sensitive.counts().into_iter().max().unwrap_or(0))
    ));
    let p = plan.p;
    facts.requires.push(format!(
        "privacy degree {p}: in every group at most one in {p} records has the same sensitive item"
    ));
    facts.publishes.push(
        "a folder of two files: records with their group, and counts of sensitive items per group"
            .into(),
    );
    Ok(facts)
}
