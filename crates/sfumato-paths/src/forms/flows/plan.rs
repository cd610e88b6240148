//! Decides what will run: models with their parameters, and the algorithm.

use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;
use sfumato_io::ReadOptions;

use super::{ALGORITHMS, NAME};
use crate::algorithms::flows::{self, FlowAlgorithm};
use crate::data::lines::NEVER;
use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::models::{self, PathRequirements};

/// The algorithm that runs where the job names none.
const AUTO: &str = "small-count-suppression";

/// What will run.
pub struct Plan {
    /// Which models must hold.
    pub requirements: PathRequirements,
    /// The least count that may be published.
    pub k: Option<u64>,
    /// The algorithm that decides.
    pub algorithm: &'static dyn FlowAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// The places that everybody knows.
    pub places: Option<Vec<String>>,
}

/// Plan a job.
pub fn make_plan(job: &Job, observer: &dyn Observer) -> Result<Plan> {
    let requirements = match job.privacy.models.is_empty() {
        true => PathRequirements::default(),
        false => models::bind(&job.privacy.models)?,
    };
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = if is_auto { AUTO.parse()? } else { job.recode.algorithm.parse()? };
    let algorithm = flows::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, NAME, ALGORITHMS))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    if let Some(other) = requirements.all.iter().find(|one| one.flows().is_none()) {
        let message = format!("{} doesn't serve {}", algorithm.info().name, other.model());
        return Err(Error::unsupported(message).hint("ask for it in a release of its own"));
    }
    let k = requirements.all.iter().filter_map(|one| one.flows()).max();
    if k.is_none() && !algorithm.is_random() {
        return Err(Error::params("no privacy model was asked for")
            .hint("say --model 'flow-size(k=10)' for exact counts of at least ten people"));
    }
    let places = match params.text("places") {
        None => None,
        Some(file) => Some(read_places(&resolve(&job.base, file), observer)?),
    };
    Ok(Plan { requirements, k, algorithm, params, is_auto, places })
}

/// The lines of a file, each once.
fn read_places(file: &str, observer: &dyn Observer) -> Result<Vec<String>> {
    let options =
        ReadOptions { header: Some(false), delimiter: Some(NEVER), ..ReadOptions::default() };
    let table = sfumato_io::read(file, &options, &mut sfumato_io::select_all, observer)?;
    let mut places: Vec<String> = Vec::new();
    if let Some(column) = table.columns.first() {
        places.extend(column.values.iter().map(|name| name.trim().to_string()));
    }
    places.retain(|name| !name.is_empty());
    places.sort_unstable();
    places.dedup();
    match places.is_empty() {
        true => Err(Error::input("the file has no places in it").in_file(file)),
        false => Ok(places),
    }
}
