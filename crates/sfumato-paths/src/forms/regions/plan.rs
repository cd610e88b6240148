//! Decides what will run: models with their parameters, and the algorithm.

use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;

use super::{ALGORITHMS, NAME};
use crate::algorithms::regions::{self, RegionAlgorithm};
use crate::data::layout::{self, Layout};
use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::models::{self, AskedRegions, PathRequirements};

/// How many tracks may be left out where the job doesn't say, in percent.
const LEFT_OUT: u64 = 10;
/// The algorithm that runs where the job names none.
const AUTO: &str = "symmetric-anonymization";

/// What will run.
pub struct Plan {
    /// Which models must hold.
    pub requirements: PathRequirements,
    /// What they ask for.
    pub asked: AskedRegions,
    /// The algorithm that decides.
    pub algorithm: &'static dyn RegionAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many tracks may be left out.
    pub may_be_left_out: u64,
    /// The length of time between ticks, if the layout says it.
    pub every: Option<f64>,
    /// The file that says what is known of whom.
    pub known: Option<String>,
}

/// Plan a job about so many tracks.
pub fn make_plan(job: &Job, n_tracks: usize) -> Result<Plan> {
    let requirements = models::bind(&job.privacy.models)?;
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { AUTO.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = regions::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, NAME, ALGORITHMS))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    if let Some(other) = requirements.all.iter().find(|one| one.regions().is_none()) {
        let message = format!("{} doesn't serve {}", algorithm.info().name, other.model());
        return Err(Error::unsupported(message).hint("ask for it in a release of its own"));
    }
    let asked = requirements
        .regions()?
        .ok_or_else(|| Error::internal("regions are published and no model asks for it"))?;
    if asked.k > n_tracks as u64 {
        let message = format!("k is {}, and there are {n_tracks} tracks", asked.k);
        return Err(Error::infeasible(message).hint("ask for a smaller k, or bring more data"));
    }
    let max = job.privacy.max_suppression;
    let may_be_left_out = match max.is_unsaid() {
        true => n_tracks as u64 * LEFT_OUT / 100,
        false => max.of(n_tracks),
    };
    let known = asked.known.as_deref().map(|file| resolve(&job.base, file));
    let every = every_of(&job.paths.layout)?;
    Ok(Plan { requirements, asked, algorithm, params, is_auto, may_be_left_out, every, known })
}

/// The length of time between ticks, if a layout says it.
pub fn every_of(layout: &str) -> Result<Option<f64>> {
    Ok(match layout::parse(layout)?.layout {
        Layout::Track(track) => track.every,
        _ => None,
    })
}
