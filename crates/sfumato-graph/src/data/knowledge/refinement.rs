//! The queries H_i of Hay, Miklau, Jensen, Towsley and Weis: H_0 is the label of a node, H_1 its
//! degree, and H_i the multiset of what its neighbours answer to H_(i-1).
//!
//! Hashes only bring candidates together: what counts as alike was compared in full.

use rayon::prelude::*;
use sfumato_engine::hash::{HASH_START, mix};

use super::alike::Alike;
use crate::data::{Graph, Labels};

/// Which nodes answer alike to H_i.
pub fn refined(graph: &Graph, labels: Option<&Labels>, i: u8) -> Alike {
    refined_all(graph, labels, i).pop().unwrap_or_else(|| Alike::all(graph.n()))
}

/// Which nodes answer alike to each of H_0 to H_i. H_1 is the degree, whatever labels there are.
pub fn refined_all(graph: &Graph, labels: Option<&Labels>, i: u8) -> Vec<Alike> {
    let first = labels.map_or_else(|| Alike::all(graph.n()), |labels| Alike::by_key(&labels.of));
    let mut all = vec![first];
    if i >= 1 {
        all.push(Alike::by_key(&graph.degrees()));
    }
    for _ in 2..=i {
        let next = step(graph, &all[all.len() - 1]);
        all.push(next);
    }
    all
}

/// Nodes whose neighbours are in the same classes, each as often, are alike.
fn step(graph: &Graph, before: &Alike) -> Alike {
    let (offsets, targets) = graph.parts();
    let mut classes: Vec<u32> =
        targets.par_iter().map(|target| before.class_of[*target as usize]).collect();
    sort_each(&mut classes, offsets);
    let of = |node: u32| &classes[offsets[node as usize]..offsets[node as usize + 1]];
    let mut nodes: Vec<(u64, u32)> = graph
        .nodes()
        .into_par_iter()
        .map(|node| {
            let hash = of(node).iter().fold(HASH_START, |hash, class| mix(hash, u64::from(*class)));
            (hash, node)
        })
        .collect();
    nodes.par_sort_unstable();
    let mut class_of = vec![0; graph.n()];
    let mut sizes: Vec<u32> = Vec::new();
    for run in nodes.chunk_by_mut(|a, b| a.0 == b.0) {
        // Different answers with the same hash come apart here.
        let is_one = run.iter().all(|(_, node)| of(*node) == of(run[0].1));
        if !is_one {
            run.sort_unstable_by(|a, b| of(a.1).cmp(of(b.1)).then(a.1.cmp(&b.1)));
        }
        for same in run.chunk_by(|a, b| of(a.1) == of(b.1)) {
            same.iter().for_each(|(_, node)| class_of[*node as usize] = sizes.len() as u32);
            sizes.push(same.len() as u32);
        }
    }
    Alike { class_of, sizes }
}

/// Sort the part of each node.
fn sort_each(classes: &mut [u32], offsets: &[usize]) {
    let mut parts = Vec::with_capacity(offsets.len().saturating_sub(1));
    let mut rest = classes;
    for pair in offsets.windows(2) {
        let (part, after) = std::mem::take(&mut rest).split_at_mut(pair[1] - pair[0]);
        parts.push(part);
        rest = after;
    }
    parts.into_par_iter().for_each(|part| part.sort_unstable());
}
