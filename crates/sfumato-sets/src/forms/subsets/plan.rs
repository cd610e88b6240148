//! Decides what will run: models with their parameters, the algorithm, and how many records must
//! hide each other.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::traits::{SetAlgorithm, SetRequirements};

/// What will run: models, algorithm and parameters.
pub struct SetPlan {
    /// Which models must hold.
    pub requirements: SetRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn SetAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many records must hide each other.
    pub k: u64,
    /// What is promised about combinations of items.
    pub combinations: Vec<AskedCombinations>,
    /// How many records with items may be published without any. `None` if any number may.
    pub max_empty: Option<u64>,
    /// The seed of random choices.
    pub seed: u64,
}

/// Plan a job about `n_records` records.
pub fn make_plan(job: &Job, n_records: usize) -> Result<SetPlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    let is_auto = job.recode.algorithm == "auto";
    let call: Call =
        if is_auto { choose(&requirements).parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = crate::algorithms::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, super::NAME, "set-algorithms"))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    algorithm.check_requirements(&requirements)?;
    let combinations = requirements.combinations()?;
    let k = requirements.k();
    if k > n_records as u64 {
        return Err(Error::infeasible(format!("k is {k}, and there are {n_records} records")).hint(
            "nobody can hide among more records than there are: ask for a smaller k, or bring more \
                data",
        ));
    }
    let seed = match job.run.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?,
    };
    let max = job.privacy.max_suppression;
    let max_empty = (!max.is_unsaid()).then(|| max.of(n_records));
    Ok(SetPlan { requirements, algorithm, params, is_auto, k, combinations, max_empty, seed })
}

/// The default algorithm, which is the best we know: requirements about supporters alone allow more
/// than those about copies.
fn choose(requirements: &SetRequirements) -> &'static str {
    let asked = |hiding| requirements.at_least(hiding).is_some();
    if requirements.needs_combinations() {
        "item-suppression"
    } else if asked(Hiding::Copies) || asked(Hiding::Images) {
        "set-mondrian(split=utility)"
    } else {
        "k1-top-down"
    }
}
