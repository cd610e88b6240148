//! Changes edges until every node has the degree that it is to get. Where no pair of nodes can take
//! an edge, an edge that was added moves, or a node of a large class goes to the next class.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use sfumato_kernels::seeded::Seeded;

use super::super::overlay::Overlay;
use crate::data::Graph;
use crate::traits::Edits;

/// How many added edges are looked at to move one.
const DRAWS: usize = 400;
/// How many nodes of a class are drawn before all are looked at.
const PICKS: usize = 30;

/// Nodes on their way to their degrees.
pub(super) struct Realisation<'a> {
    overlay: Overlay<'a>,
    /// The degree that each node is to get.
    targets: Vec<u32>,
    /// How many edges each node still lacks, or has too many.
    lacks: Vec<i32>,
    /// How many nodes are to get each degree.
    counts: Vec<u32>,
    /// The nodes that are to get each degree; filled when the first is moved.
    members: Vec<Vec<u32>>,
    k: u32,
    may_delete: bool,
    random: &'a mut Seeded,
    /// How many nodes went to another class.
    moved: u64,
}

impl<'a> Realisation<'a> {
    /// Begin with a graph and the degrees that its nodes are to get.
    pub fn new(
        graph: &'a Graph,
        targets: Vec<u32>,
        (k, may_delete): (u32, bool),
        random: &'a mut Seeded,
    ) -> Self {
        let lacks = graph
            .nodes()
            .map(|node| targets[node as usize] as i32 - graph.degree(node) as i32)
            .collect();
        let most = targets.iter().copied().max().unwrap_or(0) as usize;
        let mut counts = vec![0; most + 3];
        targets.iter().for_each(|target| counts[*target as usize] += 1);
        Realisation {
            overlay: Overlay::new(graph),
            targets,
            lacks,
            counts,
            members: Vec::new(),
            k,
            may_delete,
            random,
            moved: 0,
        }
    }

    /// Change edges. `None` if some node can't get its degree.
    pub fn run(mut self) -> Option<Edits> {
        if self.may_delete {
            self.delete_pairs();
        }
        self.add_pairs();
        if self.may_delete {
            self.turn_edges();
        }
        self.move_added();
        self.raise_others();
        if self.may_delete {
            self.lower_others();
            self.split_edges();
            self.join_ends();
        }
        if self.lacks.iter().any(|lacks| *lacks != 0) {
            return None;
        }
        let moved = self.moved;
        let mut edits = self.overlay.into_edits();
        edits.findings.push(("nodes moved to another class", moved));
        Some(edits)
    }

    fn add(&mut self, a: u32, b: u32) {
        self.overlay.add(a, b);
        self.lacks[a as usize] -= 1;
        self.lacks[b as usize] -= 1;
    }

    fn delete(&mut self, a: u32, b: u32) {
        self.overlay.delete(a, b);
        self.lacks[a as usize] += 1;
        self.lacks[b as usize] += 1;
    }

    /// Nodes that lack edges (or have too many), those with the most first.
    fn open(&mut self, lacking: bool) -> Vec<u32> {
        let is_open = |lacks: i32| if lacking { lacks > 0 } else { lacks < 0 };
        let mut nodes: Vec<u32> = (0..self.lacks.len() as u32)
            .filter(|node| is_open(self.lacks[*node as usize]))
            .collect();
        self.random.shuffle(&mut nodes);
        nodes.sort_by_key(|node| Reverse(self.lacks[*node as usize].unsigned_abs()));
        nodes
    }

    /// Delete edges between nodes that both have too many. Those with the fewest such neighbours
    /// choose first.
    fn delete_pairs(&mut self) {
        let mut nodes = self.open(false);
        let around = |of: &Self, node: u32| {
            of.overlay.kept(node).filter(|other| of.lacks[*other as usize] < 0).count()
        };
        nodes.sort_by_cached_key(|node| around(self, *node));
        for node in nodes {
            while self.lacks[node as usize] < 0 {
                let others = self.overlay.kept(node);
                let open = others.filter(|other| self.lacks[*other as usize] < 0);
                let Some(other) = open.min_by_key(|other| self.lacks[*other as usize]) else {
                    break;
                };
                self.delete(node, other);
            }
        }
    }

