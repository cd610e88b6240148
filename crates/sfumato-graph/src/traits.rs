//! What models, algorithms and metrics of graphs bring.

use sfumato_core::candidates::{Linked, Structure};
use sfumato_core::facts::{Fact, Facts, Least, Promises, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Info, Params};
use sfumato_core::traits::{Direction, Measure};
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::{Edge, FLAT, Graph, LabelTree, Labels};

/// A privacy model for graphs: an entry of the registry.
pub trait GraphModel: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// Bind the model to its parameters.
    fn bind(&self, params: &Params) -> Result<GraphRequirement>;
}

/// What is counted of candidate sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Counted {
    /// The nodes that are alike.
    Nodes,
    /// The different labels of nodes that are alike.
    Labels,
    /// Pairs of nodes of two candidate sets that are near each other, as a share of all pairs.
    Links {
        /// How many edges may lead from one to the other.
        length: u8,
        /// The largest share.
        most: f64,
    },
    /// Edges that must not be known and are published.
    Sensitive {
        /// The largest share of them.
        most: f64,
    },
}

/// A model with its parameters: candidate sets of some sense have at least so many of something.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphRequirement {
    /// The model's name.
    pub model: &'static str,
    /// The model's name with its parameters, as a user would write it.
    pub text: String,
    /// Which nodes are candidates for each other.
    pub structure: Structure,
    /// What is counted.
    pub counted: Counted,
    /// At least how many there must be.
    pub required: u64,
}

impl GraphRequirement {
    /// The fact that it is judged on.
    pub fn asks(&self) -> Fact {
        match (self.counted, self.structure) {
            (Counted::Labels, _) => Fact::CandidateLabels,
            (Counted::Links { .. }, _) => Fact::Links,
            (Counted::Sensitive { .. }, _) => Fact::SensitiveEdges,
            (Counted::Nodes, Structure::Automorphism) => Fact::Automorphisms,
            (Counted::Nodes, Structure::Supernode) => Fact::Supernodes,
            (
                Counted::Nodes,
                Structure::Refined(_) | Structure::Neighbourhood | Structure::Subgraph(_),
            ) => Fact::Candidates,
        }
    }

    /// Judge it on the facts of a release.
    pub fn judge(&self, facts: &dyn Facts) -> Result<Guarantee> {
        let refused = || cannot_state(self.model, self.asks().describe(), facts);
        let candidates = facts.candidates().ok_or_else(refused)?;
        let (measure, found): (_, Option<Least>) = match self.counted {
            Counted::Nodes => ("k", candidates.least(self.structure, self.required)?),
            Counted::Labels => ("l", candidates.labels(self.structure, self.required)?),
            Counted::Links { length, most } => {
                let found = candidates.links(self.structure, length, most)?;
                let Linked { most: found, violations } = found.ok_or_else(refused)?;
                return Ok(self.at_most(("certainty", most), found, violations));
            }
            Counted::Sensitive { most } => {
                let (published, all) = candidates.sensitive_edges().ok_or_else(refused)?;
                let share = published as f64 / all.max(1) as f64;
                let violations = if share > most { published } else { 0 };
                // It speaks of edges of the original, which a recipient can't see.
                let found = self.at_most(("published", most), share, violations);
                return Ok(Guarantee { scope: "linked", ..found });
            }
        };
        let found = found.ok_or_else(refused)?;
        let promise = (self.model, self.text.clone());
        Ok(Guarantee::at_least(promise, (measure, "class"), self.required, found))
    }

