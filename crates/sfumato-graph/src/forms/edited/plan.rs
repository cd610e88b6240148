//! Decides what will run: models with their parameters, the algorithm, and how many nodes must be
//! alike.

use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use crate::algorithms::editing;
use crate::data::{Labels, Loaded};
use crate::forms::has_no_algorithm;
use crate::job::Job;
use crate::models::k_automorphism::functions_file;
use crate::traits::{
    Counted, EditingAlgorithm, Edits, GraphRequirement, GraphRequirements, GraphTask,
};

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
    if functions_file(&job.privacy.models)?.is_some() {
        return Err(Error::params(
            "functions=.. is for audits: a release states its own functions",
        )
        .hint("leave it away; the numbers of nodes say which functions map the graph"));
    }
    check_sensitive(&requirements, data)?;
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
    let served = others(&requirements);
    if let Some(other) = served.iter().find(|one| !algorithm.can_serve(one)) {
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
    let about_labels = |one: &&GraphRequirement| one.counted == Counted::Labels;
    match requirements.all.iter().find(about_labels) {
        Some(one) if labels.is_none() => {
            Err(Error::params(format!("{} needs a label for each node", one.model)).hint(
                "name a file of nodes and labels with --labels, or an attribute with --label",
            ))
        }
        _ => Ok(()),
    }
}

/// The requirements that an algorithm must serve: hidden edges are left out before it begins,
/// unless nothing else is asked for.
fn others(requirements: &GraphRequirements) -> Vec<&GraphRequirement> {
    let is_other = |one: &&GraphRequirement| !matches!(one.counted, Counted::Sensitive { .. });
    let others: Vec<&GraphRequirement> = requirements.all.iter().filter(is_other).collect();
    if others.is_empty() { requirements.all.iter().collect() } else { others }
}

/// Refuse a model about sensitive edges where none are named, and sensitive edges about which
/// nothing is asked.
pub(crate) fn check_sensitive(requirements: &GraphRequirements, data: &Loaded) -> Result<()> {
    let is_about = |one: &GraphRequirement| matches!(one.counted, Counted::Sensitive { .. });
    match (requirements.all.iter().any(is_about), data.sensitive.is_some()) {
        (true, true) if data.sensitive().is_empty() => {
            Err(Error::input("no edge is of a kind that must not be known")
                .in_file(&data.source.path)
                .hint("look at the kinds that sensitive=.. names"))
        }
        (true, false) => Err(Error::params("hidden-edges needs edges that must not be known")
            .hint("name a file of them with --sensitive-edges, or their kind in the layout")),
        (false, true) => Err(Error::params("sensitive edges are named, and no model hides them")
            .hint("add --model 'hidden-edges'")),
        _ => Ok(()),
    }
}

/// The first algorithm that serves every model.
fn choose(requirements: &GraphRequirements) -> Result<&'static dyn EditingAlgorithm> {
    let asked = others(requirements);
    let serves = |algorithm: &&&'static dyn EditingAlgorithm| {
        asked.iter().all(|one| algorithm.can_serve(one))
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

/// How often an algorithm is asked again where it joins nodes whose edge must not be known.
const TRIES: u64 = 20;

impl EditPlan {
    /// Ask the algorithm. Where edges must not be known and it looks at something else, it works on
    /// what is left without them.
    pub fn edit(
        &self,
        data: &Loaded,
        observer: &dyn sfumato_core::observer::Observer,
    ) -> Result<Edits> {
        let task = self.task(data, observer);
        let sensitive = data.sensitive();
        let hides = |one: &GraphRequirement| matches!(one.counted, Counted::Sensitive { .. });
        if sensitive.is_empty() || self.requirements.all.iter().all(hides) {
            return self.algorithm.edit(&self.params, &task);
        }
        let open = data.open_graph();
        for attempt in 0..TRIES {
            let seed = self.seed.wrapping_add(attempt);
            let mut edits =
                self.algorithm.edit(&self.params, &GraphTask { graph: &open, seed, ..task })?;
            if edits.added.iter().all(|edge| sensitive.binary_search(edge).is_err()) {
                edits.deleted.extend(sensitive);
                edits.deleted.sort_unstable();
                return Ok(edits);
            }
        }
        Err(Error::infeasible("nodes whose edge must not be known are joined again each time")
            .hint("ask for a smaller k, or name fewer sensitive edges"))
    }

    /// The task of the algorithm.
    pub fn task<'a>(
        &'a self,
        data: &'a Loaded,
        observer: &'a dyn sfumato_core::observer::Observer,
    ) -> GraphTask<'a> {
        GraphTask {
            graph: &data.graph,
            labels: data.labels.as_ref(),
            label_tree: &data.label_tree,
            sensitive: data.sensitive(),
            requirements: &self.requirements.all,
            k: self.k,
            seed: self.seed,
            observer,
        }
    }
}
