//! Decides what will run: models with their parameters, and the algorithm.

use sfumato_core::registry::{Call, Params};
use sfumato_core::sequences::AskedSequences;
use sfumato_core::{Error, Result};

use super::NAME;
use crate::algorithms::suppression::{self, SuppressionAlgorithm};
use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::models::{self, PathRequirements};

/// What will run.
pub struct Plan {
    /// Which models must hold.
    pub requirements: PathRequirements,
    /// What they ask about sequences.
    pub asked: Vec<AskedSequences>,
    /// The algorithm that decides.
    pub algorithm: &'static dyn SuppressionAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many paths make a sequence frequent.
    pub support: u64,
    /// How many paths may come to nothing. `None` if any number may.
    pub max_empty: Option<u64>,
}

/// The algorithm that runs where the job names none.
const AUTO: &str = "global-suppression";

/// Plan a job about so many paths.
pub fn make_plan(job: &Job, n_paths: usize) -> Result<Plan> {
    let requirements = models::bind(&job.privacy.models)?;
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { AUTO.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = suppression::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, NAME, super::ALGORITHMS))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    if let Some(other) = requirements.all.iter().find(|one| one.sequences().is_none()) {
        let message = format!("{} doesn't serve {}", algorithm.info().name, other.model());
        return Err(Error::unsupported(message).hint("ask for it in a release of its own"));
    }
    let asked = requirements.sequences();
    let k = asked.iter().map(|asked| asked.required).max().unwrap_or(1);
    if k > n_paths as u64 {
        return Err(Error::infeasible(format!("k is {k}, and there are {n_paths} paths")).hint(
            "nobody can hide among more paths than there are: ask for a smaller k, or bring more \
             data",
        ));
    }
    let given = params.optional_integer("support").map(i64::unsigned_abs);
    let support = given.unwrap_or_else(|| k.max((n_paths as u64).div_ceil(100)));
    let max = job.privacy.max_suppression;
    let max_empty = (!max.is_unsaid()).then(|| max.of(n_paths));
    Ok(Plan { requirements, asked, algorithm, params, is_auto, support, max_empty })
}
