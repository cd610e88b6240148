//! Supernodes for large graphs: nodes that are near each other are put together, then nodes move to
//! the supernodes of their neighbours as long as fewer graphs fit.

use std::cmp::Reverse;
use std::collections::VecDeque;

use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastMap, Result};
use sfumato_kernels::seeded::Seeded;

use super::blocks::Blocks;
use crate::data::Graph;
use crate::models::candidates::HAY;
use crate::traits::{ClusteringAlgorithm, GraphTask};

/// The algorithm `supernode-moves`, an entry of the registry.
pub struct SupernodeMoves;

static INFO: Info = Info {
    name: "supernode-moves",
    summary: "nodes near each other in supernodes of k, then nodes exchanged while fewer graphs \
          fit",
    papers: &[HAY],
    params: &[ParamSpec::with_default(
        "rounds",
        ParamKind::Integer { min: 0, max: 1_000 },
        "3",
        "how often all nodes are looked at",
    )],
    doc: "Our own, for graphs that annealing can't cope with. Nodes are gathered along edges: from \
          the node with the most edges on, a supernode takes unplaced neighbours of what it has, \
          those that share most with it first, until it has k. What is left over joins supernodes \
          of its neighbours. Then, in rounds, each node tries the supernodes of a few of its \
          neighbours and of their neighbours: it goes there, or changes places with a node of \
          there, if fewer graphs fit. Every supernode keeps at least k nodes.",
    capabilities: Capabilities {
        serves: &[Fact::Supernodes, Fact::Candidates],
        anytime: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// How many supernodes a node tries in a round.
const TRIED: usize = 4;

impl ClusteringAlgorithm for SupernodeMoves {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn cluster(&self, params: &Params, task: &GraphTask<'_>) -> Result<Vec<u32>> {
        let (graph, k) = (task.graph, task.k.max(1));
        if k > graph.n() as u64 {
            return Err(Error::infeasible(format!("k is {k}, and there are {} nodes", graph.n())));
        }
        let mut random = Seeded::new(task.seed);
        let mut blocks = Blocks::new(graph, gather(graph, k as usize, &mut random));
        let mut order: Vec<u32> = graph.nodes().collect();
        for _ in 0..params.count("rounds") {
            let mut has_changed = false;
            random.shuffle(&mut order);
            for (place, node) in order.iter().enumerate() {
                if place % 1024 == 0 {
                    task.check_cancelled()?;
                    if task.observer.enough() {
                        return Ok(blocks.finish());
                    }
                }
                has_changed |= improve(&mut blocks, graph, *node, k, &mut random);
            }
            if !has_changed {
                break;
            }
        }
        Ok(blocks.finish())
    }
}

/// Supernodes of at least k nodes that lie near each other.
fn gather(graph: &Graph, k: usize, random: &mut Seeded) -> Vec<u32> {
    let mut order: Vec<u32> = graph.nodes().collect();
    random.shuffle(&mut order);
    order.sort_by_key(|node| Reverse(graph.degree(*node)));
    let mut of = vec![u32::MAX; graph.n()];
    let mut left: VecDeque<u32> = order.into_iter().collect();
    let (mut groups, mut free) = (0, graph.n());
    while free >= k {
        let mut size = 0;
        // How many edges lead from the supernode to each free node around it.
        let mut around: FastMap<u32, u32> = FastMap::default();
        while size < k {
            let nearest = around.iter().max_by_key(|(node, edges)| {
                (**edges, Reverse(graph.degree(**node)), Reverse(**node))
            });
            let next = nearest.map(|(node, _)| *node).or_else(|| {
                std::iter::from_fn(|| left.pop_front()).find(|node| of[*node as usize] == u32::MAX)
            });
            let Some(node) = next else { break };
            around.remove(&node);
            of[node as usize] = groups;
            (size, free) = (size + 1, free - 1);
            for other in graph.neighbours(node).iter().take(4 * k) {
                if of[*other as usize] == u32::MAX {
                    *around.entry(*other).or_insert(0) += 1;
                }
            }
        }
        groups += 1;
    }
    for node in graph.nodes() {
        if of[node as usize] == u32::MAX {
            let around = graph.neighbours(node).iter().map(|other| of[*other as usize]);
            let found = around.filter(|group| *group != u32::MAX).min();
            of[node as usize] = found.unwrap_or(0);
        }
    }
    of
}

/// Put a node elsewhere, or exchange it, if fewer graphs fit then.
fn improve(blocks: &mut Blocks<'_>, graph: &Graph, node: u32, k: u64, random: &mut Seeded) -> bool {
    let around = graph.neighbours(node);
    if around.is_empty() {
        return false;
    }
    for _ in 0..TRIED {
        let near = around[random.below(around.len())];
        let beyond = graph.neighbours(near);
        let near = match random.below(2) {
            0 => near,
            _ => beyond[random.below(beyond.len())],
        };
        let (from, to) = (blocks.of[node as usize], blocks.of[near as usize]);
        if from == to {
            continue;
        }
        let before = blocks.cost_of(&[from, to]);
        blocks.shift(node, to);
        let partner = match blocks.size(from) < k {
            false => None,
            true => {
                let members = &blocks.members[to as usize];
                let partner = members[random.below(members.len())];
                if partner == node {
                    blocks.shift(node, from);
                    continue;
                }
                blocks.shift(partner, from);
                Some(partner)
            }
        };
        if blocks.cost_of(&[from, to]) < before - 1e-9 {
            return true;
        }
        if let Some(partner) = partner {
            blocks.shift(partner, to);
        }
        blocks.shift(node, from);
    }
    false
}
