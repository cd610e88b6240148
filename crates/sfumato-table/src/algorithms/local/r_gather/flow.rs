//! Maximum flow by Dinic's algorithm: decides whether every centre can get as many records as it
//! needs, if each record reaches only some centres.

/// A network of nodes and edges with whole capacities.
pub struct Network {
    /// The first edge of each node in a list through `next`.
    first: Vec<u32>,
    edges: Vec<Edge>,
}

/// An edge; its reverse is the one whose number differs in the last bit.
#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    next: u32,
    capacity: u32,
}

const NONE: u32 = u32::MAX;

impl Network {
    /// A network of nodes without edges.
    pub fn new(n_nodes: usize) -> Self {
        Network { first: vec![NONE; n_nodes], edges: Vec::new() }
    }

    /// Add an edge, and return its number.
    pub fn add(&mut self, from: usize, to: usize, capacity: u32) -> usize {
        let number = self.edges.len();
        self.edges.push(Edge { to: to as u32, next: self.first[from], capacity });
        self.first[from] = number as u32;
        self.edges.push(Edge { to: from as u32, next: self.first[to], capacity: 0 });
        self.first[to] = number as u32 + 1;
        number
    }

    /// The flow through an edge.
    pub fn flow(&self, edge: usize) -> u32 {
        self.edges[edge ^ 1].capacity
    }

    /// Compute the maximum flow, and return it.
    pub fn run(&mut self, source: usize, sink: usize) -> u64 {
        let mut total = 0;
        while let Some(levels) = self.levels(source, sink) {
            let mut open = self.first.clone();
            loop {
                let pushed = self.push(source, sink, &levels, &mut open);
                if pushed == 0 {
                    break;
                }
                total += u64::from(pushed);
            }
        }
        total
    }

    /// The number of edges between each node and the source. `None` if the sink can't be reached.
    fn levels(&self, source: usize, sink: usize) -> Option<Vec<u32>> {
        let mut levels = vec![NONE; self.first.len()];
        levels[source] = 0;
        let mut queue = std::collections::VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            let mut edge = self.first[node];
            while edge != NONE {
                let Edge { to, next, capacity } = self.edges[edge as usize];
                if capacity > 0 && levels[to as usize] == NONE {
                    levels[to as usize] = levels[node] + 1;
                    queue.push_back(to as usize);
                }
                edge = next;
            }
        }
        (levels[sink] != NONE).then_some(levels)
    }

    /// Push flow along one shortest path. `open` holds for each node the next edge that may lead
    /// on. The path is kept in a list, not on the stack, since it may be as long as there are
    /// centres.
    fn push(&mut self, source: usize, sink: usize, levels: &[u32], open: &mut [u32]) -> u32 {
        let mut path: Vec<u32> = Vec::new();
        let mut node = source;
        while node != sink {
            let edge = open[node];
            if edge == NONE {
                let Some(last) = path.pop() else { return 0 };
                node = self.edges[last as usize ^ 1].to as usize;
                open[node] = self.edges[last as usize].next;
                continue;
            }
            let Edge { to, next, capacity } = self.edges[edge as usize];
            if capacity > 0 && levels[to as usize] == levels[node] + 1 {
                path.push(edge);
                node = to as usize;
            } else {
                open[node] = next;
            }
        }
        let narrowest =
            path.iter().map(|&edge| self.edges[edge as usize].capacity).min().unwrap_or(0);
        for edge in path {
            self.edges[edge as usize].capacity -= narrowest;
            self.edges[edge as usize ^ 1].capacity += narrowest;
        }
        narrowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_flow_turns_back_what_it_pushed_too_early() {
        // 0 -> {1, 2} -> 3 with a bridge 1 -> 2 that a first shortest path might not need.
        let mut network = Network::new(4);
        let edges = [(0, 1, 3), (0, 2, 2), (1, 2, 5), (1, 3, 2), (2, 3, 3)];
        let ids: Vec<usize> =
            edges.iter().map(|&(from, to, capacity)| network.add(from, to, capacity)).collect();
        assert_eq!(network.run(0, 3), 5);
        assert!(ids.iter().zip(edges).all(|(&id, (_, _, capacity))| network.flow(id) <= capacity));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn equals_the_narrowest_cut(edges in prop::collection::vec((0usize..6, 0usize..6, 0u32..8),
            0..24)) {
            let mut network = Network::new(6);
            edges.iter().for_each(|&(from, to, capacity)| { network.add(from, to, capacity); });
            // Every set of nodes with the source and without the sink is a cut.
            let cut = |set: u32| -> u64 {
                let inside = |node: usize| node == 0 || (node < 5 && set >> (node - 1) & 1 == 1);
                let crossing = edges.iter().filter(|(from, to, _)| inside(*from) && !inside(*to));
                crossing.map(|&(_, _, capacity)| u64::from(capacity)).sum()
            };
            let narrowest = (0..16).map(cut).min().unwrap();
            prop_assert_eq!(network.run(0, 5), narrowest);
        }
    }
}
