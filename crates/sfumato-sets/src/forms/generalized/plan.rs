//! Decides what will run: models with their parameters, and the algorithm.

use crate::traits::SetRequirements;
use sfumato_core::combinations::AskedCombinations;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use crate::algorithms::generalization::{self, TreeAlgorithm};
use crate::forms::has_no_algorithm;
use crate::job::Job;

/// What will run: models, algorithm and parameters.
pub struct TreePlan {
    /// Which models must hold.
    pub requirements: SetRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn TreeAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many records must be published alike.
    pub k: u64,
    /// What is promised about combinations of items.
    pub combinations: Vec<AskedCombinations>,
    /// The seed of random choices.
    pub seed: u64,
}

/// Plan a job about `n_records` records.
pub fn make_plan(job: &Job, n_records: usize) -> Result<TreePlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    let is_auto = job.recode.algorithm == "auto";
    let call: Call =
        if is_auto { choose(&requirements)?.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = generalization::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, super::NAME, "item-algorithms"))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    algorithm.check_requirements(&requirements)?;
    let (k, combinations) = (requirements.k(), requirements.combinations()?);
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
    Ok(TreePlan { requirements, algorithm, params, is_auto, k, combinations, seed })
}

/// The default algorithm: cuts where combinations are all that is asked about, else copies.
fn choose(requirements: &SetRequirements) -> Result<&'static str> {
    let mut only_combinations = true;
    for requirement in &requirements.all {
        let asks_for_copies =
            requirement.asks().iter().any(|(hiding, _)| *hiding == Hiding::Copies);
        only_combinations &= requirement.combinations()?.is_some() || !asks_for_copies;
    }
    Ok(if only_combinations { "cut-search" } else { "set-partition" })
}
