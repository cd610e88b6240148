//! Decides what will run: the required degree, and the algorithm that finds the groups.

use std::fmt::Write as _;

use sfumato_core::buckets::{
    BucketAlgorithm, BucketFindings, BucketTask, Groups, check_frequencies,
};
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::sets::{Hiding, SetRequirements, Transactions};
use sfumato_core::{Error, Result};
use sfumato_report::numbers::{bytes, count, duration};

use crate::data::read::{self, Loaded};
use crate::forms::has_no_algorithm;
use crate::job::Job;
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

/// Describe the plan in words. Reads the input and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<String> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let plan = make_plan(job, &loaded)?;
    let (quasi, sensitive) = (&loaded.baskets.quasi, sensitive_of(&loaded)?);
    let used = |sets: &Transactions| sets.counts().iter().filter(|n| **n > 0).count() as u64;
    let having = (0..sensitive.len()).filter(|record| sensitive.size(*record) > 0).count();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "read       {}: {} records, {} items that are published as they are, {}",
        job.input.path,
        count(quasi.len() as u64),
        count(used(quasi)),
        bytes(loaded.source.bytes)
    );
    let _ = writeln!(
        text,
        "  sensitive: {} items, in {} records; the most frequent one is in {}",
        count(used(sensitive)),
        count(having as u64),
        count(sensitive.counts().into_iter().max().unwrap_or(0))
    );
    let _ = writeln!(
        text,
        "require    privacy degree {}: in every group at most one in {} records has the same \
            sensitive item",
        plan.p, plan.p
    );
    let how = if plan.is_auto { ", chosen by auto" } else { "" };
    let _ = writeln!(
        text,
        "anonymize  {}{how}: {}",
        plan.params.describe(),
        plan.algorithm.info().summary
    );
    let _ = writeln!(
        text,
        "publish    a folder of two files: records with their group, and counts of sensitive items \
            per group"
    );
    let _ = writeln!(
        text,
        "passes     the input is read once, the release is written once and read back once"
    );
    let _ = writeln!(text, "time       reading took {}", duration(read_ms));
    Ok(text)
}
