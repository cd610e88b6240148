//! Supernodes by simulated annealing: one supernode of all is split, merged and has nodes moved, as
//! long as fewer graphs fit.

use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_kernels::seeded::Seeded;

use super::blocks::Blocks;
use crate::models::candidates::HAY;
use crate::traits::{ClusteringAlgorithm, GraphTask};

/// The algorithm `supernode-annealing`, an entry of the registry.
pub struct SupernodeAnnealing;

static INFO: Info = Info {
    name: "supernode-annealing",
    summary: "one supernode of all, split, merged and moved as long as fewer graphs fit",
    papers: &[HAY],
    params: &[ParamSpec::with_default(
        "steps",
        ParamKind::Integer { min: 1, max: 1_000_000_000 },
        "200000",
        "how many moves are tried at most",
    )],
    doc: "The search begins with one supernode of all nodes. A move splits a supernode in two, \
          merges two, or puts a node into the supernode of a node nearby; every supernode keeps at \
          least k nodes. A move is taken if fewer graphs fit afterwards, and else by a chance that \
          falls with the number of graphs and with time. It ends when fewer than a tenth of the \
          last thousand moves were taken and nothing got better, or after `steps` moves, with the \
          best that was seen.\n\n\
          For graphs of some thousand nodes: each move costs as many steps as two supernodes have \
          neighbours.",
    capabilities: Capabilities {
        serves: &[Fact::Supernodes, Fact::Candidates],
        anytime: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

/// How many moves are looked at to see whether any are taken.
const WINDOW: u64 = 1_000;

impl ClusteringAlgorithm for SupernodeAnnealing {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn cluster(&self, params: &Params, task: &GraphTask<'_>) -> Result<Vec<u32>> {
        let (graph, k) = (task.graph, task.k.max(1));
        if k > graph.n() as u64 {
            return Err(Error::infeasible(format!("k is {k}, and there are {} nodes", graph.n())));
        }
        let mut random = Seeded::new(task.seed);
        let mut blocks = Blocks::new(graph, vec![0; graph.n()]);
        let mut cost = blocks.cost_of(&[0]);
        let mut best = (cost, blocks.of.clone());
        let steps = params.count("steps");
        // The first moves may make things worse by about the cost of one edge.
        let warmest = (cost / graph.m().max(1) as f64).max(1e-9);
        let (mut taken, mut improved) = (0, false);
        for step in 0..steps {
            if step % 256 == 0 {
                task.check_cancelled()?;
                if task.observer.enough() {
                    break;
                }
            }
            let heat = warmest * (1.0 - step as f64 / steps as f64).powi(2);
            if let Some(change) = propose(&mut blocks, k, heat, &mut random) {
                cost += change;
                taken += 1;
                if cost < best.0 - 1e-9 {
                    best = (cost, blocks.of.clone());
                    improved = true;
                }
            }
            if step % WINDOW == WINDOW - 1 {
                if taken * 10 < WINDOW && !improved {
                    break;
                }
                (taken, improved) = (0, false);
            }
        }
        Ok(Blocks::new(graph, best.1).finish())
    }
}

/// Try one move. Returns by how much the cost changed if it was taken.
fn propose(blocks: &mut Blocks<'_>, k: u64, heat: f64, random: &mut Seeded) -> Option<f64> {
    match random.below(10) {
        0..=1 => split(blocks, k, heat, random),
        2 => merge(blocks, heat, random),
        _ => shift(blocks, k, heat, random),
    }
}

/// Whether a change of cost is taken.
fn accepts(change: f64, heat: f64, random: &mut Seeded) -> bool {
    let chance = random.below(1 << 30) as f64 / f64::from(1 << 30);
    change < 0.0 || (heat > 0.0 && chance < (-change / heat).exp())
}

fn any_node(blocks: &Blocks<'_>, random: &mut Seeded) -> u32 {
    random.below(blocks.of.len()) as u32
}

/// Put a node into another supernode.
fn shift(blocks: &mut Blocks<'_>, k: u64, heat: f64, random: &mut Seeded) -> Option<f64> {
    let node = any_node(blocks, random);
    let other = any_node(blocks, random);
    let (from, to) = (blocks.of[node as usize], blocks.of[other as usize]);
    if from == to || blocks.size(from) <= k {
        return None;
    }
    let before = blocks.cost_of(&[from, to]);
    blocks.shift(node, to);
    let change = blocks.cost_of(&[from, to]) - before;
    match accepts(change, heat, random) {
        true => Some(change),
        false => {
            blocks.shift(node, from);
            None
        }
    }
}

/// Split a supernode: a node, those nearest to it, and others until there are k.
fn split(blocks: &mut Blocks<'_>, k: u64, heat: f64, random: &mut Seeded) -> Option<f64> {
    let group = blocks.of[any_node(blocks, random) as usize];
    if blocks.size(group) < 2 * k {
        return None;
    }
    let mut leaving = blocks.members[group as usize].clone();
    leaving.sort_unstable();
    random.shuffle(&mut leaving);
    let most = blocks.size(group) - k;
    leaving.truncate((k + random.below((most - k + 1) as usize) as u64) as usize);
    let before = blocks.cost_of(&[group]);
    let empty = blocks.members.iter().position(Vec::is_empty);
    let new = empty.map_or_else(|| blocks.add(), |place| place as u32);
    leaving.iter().for_each(|node| blocks.shift(*node, new));
    let change = blocks.cost_of(&[group, new]) - before;
    match accepts(change, heat, random) {
        true => Some(change),
        false => {
            leaving.iter().for_each(|node| blocks.shift(*node, group));
            None
        }
    }
}

/// Merge two supernodes.
fn merge(blocks: &mut Blocks<'_>, heat: f64, random: &mut Seeded) -> Option<f64> {
    let (one, other) = (any_node(blocks, random), any_node(blocks, random));
    let (from, to) = (blocks.of[one as usize], blocks.of[other as usize]);
    if from == to {
        return None;
    }
    let before = blocks.cost_of(&[from, to]);
    let moved = blocks.members[from as usize].clone();
    moved.iter().for_each(|node| blocks.shift(*node, to));
    let change = blocks.cost_of(&[to]) - before;
    match accepts(change, heat, random) {
        true => Some(change),
        false => {
            moved.iter().for_each(|node| blocks.shift(*node, from));
            None
        }
    }
}
