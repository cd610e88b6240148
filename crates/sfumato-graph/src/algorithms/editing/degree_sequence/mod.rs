//! k-degree anonymity by a degree sequence: first the degrees that nodes are to get, then edges
//! that give them.

mod groups;
mod realise;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_kernels::seeded::Seeded;

use self::groups::{Group, Rule, greedy, optimal};
use self::realise::Realisation;
use crate::data::{Graph, edge};
use crate::traits::{Counted, EditingAlgorithm, Edits, GraphRequirement, GraphTask};

/// The algorithm `degree-sequence`, an entry of the registry.
pub struct DegreeSequence;

static INFO: Info = Info {
    name: "degree-sequence",
    summary: "degrees in groups of at least k, then edges that give each node its degree",
    papers: &[Paper {
        authors: "Kun Liu, Evimaria Terzi",
        title: "Towards identity anonymization on graphs",
        venue: "SIGMOD",
        year: 2008,
    }],
    params: &[
        ParamSpec::with_default(
            "edits",
            ParamKind::Choice(&["fewest", "add"]),
            "fewest",
            "which edges may change: add keeps every edge of the original (a supergraph), fewest \
             adds and deletes",
        ),
        ParamSpec::with_default(
            "grouping",
            ParamKind::Choice(&["optimal", "greedy"]),
            "optimal",
            "how degrees are grouped: optimal by dynamic programming in n k steps, greedy in n",
        ),
    ],
    doc: "Degrees, from the largest to the smallest, are cut into groups of k to 2k - 1. With \
          `edits=add` each group gets its largest degree; with `edits=fewest` its median as well, \
          and what changes fewer edges is taken. Dynamic programming finds the groups with the \
          least sum of changes whose degrees sum up to an even number.\n\n\
          Then edges are changed: nodes that have too many edges lose those between them, nodes \
          that lack some are joined, those that lack most first, edges turn from the former to the \
          latter. Where the two ends that are left are neighbours already, an edge that was added \
          moves, or a node of a large class goes to the class beside it. The paper relaxes by \
          noise \
          in the degrees and tries again; that is done here only where all else fails.\n\n\
          Choices between equal nodes are random, so that the same graph comes out differently. \
          n k steps for the groups, and for each changed edge a few look-ups.",
    capabilities: Capabilities { serves: &[Fact::Candidates], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// Graphs with fewer nodes are realised several times, and the best is taken.
const SMALL: usize = 50_000;
/// How often.
const TRIES: usize = 6;
/// How often at most, where no try gave every node its degree.
const MORE_TRIES: usize = 30;
/// How often noise is tried.
const NOISY_TRIES: usize = 60;
/// Graphs with more nodes aren't completed where nothing else helps.
const LARGEST_COMPLETE: usize = 2_000;

impl EditingAlgorithm for DegreeSequence {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn can_serve(&self, requirement: &GraphRequirement) -> bool {
        requirement.counted == Counted::Nodes && requirement.structure == Structure::Refined(1)
    }
    fn edit(&self, params: &Params, task: &GraphTask<'_>) -> Result<Edits> {
        let graph = task.graph;
        let adds = params.text("edits") == Some("add");
        let is_greedy = params.text("grouping") == Some("greedy");
        let k = usize::try_from(task.k).unwrap_or(usize::MAX).max(1);
        if k > graph.n() {
            return Err(Error::infeasible(format!("k is {k}, and there are {} nodes", graph.n())));
        }
        let mut random = Seeded::new(task.seed);
        let rules: &[Rule] = if adds { &[Rule::Raise] } else { &[Rule::Raise, Rule::Median] };
        let degrees = sorted_degrees(graph);
        let mut best: Option<Edits> = None;
        for rule in rules {
            let groups = match is_greedy && *rule == Rule::Raise {
                true => greedy(&degrees, k),
                false => optimal(&degrees, k, *rule),
            };
            let (tries, more) = if graph.n() < SMALL { (TRIES, MORE_TRIES) } else { (1, 1) };
            let mut is_found = false;
            for attempt in 0..more {
                if attempt >= tries && is_found {
                    break;
                }
                task.check_cancelled()?;
                let targets = spread(graph, &groups, &graph.degrees(), &mut random);
                let realisation = Realisation::new(graph, targets, (k as u32, !adds), &mut random);
                let found = realisation.run();
                is_found |= found.is_some();
                keep_better(&mut best, found);
            }
        }
        match best.or_else(|| last_resort(graph, k, adds, &mut random)) {
            Some(edits) => Ok(edits),
            None => Err(Error::infeasible(format!(
                "no edges were found that give every degree to {k} nodes"
            ))
            .hint("ask for a smaller k, or allow deletions with 'degree-sequence(edits=fewest)'")),
        }
    }
}

fn keep_better(best: &mut Option<Edits>, found: Option<Edits>) {
    if let Some(found) = found
        && best.as_ref().is_none_or(|best| found.count() < best.count())
    {
        *best = Some(found);
    }
}

fn sorted_degrees(graph: &Graph) -> Vec<u32> {
    let mut degrees = graph.degrees();
    degrees.sort_unstable_by_key(|degree| Reverse(*degree));
    degrees
}

/// The degree that each node gets: nodes in the order of the given degrees, those with the same one
/// in random order.
fn spread(graph: &Graph, groups: &[Group], degrees: &[u32], random: &mut Seeded) -> Vec<u32> {
    let mut nodes: Vec<u32> = graph.nodes().collect();
    random.shuffle(&mut nodes);
    nodes.sort_by_key(|node| Reverse(degrees[*node as usize]));
    let mut targets = vec![0; graph.n()];
    let mut start = 0;
    for group in groups {
        nodes[start..group.end].iter().for_each(|node| targets[*node as usize] = group.target);
        start = group.end;
    }
    targets
}

/// Where no edges were found for the degrees: other degrees, with noise, and at last a graph with
/// all edges or none.
fn last_resort(graph: &Graph, k: usize, adds: bool, random: &mut Seeded) -> Option<Edits> {
    if graph.n() > LARGEST_COMPLETE {
        return None;
    }
    let n = graph.n();
    let mut best = None;
    for attempt in 0..NOISY_TRIES {
        let mut wished = graph.degrees();
        for _ in 0..=attempt % n.max(1) {
            let node = random.below(n);
            wished[node] = (wished[node] + 1).min(n as u32 - 1);
        }
        let mut sorted = wished.clone();
        sorted.sort_unstable_by_key(|degree| Reverse(*degree));
        let groups = optimal(&sorted, k, Rule::Raise);
        let targets = spread(graph, &groups, &wished, random);
        keep_better(&mut best, Realisation::new(graph, targets, (k as u32, !adds), random).run());
    }
    let missing = (0..n as u32)
        .flat_map(|b| (0..b).map(move |a| edge(a, b)))
        .filter(|(a, b)| !graph.has(*a, *b));
    let mut added: Vec<_> = missing.collect();
    added.sort_unstable();
    keep_better(&mut best, Some(Edits { added, ..Edits::default() }));
    if !adds {
        let deleted = graph.edges().collect();
        keep_better(&mut best, Some(Edits { deleted, ..Edits::default() }));
    }
    best
}
