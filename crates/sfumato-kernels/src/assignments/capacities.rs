//! The largest number of units that can be sent from one side of a bipartite graph to the other,
//! where every node has a capacity: an assignment of groups of alike records instead of records.
//!
//! Dinic's algorithm: phases of shortest paths from a source before the left side to a sink behind
//! the right side. Paths are walked without recursion, since they may be long.

/// The largest number of units. `lists[left]` are the right nodes that a left node may send to.
pub fn most_units(lists: &[Vec<u32>], left: &[u64], right: &[u64]) -> u64 {
    let (source, sink) = (left.len() + right.len(), left.len() + right.len() + 1);
    let mut network = Network::new(sink + 1);
    for (node, capacity) in left.iter().enumerate() {
        network.connect(source, node, *capacity);
    }
    for (from, list) in lists.iter().enumerate() {
        for to in list {
            network.connect(from, left.len() + *to as usize, u64::MAX);
        }
    }
    for (node, capacity) in right.iter().enumerate() {
        network.connect(left.len() + node, sink, *capacity);
    }
    let mut sent = 0;
    while network.find_levels(source, sink) {
        sent += network.send(source, sink);
    }
    sent
}

const NO_LEVEL: u32 = u32::MAX;

/// Edges lie in pairs: an edge, and the way back over it.
struct Network {
    to: Vec<u32>,
    room: Vec<u64>,
    edges: Vec<Vec<u32>>,
    level: Vec<u32>,
    next: Vec<u32>,
}

impl Network {
    fn new(n_nodes: usize) -> Self {
        Network {
            to: Vec::new(),
            room: Vec::new(),
            edges: vec![Vec::new(); n_nodes],
            level: vec![NO_LEVEL; n_nodes],
            next: vec![0; n_nodes],
        }
    }

    fn connect(&mut self, from: usize, to: usize, room: u64) {
        self.edges[from].push(self.to.len() as u32);
        self.edges[to].push(self.to.len() as u32 + 1);
        self.to.extend([to as u32, from as u32]);
        self.room.extend([room, 0]);
    }

    /// How far each node is from the source. Returns whether the sink can be reached.
    fn find_levels(&mut self, source: usize, sink: usize) -> bool {
        self.level.fill(NO_LEVEL);
        self.next.fill(0);
        self.level[source] = 0;
        let mut queue = vec![source as u32];
        let mut at = 0;
        while let Some(node) = queue.get(at).copied() {
            at += 1;
            let level = self.level[node as usize] + 1;
            for edge in &self.edges[node as usize] {
                let to = self.to[*edge as usize];
                if self.room[*edge as usize] > 0 && self.level[to as usize] == NO_LEVEL {
                    self.level[to as usize] = level;
                    queue.push(to);
                }
            }
        }
        self.level[sink] != NO_LEVEL
    }

    /// Send along shortest paths until none is left.
    fn send(&mut self, source: usize, sink: usize) -> u64 {
        let (mut sent, mut node) = (0, source);
        let mut path: Vec<usize> = Vec::new();
        loop {
            if node == sink {
                let units = path.iter().map(|edge| self.room[*edge]).min().unwrap_or(0);
                for edge in &path {
                    self.room[*edge] -= units;
                    self.room[*edge ^ 1] = self.room[*edge ^ 1].saturating_add(units);
                }
                sent += units;
                // Go on from where the path is full.
                let full = path.iter().position(|edge| self.room[*edge] == 0).unwrap_or(0);
                node = self.to[path[full] ^ 1] as usize;
                path.truncate(full);
                continue;
            }
            match self.edges[node].get(self.next[node] as usize).map(|edge| *edge as usize) {
                Some(edge) => {
                    let to = self.to[edge] as usize;
                    if self.room[edge] > 0 && self.level[to] == self.level[node] + 1 {
                        path.push(edge);
                        node = to;
                    } else {
                        self.next[node] += 1;
                    }
                }
                None => {
                    let Some(edge) = path.pop() else { return sent };
                    node = self.to[edge ^ 1] as usize;
                    self.next[node] += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::most_units;
    use crate::assignments::{Choices, most_pairs};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// A node of capacity c is c nodes of capacity 1.
        #[test]
        fn as_many_as_pairs_of_single_nodes(
            left in prop::collection::vec((0u64..4, prop::collection::vec(0u32..6, 0..5)), 1..7),
            right in prop::collection::vec(0u64..4, 6),
        ) {
            let capacities: Vec<u64> = left.iter().map(|(capacity, _)| *capacity).collect();
            let lists: Vec<Vec<u32>> = left
                .iter()
                .map(|(_, list)| {
                    let mut list = list.clone();
                    list.sort_unstable();
                    list.dedup();
                    list
                })
                .collect();
            let first: Vec<u64> = (0..=right.len()).map(|n| right[..n].iter().sum()).collect();
            let singles: Vec<Vec<u32>> = lists
                .iter()
                .zip(&capacities)
                .flat_map(|(list, capacity)| {
                    let nodes = |node: &u32| first[*node as usize]..first[*node as usize + 1];
                    let all: Vec<u32> = list.iter().flat_map(nodes).map(|n| n as u32).collect();
                    std::iter::repeat_n(all, *capacity as usize)
                })
                .collect();
            let expected = most_pairs(&Choices::new(&singles), first[right.len()] as usize, 1);
            prop_assert_eq!(most_units(&lists, &capacities, &right), expected);
        }
    }
}
