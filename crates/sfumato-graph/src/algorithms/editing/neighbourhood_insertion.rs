//! 1-neighbourhood anonymity by inserting edges and generalizing labels: nodes with similar
//! neighbourhoods are put together, and edges are added until their neighbourhoods are the same.

use std::cmp::Reverse;

use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::{Error, FastSet, Result};
use sfumato_kernels::seeded::Seeded;

use crate::data::{Edge, LabelTree, Labels, Neighbourhoods, edge};
use crate::traits::{Counted, EditingAlgorithm, Edits, GraphRequirement, GraphTask};

/// The algorithm `neighbourhood-insertion`, an entry of the registry.
pub struct NeighbourhoodInsertion;

static INFO: Info = Info {
    name: "neighbourhood-insertion",
    summary: "similar nodes together, and edges added until their neighbourhoods are the same",
    papers: &[Paper {
        authors: "Bin Zhou, Jian Pei",
        title: "Preserving privacy in social networks against neighborhood attacks",
        venue: "ICDE",
        year: 2008,
    }],
    params: &[],
    doc: "Nodes are taken by the size of their neighbourhood, the largest first: few are large. To \
          each the k - 1 others that aren't settled yet come whose numbers of neighbours and of \
          edges between these are nearest. Those with fewer neighbours are joined to nodes with \
          few edges that aren't settled; then neighbours are put side by side in the order of \
          their edges, and an edge between two of them is added wherever one of the others has it. \
          Labels of nodes side by side become the lowest value of the label hierarchy above all of \
          them (`--label-hierarchy`; without one `*`). Nodes that were settled and whose \
          neighbourhood changes on the way are looked at again. No edge is deleted.\n\n\
          The paper compares neighbourhoods by minimum depth-first codes, component by component, \
          to find the cheapest match; here the order of edges decides, and what comes out is \
          compared exactly. In graphs with large cliques each change brings others: once ten times \
          as many edges were added as there were, it is given up, and `block-alignment` remains.",
    capabilities: Capabilities { serves: &[Fact::Candidates], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// How many nodes of similar degree are compared to find k that are alike.
const WINDOW: usize = 60;
/// How many nodes are looked at to find one with few edges.
const LOOKS: usize = 200;
/// How many times more edges may be added than there were.
const MOST_GROWTH: usize = 10;

impl EditingAlgorithm for NeighbourhoodInsertion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn can_serve(&self, requirement: &GraphRequirement) -> bool {
        let is_served =
            matches!(requirement.structure, Structure::Neighbourhood | Structure::Refined(1));
        requirement.counted == Counted::Nodes && is_served
    }
    fn edit(&self, _: &Params, task: &GraphTask<'_>) -> Result<Edits> {
        let k = usize::try_from(task.k).unwrap_or(usize::MAX).max(1);
        let n = task.graph.n();
        if k > n {
            return Err(Error::infeasible(format!("k is {k}, and there are {n} nodes")));
        }
        let mut state = State::new(task);
        state.settle_all(k, task)?;
        let (edits, labels) = state.into_edits();
        let after = edits.apply(task.graph)?;
        let labels = labels.filter(|_| task.labels.is_some());
        let published = labels.as_deref().map(Labels::new);
        let alike = Neighbourhoods::new(&after, published.as_ref()).alike()?;
        match alike.least(task.k).violations {
            0 => Ok(Edits { labels, ..edits }),
            _ => Err(given_up()),
        }
    }
}

fn given_up() -> Error {
    Error::infeasible("neighbourhoods change each other without end, or nearly so")
        .hint("take block-alignment, which ends for every graph, or a smaller k")
}

/// A graph to which edges are added.
struct State<'a> {
    around: Vec<Vec<u32>>,
    added: Vec<Edge>,
    most: usize,
    /// The labels of nodes; none without.
    labels: Option<Vec<String>>,
    tree: &'a LabelTree,
    /// The group that a node is settled in.
    group_of: Vec<Option<usize>>,
    groups: Vec<Vec<u32>>,
    /// Nodes whose neighbourhood changed.
    touched: FastSet<u32>,
    random: Seeded,
}

impl<'a> State<'a> {
    fn new(task: &GraphTask<'a>) -> Self {
        let graph = task.graph;
        let labels = task.labels.map(|labels| {
            graph.nodes().map(|node| labels.get(node).to_string()).collect::<Vec<String>>()
        });
        State {
            around: graph.nodes().map(|node| graph.neighbours(node).to_vec()).collect(),
            added: Vec::new(),
            most: MOST_GROWTH * graph.m() as usize + 10 * graph.n(),
            labels,
            tree: task.label_tree,
            group_of: vec![None; graph.n()],
            groups: Vec::new(),
            touched: FastSet::default(),
            random: Seeded::new(task.seed),
        }
    }

    fn has(&self, a: u32, b: u32) -> bool {
        self.around[a as usize].binary_search(&b).is_ok()
    }

    fn degree(&self, node: u32) -> usize {
        self.around[node as usize].len()
    }

