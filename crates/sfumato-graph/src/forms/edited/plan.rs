//! Decides what will run: models with their parameters, the algorithm, and how many nodes must be
//! alike.

use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use crate::algorithms::editing;
use crate::data::{Labels, Loaded};
use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::traits::{Counted, EditingAlgorithm, GraphRequirements, GraphTask};

/// What will run: models, algorithm and parameters.
pub struct EditPlan {
    /// Which models must hold.
    pub requirements: GraphRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static dyn EditingAlgorithm,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
    /// How many nodes must be alike.
    pub k: u64,
    /// The seed of random choices.
    pub seed: u64,
}

/// Plan a job about a graph.
pub fn make_plan(job: &Job, data: &Loaded) -> Result<EditPlan> {
    let requirements = crate::models::bind(&job.privacy.models)?;
    let is_auto = job.recode.algorithm == "auto";
    let algorithm = match is_auto {
        true => choose(&requirements)?,
        false => {
            let call: Call = job.recode.algorithm.parse()?;
            editing::find(&call.name).map_err(|error| {
                has_no_algorithm(error, &call.name, super::NAME, "graph-algorithms")
            })?
        }
    };
    let call: Call = match is_auto {
        true => algorithm.info().name.parse()?,
        false => job.recode.algorithm.parse()?,
    };
    let params = Params::check(algorithm.info(), &call.args)?;
    if let Some(other) = requirements.all.iter().find(|one| !algorithm.can_serve(one)) {
        return Err(Error::unsupported(format!(
            "{} can't serve {}: it doesn't look at {}",
            algorithm.info().name,
            other.model,
            other.structure.describe()
        ))
        .hint(
            "leave --algorithm out, or take another; 'sfumato list graph-algorithms' shows all",
        ));
    }
    check_labels(&requirements, data.labels.as_ref())?;
    let (k, n) = (requirements.k(), data.graph.n() as u64);
    if k > n {
        return Err(Error::infeasible(format!("k is {k}, and there are {n} nodes")).hint(
            "nobody can hide among more nodes than there are: ask for a smaller k, or bring more \
             data",
        ));
    }
    let seed = match job.run.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?,
    };
    Ok(EditPlan { requirements, algorithm, params, is_auto, k, seed })
}

/// Refuse a model about labels where nodes have none.
pub(crate) fn check_labels(
    requirements: &GraphRequirements,
    labels: Option<&Labels>,
) -> Result<()> {
    let about_labels = |one: &&crate::traits::GraphRequirement| one.counted == Counted::Labels;
    match requirements.all.iter().find(about_labels) {
        Some(one) if labels.is_none() => {
            Err(Error::params(format!("{} needs a label for each node", one.model)).hint(
                "name a file of nodes and labels with --labels, or an attribute with --label",
            ))
        }
        _ => Ok(()),
    }
}

/// The first algorithm that serves every model.
fn choose(requirements: &GraphRequirements) -> Result<&'static dyn EditingAlgorithm> {
    let serves = |algorithm: &&&'static dyn EditingAlgorithm| {
        requirements.all.iter().all(|one| algorithm.can_serve(one))
    };
    editing::ALL.iter().find(serves).copied().ok_or_else(|| {
        let texts: Vec<&str> = requirements.all.iter().map(|one| one.text.as_str()).collect();
        Error::unsupported(format!(
            "no algorithm that changes edges serves {} together",
            texts.join(", ")
        ))
        .hint("'sfumato list graph-algorithms' shows what each serves")
    })
}

impl EditPlan {
    /// The task of the algorithm.
    pub fn task<'a>(
        &'a self,
        data: &'a Loaded,
        observer: &'a dyn sfumato_core::observer::Observer,
    ) -> GraphTask<'a> {
        GraphTask {
            graph: &data.graph,
            labels: data.labels.as_ref(),
            requirements: &self.requirements.all,
            k: self.k,
            seed: self.seed,
            observer,
        }
    }
}