    /// Add edges between nodes that both lack some: the one that lacks most is joined with those
    /// that lack most after it.
    fn add_pairs(&mut self) {
        let nodes = self.open(true);
        let mut queue: BTreeSet<(Reverse<i32>, u32)> = BTreeSet::new();
        let place = |lacks: i32, rank: usize| (Reverse(lacks), rank as u32);
        for (rank, node) in nodes.iter().enumerate() {
            queue.insert(place(self.lacks[*node as usize], rank));
        }
        while let Some((_, rank)) = queue.pop_first() {
            let node = nodes[rank as usize];
            let mut joined = Vec::new();
            let wanted = self.lacks[node as usize] as usize;
            for (_, other) in &queue {
                if joined.len() == wanted {
                    break;
                }
                if self.overlay.is_free(node, nodes[*other as usize]) {
                    joined.push(*other);
                }
            }
            for rank in joined {
                let other = nodes[rank as usize];
                queue.remove(&place(self.lacks[other as usize], rank as usize));
                self.add(node, other);
                if self.lacks[other as usize] > 0 {
                    queue.insert(place(self.lacks[other as usize], rank as usize));
                }
            }
        }
    }

    /// Turn edges of nodes that have too many to nodes that lack some: the other ends keep their
    /// degrees.
    fn turn_edges(&mut self) {
        let (full, lacking) = (self.open(false), self.open(true));
        for to in lacking {
            for from in &full {
                while self.lacks[to as usize] > 0 && self.lacks[*from as usize] < 0 {
                    let others: Vec<u32> = self.overlay.kept(*from).collect();
                    let start = self.random.below(others.len().max(1));
                    let mut turned = others[start..].iter().chain(&others[..start]);
                    let free = |other: &&u32| **other != to && self.overlay.is_free(to, **other);
                    let Some(other) = turned.find(free).copied() else { break };
                    self.delete(*from, other);
                    self.add(to, other);
                }
                if self.lacks[to as usize] <= 0 {
                    break;
                }
            }
        }
    }

    /// Move edges that were added: both ends of one are joined to nodes that lack an edge instead
    /// of to each other.
    fn move_added(&mut self) {
        let mut open = self.open(true);
        loop {
            open.retain(|node| self.lacks[*node as usize] > 0);
            let Some(first) = open.first().copied() else { return };
            let second = match self.lacks[first as usize] {
                1 => open.get(1).copied(),
                _ => Some(first),
            };
            let Some(second) = second else { return };
            if !self.move_one(first, second) {
                open.remove(0);
            }
        }
    }

    fn move_one(&mut self, first: u32, second: u32) -> bool {
        for _ in 0..DRAWS {
            let n = self.overlay.n_drawn();
            if n == 0 {
                return false;
            }
            let place = self.random.below(n);
            let Some((a, b)) = self.overlay.drawn(place) else { continue };
            for (x, y) in [(a, b), (b, a)] {
                let apart = first != x && second != y && first != y && second != x;
                if apart && self.overlay.is_free(first, x) && self.overlay.is_free(second, y) {
                    self.delete(x, y);
                    self.add(first, x);
                    self.add(second, y);
                    return true;
                }
            }
        }
        false
    }

    fn fill_members(&mut self) {
        if self.members.is_empty() {
            self.members = vec![Vec::new(); self.counts.len()];
            for (node, target) in self.targets.iter().enumerate() {
                self.members[*target as usize].push(node as u32);
            }
        }
    }

    /// Whether a node may leave a class for its neighbour without making either too small.
    fn may_move(&self, from: usize, to: usize) -> bool {
        let count = |class: usize| self.counts.get(class).copied().unwrap_or(0);
        count(from) > self.k && count(to) + 1 >= self.k
    }

    /// Record that a node of a class, by its place in it, is to get another degree.
    fn move_member(&mut self, (class, place): (usize, usize), to: usize) -> u32 {
        let node = self.members[class].swap_remove(place);
        if self.members.len() <= to + 1 {
            self.members.resize(to + 2, Vec::new());
            self.counts.resize(to + 2, 0);
        }
        self.members[to].push(node);
        self.counts[class] -= 1;
        self.counts[to] += 1;
        self.targets[node as usize] = to as u32;
        self.moved += 1;
        node
    }

