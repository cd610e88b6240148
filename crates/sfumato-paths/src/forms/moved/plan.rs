//! Decides what will run: models with their parameters, and the algorithm.

use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use super::{ALGORITHMS, NAME};
use crate::algorithms::moving::{self, MovingAlgorithm};
use crate::data::layout::{self, Layout};
use crate::forms::{has_no_algorithm, requirements_of};
use crate::job::Job;
use crate::models::{self, AskedTracks, PathRequirements};

/// How many tracks may be left out where the job doesn't say, in percent.
const TRASH: u64 = 10;
/// The algorithm that runs where the job names none.
const AUTO: &str = "never-walk-alone";

/// What is asked of tracks where nothing is.
const NOTHING: AskedTracks = AskedTracks { k: 1, delta: 0.0 };

/// What will run.
pub struct Plan {
    /// Which models must hold.
    pub requirements: PathRequirements,
    /// What they ask of tracks.
    pub asked: AskedTracks,
    /// The algorithm that decides.
    pub algorithm: &'static dyn MovingAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// The seed of random choices.
    pub seed: Option<u64>,
    /// How many tracks may be left out.
    pub trash: u64,
    /// The length of time between ticks, if the layout says it.
    pub every: Option<f64>,
}

/// Plan a job about so many tracks.
pub fn make_plan(job: &Job, n_tracks: usize) -> Result<Plan> {
    let requirements = requirements_of(job)?;
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { AUTO.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = moving::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, NAME, ALGORITHMS))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    if let Some(other) = requirements.all.iter().find(|one| one.tracks().is_none()) {
        let message = format!("{} doesn't serve {}", algorithm.info().name, other.model());
        return Err(Error::unsupported(message).hint("ask for it in a release of its own"));
    }
    let asked = match (requirements.tracks(), algorithm.promises()) {
        (Some(asked), true) => asked,
        (None, true) => models::bind(&[]).map(|_| NOTHING)?,
        (None, false) => NOTHING,
        (Some(_), false) => {
            let message = format!("{} keeps no promise", algorithm.info().name);
            return Err(
                Error::unsupported(message).hint("leave --model away, or take never-walk-alone")
            );
        }
    };
    if asked.k > n_tracks as u64 {
        let message = format!("k is {}, and there are {n_tracks} tracks", asked.k);
        return Err(Error::infeasible(message)
            .hint("ask for a smaller k, bring more data, or cut tracks into pieces with cut=.."));
    }
    let max = job.privacy.max_suppression;
    let trash = match max.is_unsaid() {
        true if !algorithm.promises() => n_tracks as u64,
        true => n_tracks as u64 * TRASH / 100,
        false => max.of(n_tracks),
    };
    let every = match layout::parse(&job.paths.layout)?.layout {
        Layout::Track(track) => track.every,
        _ => None,
    };
    Ok(Plan { requirements, asked, algorithm, params, is_auto, seed: job.run.seed, trash, every })
}