    fn add(&mut self, a: u32, b: u32) -> Result<()> {
        if a == b || self.has(a, b) {
            return Ok(());
        }
        for (from, to) in [(a, b), (b, a)] {
            let list = &mut self.around[from as usize];
            let place = list.partition_point(|other| *other < to);
            list.insert(place, to);
        }
        self.added.push(edge(a, b));
        // Both ends, and whoever has both as neighbours.
        let common: Vec<u32> =
            self.around[a as usize].iter().copied().filter(|node| self.has(*node, b)).collect();
        self.touched.extend(common);
        self.touched.extend([a, b]);
        if self.added.len() > self.most { Err(given_up()) } else { Ok(()) }
    }

    fn set_label(&mut self, node: u32, text: &str) {
        let Some(labels) = &mut self.labels else { return };
        if labels[node as usize] != text {
            labels[node as usize] = text.to_string();
            self.touched.insert(node);
            self.touched.extend(self.around[node as usize].iter().copied());
        }
    }

    /// How many edges lie between the neighbours of a node.
    fn inner(&self, node: u32) -> usize {
        let around = &self.around[node as usize];
        let of = |other: &u32| around.iter().filter(|third| self.has(*other, **third)).count();
        around.iter().map(of).sum::<usize>() / 2
    }

    fn settle_all(&mut self, k: usize, task: &GraphTask<'_>) -> Result<()> {
        let n = self.around.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        self.random.shuffle(&mut order);
        for _ in 0..60 * n / k + 1_000 {
            task.check_cancelled()?;
            let mut open: Vec<u32> =
                order.iter().copied().filter(|n| self.group_of[*n as usize].is_none()).collect();
            if open.is_empty() {
                return Ok(());
            }
            open.sort_by_key(|node| Reverse(self.degree(*node)));
            if open.len() < k {
                // Too few are left: a settled group with a similar degree joins them.
                self.dissolve_nearest(self.degree(open[0]));
                continue;
            }
            let group = match open.len() < 2 * k {
                true => open,
                false => self.nearest(&open, k),
            };
            self.settle(group)?;
        }
        Err(given_up())
    }

    /// The node with the largest neighbourhood, and those that are most like it.
    fn nearest(&self, open: &[u32], k: usize) -> Vec<u32> {
        let seed = open[0];
        let (degree, inner) = (self.degree(seed), self.inner(seed));
        let label = |node: u32| self.labels.as_ref().map(|labels| &labels[node as usize]);
        let cost = |node: &u32| {
            let edges = self.inner(*node).abs_diff(inner);
            // Nodes that are joined change each other.
            let joined = usize::from(self.has(seed, *node)) * 4;
            let other_label = usize::from(label(seed) != label(*node));
            2 * (degree - self.degree(*node).min(degree)) + edges + joined + other_label
        };
        let mut others: Vec<(usize, u32)> =
            open[1..].iter().take(WINDOW.max(2 * k)).map(|node| (cost(node), *node)).collect();
        others.sort_by_key(|(cost, _)| *cost);
        let chosen = others.into_iter().take(k - 1).map(|(_, node)| node);
        std::iter::once(seed).chain(chosen).collect()
    }

    fn dissolve_nearest(&mut self, degree: usize) {
        let settled = (0..self.groups.len()).filter(|group| !self.groups[*group].is_empty());
        let nearest = settled
            .min_by_key(|group| (self.degree(self.groups[*group][0]).abs_diff(degree), *group));
        if let Some(group) = nearest {
            self.dissolve(group);
        }
    }

    fn dissolve(&mut self, group: usize) {
        for node in std::mem::take(&mut self.groups[group]) {
            self.group_of[node as usize] = None;
        }
    }

    /// Make the neighbourhoods of a group the same, and settle it. Settled groups whose
    /// neighbourhoods change on the way are open again.
    fn settle(&mut self, group: Vec<u32>) -> Result<()> {
        let members: FastSet<u32> = group.iter().copied().collect();
        self.touched.clear();
        loop {
            self.same_degree(&group, &members)?;
            let before = self.added.len();
            let sides: Vec<Vec<u32>> = group.iter().map(|node| self.ordered(*node)).collect();
            self.same_edges(&sides)?;
            // An edge at a member makes its neighbourhood larger.
            if self.added.len() == before && self.same_labels(&group, &sides) {
                break;
            }
        }
        let touched: Vec<u32> = self.touched.drain().collect();
        for node in touched.iter().filter(|node| !members.contains(*node)) {
            if let Some(group) = self.group_of[*node as usize] {
                self.dissolve(group);
            }
        }
        let number = self.groups.len();
        group.iter().for_each(|node| self.group_of[*node as usize] = Some(number));
        self.groups.push(group);
        Ok(())
    }