    /// Join nodes that lack edges to nodes of large classes, which go to the next class.
    fn raise_others(&mut self) {
        for node in self.open(true) {
            self.fill_members();
            let mut classes: Vec<usize> = (0..self.counts.len() - 1)
                .filter(|class| self.may_move(*class, class + 1))
                .collect();
            classes.sort_by_key(|class| Reverse(self.counts[*class]));
            while self.lacks[node as usize] > 0 {
                let Some((class, place)) = self.find_settled(node, &classes) else { break };
                let other = self.move_member((class, place), class + 1);
                self.lacks[other as usize] += 1;
                self.add(node, other);
            }
        }
    }

    /// A node of one of the classes that has its degree and may be joined to another: its class,
    /// and its place in it.
    fn find_settled(&mut self, node: u32, classes: &[usize]) -> Option<(usize, usize)> {
        for class in classes {
            if !self.may_move(*class, class + 1) {
                continue;
            }
            let n = self.members[*class].len();
            for _ in 0..PICKS {
                let place = self.random.below(n);
                if self.is_settled(node, self.members[*class][place]) {
                    return Some((*class, place));
                }
            }
            let found = self.members[*class].iter().position(|other| self.is_settled(node, *other));
            if let Some(place) = found {
                return Some((*class, place));
            }
        }
        None
    }

    fn is_settled(&self, node: u32, other: u32) -> bool {
        self.lacks[other as usize] == 0 && self.overlay.is_free(node, other)
    }

    /// Delete edges of nodes that have too many: the others go to the class below theirs.
    fn lower_others(&mut self) {
        for node in self.open(false) {
            while self.lacks[node as usize] < 0 {
                self.fill_members();
                let may_fall = |other: &u32| {
                    let class = self.targets[*other as usize] as usize;
                    self.lacks[*other as usize] == 0 && class > 0 && self.may_move(class, class - 1)
                };
                let others = self.overlay.kept(node).filter(may_fall);
                let most = |other: &u32| self.counts[self.targets[*other as usize] as usize];
                let Some(other) = others.max_by_key(most) else { break };
                let class = self.targets[other as usize] as usize;
                let place = self.members[class].iter().position(|member| *member == other);
                let Some(place) = place else { break };
                self.move_member((class, place), class - 1);
                self.lacks[other as usize] -= 1;
                self.delete(node, other);
            }
        }
    }

    /// Split edges of others: both ends are joined to nodes that lack an edge.
    fn split_edges(&mut self) {
        let open = self.open(true);
        for first in &open {
            for second in &open {
                while self.lacks[*first as usize] > i32::from(first == second)
                    && self.lacks[*second as usize] > 0
                {
                    let n = self.targets.len() as u32;
                    let start = self.random.below(n as usize) as u32;
                    let found = (start..n).chain(0..start).find_map(|x| {
                        if x == *first || x == *second || !self.overlay.is_free(*first, x) {
                            return None;
                        }
                        let apart = |y: &u32| *y != *first && *y != *second;
                        let free = |y: &u32| self.overlay.is_free(*second, *y);
                        self.overlay.kept(x).find(|y| apart(y) && free(y)).map(|y| (x, y))
                    });
                    let Some((x, y)) = found else { break };
                    self.delete(x, y);
                    self.add(*first, x);
                    self.add(*second, y);
                }
            }
        }
    }

    /// Delete two edges of nodes that have too many, and join their other ends.
    fn join_ends(&mut self) {
        let open = self.open(false);
        for first in &open {
            for second in &open {
                while self.lacks[*first as usize] < -i32::from(first == second)
                    && self.lacks[*second as usize] < 0
                {
                    let ends: Vec<u32> = self.overlay.kept(*first).collect();
                    let others: Vec<u32> = self.overlay.kept(*second).collect();
                    let apart = |x: u32| x != *first && x != *second;
                    let found = ends.iter().filter(|x| apart(**x)).find_map(|x| {
                        let free = |y: &&u32| apart(**y) && self.overlay.is_free(*x, **y);
                        others.iter().find(free).map(|y| (*x, *y))
                    });
                    let Some((x, y)) = found else { break };
                    self.delete(*first, x);
                    self.delete(*second, y);
                    self.add(x, y);
                }
            }
        }
    }
}