    /// The guarantee that a share is at most a number.
    fn at_most(
        &self,
        (name, required): (&'static str, f64),
        achieved: f64,
        violations: u64,
    ) -> Guarantee {
        Guarantee {
            model: self.model,
            requirement: self.text.clone(),
            scope: "class",
            measure: Measure { name, required, direction: Direction::AtMost },
            achieved,
            holds: violations == 0,
            violations,
        }
    }
}

/// All requirements for a release.
#[derive(Debug, Clone, Default)]
pub struct GraphRequirements {
    /// The requirements, in the order in which they were asked for.
    pub all: Vec<GraphRequirement>,
}

impl GraphRequirements {
    /// The largest number of nodes that any requirement asks for.
    pub fn k(&self) -> u64 {
        let counts = self.all.iter().filter(|one| one.counted == Counted::Nodes);
        counts.map(|one| one.required).max().unwrap_or(1)
    }
}

impl Promises for GraphRequirements {
    fn describe(&self) -> Vec<String> {
        self.all.iter().map(|requirement| requirement.text.clone()).collect()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        self.all.iter().map(|requirement| requirement.judge(facts)).collect()
    }
}

/// The task of an algorithm that changes edges.
#[derive(Clone, Copy)]
pub struct GraphTask<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The labels of its nodes, if they have some.
    pub labels: Option<&'a Labels>,
    /// What their labels may be published as.
    pub label_tree: &'a LabelTree,
    /// Edges that must not be known.
    pub sensitive: &'a [Edge],
    /// What must hold.
    pub requirements: &'a [GraphRequirement],
    /// How many nodes must be alike; never more than there are.
    pub k: u64,
    /// The seed of random choices: the same seed gives the same result.
    pub seed: u64,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl<'a> GraphTask<'a> {
    /// A task about a graph without labels, of which nothing is asked yet.
    pub fn of(graph: &'a Graph, observer: &'a dyn Observer) -> GraphTask<'a> {
        GraphTask {
            graph,
            labels: None,
            label_tree: &FLAT,
            sensitive: &[],
            requirements: &[],
            k: 1,
            seed: 0,
            observer,
        }
    }

    /// Return an error if the user asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }
}

/// The edges that are to be changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    /// Edges that the original hasn't, ascending.
    pub added: Vec<Edge>,
    /// Edges of the original that aren't published, ascending.
    pub deleted: Vec<Edge>,
    /// The cycles of nodes that a function turns which maps the graph to itself, if there is one.
    /// All have the same size but for the last, which may have more. Nodes are numbered cycle by
    /// cycle, so that the release states the function.
    pub cycles: Option<Vec<Vec<u32>>>,
    /// The label that each node is published with, where labels are generalized.
    pub labels: Option<Vec<String>>,
    /// What the algorithm found out on the way, for the report.
    pub findings: Vec<(&'static str, u64)>,
}

impl Edits {
    /// How many edges are changed.
    pub fn count(&self) -> u64 {
        (self.added.len() + self.deleted.len()) as u64
    }

    /// The graph with these edges changed.
    pub fn apply(&self, graph: &Graph) -> Result<Graph> {
        let mut deleted = self.deleted.clone();
        deleted.sort_unstable();
        let kept = graph.edges().filter(|edge| deleted.binary_search(edge).is_err());
        let edges: Vec<Edge> = kept.chain(self.added.iter().copied()).collect();
        Graph::simple(graph.n(), &edges)
    }
}

/// An algorithm that adds and deletes edges: an entry of the registry. It decides; it doesn't
/// write or verify.
pub trait EditingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find edges to change such that the requirements hold.
    fn edit(&self, params: &Params, task: &GraphTask<'_>) -> Result<Edits>;
    /// Whether it makes graphs in which a requirement holds.
    fn can_serve(&self, requirement: &GraphRequirement) -> bool;
}

/// An algorithm that changes edges at random and promises nothing: an entry of the registry.
pub trait RandomizingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Draw edges to change. The same seed gives the same edges.
    fn randomize(&self, params: &Params, graph: &Graph, seed: u64) -> Result<Edits>;
}

/// An algorithm that puts nodes into supernodes: an entry of the registry.
pub trait ClusteringAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find a supernode for each node, such that each has at least `task.k` nodes. Supernodes are
    /// numbered from 0 without gaps.
    fn cluster(&self, params: &Params, task: &GraphTask<'_>) -> Result<Vec<u32>>;
}

/// What a metric sees: the original, and the release with the numbers of the original.
#[derive(Clone, Copy)]
pub struct GraphView<'a> {
    /// The original.
    pub original: &'a Graph,
    /// The release.
    pub published: &'a Graph,
    /// The labels of nodes, if they have some.
    pub labels: Option<&'a Labels>,
    /// The seed of whatever is sampled. It is no secret.
    pub seed: u64,
}

/// A utility metric for graphs: an entry of the registry.
pub trait GraphMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &GraphView<'_>) -> Option<f64>;
}