    /// Join members with fewer neighbours to others, until all have as many.
    fn same_degree(&mut self, group: &[u32], members: &FastSet<u32>) -> Result<()> {
        loop {
            let most = group.iter().map(|node| self.degree(*node)).max().unwrap_or(0);
            let Some(few) = group.iter().copied().find(|node| self.degree(*node) < most) else {
                return Ok(());
            };
            let n = self.around.len();
            let mut best: Option<((bool, usize, bool), u32)> = None;
            for look in 0..LOOKS.min(4 * n) + n.min(LOOKS) {
                // In small graphs every node is looked at.
                let other =
                    if n <= LOOKS { (look % n) as u32 } else { self.random.below(n) as u32 };
                if other == few || self.has(few, other) {
                    continue;
                }
                let is_settled = self.group_of[other as usize].is_some();
                let key = (is_settled, self.degree(other), members.contains(&other));
                if best.is_none_or(|(known, _)| key < known) {
                    best = Some((key, other));
                }
            }
            let far = || (0..n as u32).find(|node| *node != few && !self.has(few, *node));
            let other = best.map(|(_, other)| other).or_else(far).ok_or_else(given_up)?;
            self.add(few, other)?;
        }
    }

    /// The neighbours of a node in the order in which they are put side by side.
    fn ordered(&self, node: u32) -> Vec<u32> {
        let around = &self.around[node as usize];
        let inner = |other: u32| around.iter().filter(|third| self.has(other, **third)).count();
        let label = |other: u32| self.labels.as_ref().map(|labels| labels[other as usize].clone());
        let mut sorted: Vec<(Reverse<usize>, Option<String>, usize, u32)> = around
            .iter()
            .map(|other| (Reverse(inner(*other)), label(*other), self.degree(*other), *other))
            .collect();
        sorted.sort_unstable();
        sorted.into_iter().map(|(_, _, _, other)| other).collect()
    }

    /// Add the edges between neighbours that any of the others has in the same places.
    fn same_edges(&mut self, sides: &[Vec<u32>]) -> Result<()> {
        let size = sides.first().map_or(0, Vec::len);
        loop {
            let before = self.added.len();
            for i in 0..size {
                for j in 0..i {
                    if sides.iter().any(|side| self.has(side[i], side[j])) {
                        for side in sides {
                            self.add(side[i], side[j])?;
                        }
                    }
                }
            }
            if self.added.len() == before {
                return Ok(());
            }
        }
    }

    /// Give nodes in the same places the same label. True if nothing had to change.
    fn same_labels(&mut self, group: &[u32], sides: &[Vec<u32>]) -> bool {
        let Some(labels) = &self.labels else { return true };
        let size = sides.first().map_or(0, Vec::len);
        let mut places: Vec<Vec<u32>> = vec![group.to_vec()];
        places.extend((0..size).map(|i| sides.iter().map(|side| side[i]).collect()));
        let mut changes = Vec::new();
        for place in places {
            let above = self.tree.lowest_above(place.iter().map(|n| labels[*n as usize].as_str()));
            changes.extend(
                place
                    .into_iter()
                    .filter(|n| labels[*n as usize] != above)
                    .map(|n| (n, above.clone())),
            );
        }
        changes.iter().for_each(|(node, text)| self.set_label(*node, text));
        changes.is_empty()
    }

    fn into_edits(self) -> (Edits, Option<Vec<String>>) {
        let mut added = self.added;
        added.sort_unstable();
        (Edits { added, ..Edits::default() }, self.labels)
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;
    use crate::data::Graph;

    fn random_graph(random: &mut Seeded, n: usize, m: usize) -> Graph {
        let edges: Vec<(u32, u32)> =
            (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
        Graph::new(n, &edges).0
    }

    #[test]
    fn neighbourhoods_become_the_same_and_no_edge_goes() {
        let params = Params::check(&INFO, &Default::default()).unwrap();
        let mut random = Seeded::new(111);
        let mut given_up = 0;
        for seed in 0..8 {
            let n = 6 + random.below(25);
            let graph = random_graph(&mut random, n, n);
            let texts: Vec<String> =
                (0..n).map(|_| ["a", "b", "c"][random.below(3)].to_string()).collect();
            let labels = Labels::new(&texts);
            for (k, labels) in [(2, None), (3, Some(&labels))] {
                let task = GraphTask { k, seed, labels, ..GraphTask::of(&graph, &Unobserved) };
                let Ok(edits) = NeighbourhoodInsertion.edit(&params, &task) else {
                    given_up += 1;
                    continue;
                };
                assert!(edits.deleted.is_empty());
                assert_eq!(edits.labels.is_some(), labels.is_some());
                let after = edits.apply(&graph).unwrap();
                let published = edits.labels.as_deref().map(Labels::new);
                let alike = Neighbourhoods::new(&after, published.as_ref()).alike().unwrap();
                assert_eq!(alike.least(k).violations, 0);
                if let (Some(labels), Some(texts)) = (labels, &edits.labels) {
                    let covers = |node: u32| {
                        texts[node as usize] == labels.get(node) || texts[node as usize] == "*"
                    };
                    assert!(graph.nodes().all(covers));
                }
            }
        }
        assert!(given_up <= 3, "{given_up} of 16 were given up");
    }
}
