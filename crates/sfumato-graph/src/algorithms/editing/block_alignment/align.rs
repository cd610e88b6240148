//! Which nodes stand beside each other: rows that grow along edges, so that edges have images.

use std::cmp::Reverse;
use std::collections::VecDeque;

use sfumato_kernels::seeded::Seeded;

use crate::data::Graph;

/// Cycles of k nodes. Nodes that are left over join the last one, which has nodes with few edges.
pub(super) fn cycles(graph: &Graph, k: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = graph.nodes().collect();
    Seeded::new(seed).shuffle(&mut order);
    order.sort_by_key(|node| Reverse(graph.degree(*node)));
    // The nodes with the fewest edges are kept for the last cycle where it is longer.
    let last = match graph.n() % k {
        0 => 0,
        left => k + left,
    };
    let free = order.len() - last;
    let mut pool = Pool { order: &order[..free], is_placed: vec![false; graph.n()], next: 0 };
    order[free..].iter().for_each(|node| pool.is_placed[*node as usize] = true);
    let mut cycles = Vec::with_capacity(graph.n() / k);
    let mut queue: VecDeque<usize> = VecDeque::new();
    while cycles.len() * k < free {
        let Some(place) = queue.pop_front() else {
            // Nothing is beside what was placed: the nodes with the most edges begin anew.
            let row: Vec<u32> = (0..k).map_while(|_| pool.take()).collect();
            queue.push_back(cycles.len());
            cycles.push(row);
            continue;
        };
        let row: Vec<u32> = cycles[place].clone();
        let mut around: Vec<Vec<u32>> = row.iter().map(|node| pool.around(graph, *node)).collect();
        // Rows of neighbours, as long as at least two have one left.
        loop {
            let picks: Vec<Option<u32>> = around
                .iter_mut()
                .map(|nodes| {
                    let found = std::iter::from_fn(|| nodes.pop())
                        .find(|node| !pool.is_placed[*node as usize]);
                    found.inspect(|node| pool.is_placed[*node as usize] = true)
                })
                .collect();
            let found = picks.iter().flatten().count();
            if found < 2.min(k) {
                // What was picked is free again.
                picks.iter().flatten().for_each(|node| pool.is_placed[*node as usize] = false);
                break;
            }
            // As many nodes are free as whole rows have, so that the pool fills this one.
            let row: Vec<u32> =
                picks.into_iter().map_while(|pick| pick.or_else(|| pool.take())).collect();
            queue.push_back(cycles.len());
            cycles.push(row);
        }
    }
    if last > 0 {
        cycles.push(order[free..].to_vec());
    }
    cycles
}

/// Nodes that weren't placed yet, those with the most edges first.
struct Pool<'a> {
    order: &'a [u32],
    is_placed: Vec<bool>,
    next: usize,
}

impl Pool<'_> {
    /// Place the next node.
    fn take(&mut self) -> Option<u32> {
        while self.next < self.order.len() {
            let node = self.order[self.next];
            self.next += 1;
            if !std::mem::replace(&mut self.is_placed[node as usize], true) {
                return Some(node);
            }
        }
        None
    }

    /// The neighbours of a node that weren't placed yet, the one with the most edges last.
    fn around(&self, graph: &Graph, node: u32) -> Vec<u32> {
        let around = graph.neighbours(node).iter().copied();
        let mut free: Vec<u32> = around.filter(|other| !self.is_placed[*other as usize]).collect();
        free.sort_by_key(|other| (graph.degree(*other), Reverse(*other)));
        free
    }
}
