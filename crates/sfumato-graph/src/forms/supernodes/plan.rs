//! Decides what will run: models with their parameters, the algorithm, and how many nodes a
//! supernode must have.

use sfumato_core::facts::Fact;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use super::NAME;
use crate::algorithms::supernodes;
use crate::data::Loaded;
use crate::forms::edited::plan::check_sensitive;
use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::traits::{ClusteringAlgorithm, GraphRequirements, GraphTask};

/// Graphs with more nodes aren't annealed unless the job says so.
const LARGE: usize = 3_000;

/// What will run: models, algorithm and parameters.
pub struct SupernodePlan {
    /// Which models must hold.
    pub requirements: GraphRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn ClusteringAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many nodes a supernode must have.
    pub k: u64,
    /// The seed of random choices.
    pub seed: u64,
}

/// Plan a job about a graph.
pub fn make_plan(job: &Job, data: &Loaded) -> Result<SupernodePlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    check_sensitive(&requirements, data)?;
    // How often supernodes are joined isn't looked at by what makes them.
    let made = [Fact::Supernodes, Fact::Candidates, Fact::SensitiveEdges];
    if let Some(other) = requirements.all.iter().find(|one| !made.contains(&one.asks())) {
        return Err(Error::unsupported(format!(
            "{} can't be served by supernodes: nothing that makes them looks at {}",
            other.model,
            other.asks().describe()
        ))
        .hint("leave it out, or ask for models about edges alone"));
    }
    if data.labels.is_some() {
        return Err(Error::unsupported("labels of nodes aren't published with supernodes")
            .hint("leave --label and --labels out"));
    }
    let is_auto = job.recode.algorithm == "auto";
    let call: Call = match (is_auto, data.graph.n() > LARGE) {
        (false, _) => job.recode.algorithm.parse()?,
        (true, false) => "supernode-annealing".parse()?,
        (true, true) => "supernode-moves".parse()?,
    };
    let algorithm = supernodes::find(&call.name)
        .map_err(|error| has_no_algorithm(error, &call.name, NAME, "supernode-algorithms"))?;
    let params = Params::check(algorithm.info(), &call.args)?;
    let (k, n) = (requirements.k(), data.graph.n() as u64);
    if k > n {
        return Err(Error::infeasible(format!("k is {k}, and there are {n} nodes"))
            .hint("ask for a smaller k, or bring more data"));
    }
    let seed = match job.run.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?,
    };
    Ok(SupernodePlan { requirements, algorithm, params, is_auto, k, seed })
}

impl SupernodePlan {
    /// The task of the algorithm.
    pub fn task<'a>(&'a self, data: &'a Loaded, observer: &'a dyn Observer) -> GraphTask<'a> {
        GraphTask {
            graph: &data.graph,
            labels: None,
            label_tree: &data.label_tree,
            sensitive: data.sensitive(),
            requirements: &self.requirements.all,
            k: self.k,
            seed: self.seed,
            observer,
        }
    }
}
