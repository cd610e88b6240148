//! Releases of a graph in memory, their shape, and what attackers find in them.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Argument, Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::Chance;
use sfumato_graph::algorithms::{editing, randomizing, supernodes};
use sfumato_graph::attacks::{self, GraphStage};
use sfumato_graph::data::read::read_layout;
use sfumato_graph::data::{Graph, Layout, Supernodes};
use sfumato_graph::metrics::shape;
use sfumato_graph::traits::GraphTask;
use sfumato_io::ReadOptions;

/// Read a graph; at most so many of its nodes, those that come first.
pub(super) fn read_graph(path: &Path, most: usize) -> Result<Graph> {
    let layout = Layout::parse("edges")?;
    let path = path.display().to_string();
    let graph = read_layout(&path, &layout, None, &ReadOptions::default(), &Unobserved)?.graph;
    if graph.n() <= most {
        return Ok(graph);
    }
    let edges: Vec<(u32, u32)> =
        graph.edges().filter(|(a, b)| (*a as usize) < most && (*b as usize) < most).collect();
    Graph::simple(most, &edges)
}

/// Five figures of a graph.
pub(super) struct Shape([f64; 5]);

impl Shape {
    /// The figures of a graph; what is sampled starts from a seed.
    pub fn of(graph: &Graph, seed: u64) -> Shape {
        let [first, second] = shape::eigenvalues(graph).unwrap_or([0.0; 2]);
        Shape([
            shape::clustering(graph, seed),
            shape::path_length(graph, seed).unwrap_or(0.0),
            first,
            second,
            shape::largest_component(graph),
        ])
    }

    /// The mean of the relative changes from these figures to others.
    pub fn cost(&self, after: &Shape) -> f64 {
        let change = |(before, after): (&f64, &f64)| match *before > 0.0 {
            true => (after - before).abs() / before,
            false => f64::from(u8::from(after != before)),
        };
        self.0.iter().zip(&after.0).map(change).sum::<f64>() / self.0.len() as f64
    }
}

/// A graph with edges chosen by an algorithm for k.
pub(super) fn edited(graph: &Graph, algorithm: &str, k: u64, seed: u64) -> Result<Graph> {
    let call: Call = algorithm.parse()?;
    let algorithm = editing::find(&call.name)?;
    let params = Params::check(algorithm.info(), &call.args)?;
    let task = GraphTask { k, seed, ..GraphTask::of(graph, &Unobserved) };
    algorithm.edit(&params, &task)?.apply(graph)
}

/// A graph with a share of its edges changed at random.
pub(super) fn randomized(graph: &Graph, name: &str, share: f64, seed: u64) -> Result<Graph> {
    let algorithm = randomizing::find(name)?;
    let args: BTreeMap<String, Argument> =
        [("share".to_string(), Argument::Word(share.to_string()))].into();
    let params = Params::check(algorithm.info(), &args)?;
    algorithm.randomize(&params, graph, seed)?.apply(graph)
}

/// How many supernodes a graph is published as, and a graph that fits them.
pub(super) fn clustered(graph: &Graph, k: u64, seed: u64) -> Result<(usize, Graph)> {
    let algorithm = supernodes::find("supernode-moves")?;
    let params = Params::check(algorithm.info(), &BTreeMap::new())?;
    let task = GraphTask { k, seed, ..GraphTask::of(graph, &Unobserved) };
    let published = Supernodes::of(graph, &algorithm.cluster(&params, &task)?);
    let world = published.world(seed);
    Ok((published.sizes.len(), world))
}

/// The rate of an attack with some knowledge on a release whose nodes have the numbers of the
/// original: no attack looks at numbers.
pub(super) fn attacked(
    original: &Graph,
    release: &Graph,
    name: &str,
    knowledge: &str,
    seed: u64,
) -> Result<f64> {
    let attack = attacks::ALL.iter().find(|attack| attack.info().name == name);
    let attack = attack.ok_or_else(|| Error::internal("an attack isn't in its list"))?;
    let args: BTreeMap<String, Argument> =
        [("knowledge".to_string(), Argument::Word(knowledge.into()))].into();
    let params = Params::check(attack.info(), &args)?;
    let stage = GraphStage::of(original.clone(), release.clone(), original.nodes().collect());
    let outcome = attack.play(&params, &stage, &mut Chance::new(seed))?;
    outcome.score.rate().ok_or_else(|| Error::internal("nobody was attacked"))
}
