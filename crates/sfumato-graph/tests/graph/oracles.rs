//! Checkers against naive definitions, on random small graphs.

use sfumato_graph::data::{Alike, Graph, Labels, Neighbourhoods, refined};
use sfumato_kernels::seeded::Seeded;

fn random_graph(random: &mut Seeded, most: usize) -> (Graph, Labels) {
    let n = 1 + random.below(most);
    let m = random.below(2 * n + 1);
    let edges: Vec<(u32, u32)> =
        (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
    let labels: Vec<String> = (0..n).map(|_| ["a", "b"][random.below(2)].to_string()).collect();
    (Graph::new(n, &edges).0, Labels::new(&labels))
}

/// The answer of H_i as the book defines it, in full.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Label(u32),
    Degree(usize),
    Around(Vec<Answer>),
}

fn answer(graph: &Graph, labels: &Labels, node: u32, i: u8) -> Answer {
    match i {
        0 => Answer::Label(labels.of[node as usize]),
        1 => Answer::Degree(graph.neighbours(node).len()),
        _ => {
            let around = graph.neighbours(node).iter();
            let mut all: Vec<Answer> =
                around.map(|other| answer(graph, labels, *other, i - 1)).collect();
            all.sort_unstable();
            Answer::Around(all)
        }
    }
}

/// The same partition, whatever its classes are called.
fn agrees(alike: &Alike, same: impl Fn(u32, u32) -> bool) {
    let n = alike.class_of.len() as u32;
    for a in 0..n {
        let mine = (0..n).filter(|b| same(a, *b)).count() as u32;
        assert_eq!(alike.sizes[alike.class_of[a as usize] as usize], mine);
        for b in 0..n {
            let is_alike = alike.class_of[a as usize] == alike.class_of[b as usize];
            assert_eq!(is_alike, same(a, b), "nodes {a} and {b}");
        }
    }
}

#[test]
fn queries_agree_with_their_definition() {
    let mut random = Seeded::new(21);
    for _ in 0..60 {
        let (graph, labels) = random_graph(&mut random, 12);
        for i in 0..=4 {
            let answers: Vec<Answer> =
                graph.nodes().map(|node| answer(&graph, &labels, node, i)).collect();
            let alike = refined(&graph, Some(&labels), i);
            agrees(&alike, |a, b| answers[a as usize] == answers[b as usize]);
        }
    }
}

/// Whether a permutation maps one rooted, labelled neighbourhood to the other, by trying all.
fn is_isomorphic(graph: &Graph, labels: &Labels, a: u32, b: u32) -> bool {
    let members = |node: u32| -> Vec<u32> {
        std::iter::once(node).chain(graph.neighbours(node).iter().copied()).collect()
    };
    fn extend(
        graph: &Graph,
        labels: &Labels,
        from: &[u32],
        to: &[u32],
        map: &mut Vec<u32>,
    ) -> bool {
        let at = map.len();
        if at == from.len() {
            return true;
        }
        for candidate in to.iter().filter(|node| !map.contains(node)).copied().collect::<Vec<_>>() {
            // The roots stand first in both.
            let root = (at == 0) == (candidate == to[0]);
            let label = labels.of[from[at] as usize] == labels.of[candidate as usize];
            let edges =
                (0..at).all(|i| graph.has(from[i], from[at]) == graph.has(map[i], candidate));
            if root && label && edges {
                map.push(candidate);
                if extend(graph, labels, from, to, map) {
                    return true;
                }
                map.pop();
            }
        }
        false
    }
    let (from, to) = (members(a), members(b));
    from.len() == to.len() && extend(graph, labels, &from, &to, &mut Vec::new())
}

#[test]
fn neighbourhoods_agree_with_all_permutations() {
    let mut random = Seeded::new(22);
    for _ in 0..80 {
        let (graph, labels) = random_graph(&mut random, 8);
        let alike = Neighbourhoods::new(&graph, Some(&labels)).alike().unwrap();
        agrees(&alike, |a, b| is_isomorphic(&graph, &labels, a, b));
        let plain = Labels::new(&vec![String::new(); graph.n()]);
        let alike = Neighbourhoods::new(&graph, None).alike().unwrap();
        agrees(&alike, |a, b| is_isomorphic(&graph, &plain, a, b));
    }
}

#[test]
fn labels_of_classes_are_counted() {
    let mut random = Seeded::new(23);
    for _ in 0..40 {
        let (graph, labels) = random_graph(&mut random, 12);
        let alike = refined(&graph, None, 1);
        let counts: Vec<usize> = (0..alike.sizes.len() as u32)
            .map(|class| {
                let mut found: Vec<u32> = (0..graph.n())
                    .filter(|node| alike.class_of[*node] == class)
                    .map(|node| labels.of[node])
                    .collect();
                found.sort_unstable();
                found.dedup();
                found.len()
            })
            .collect();
        let least = alike.least_labels(&labels.of, 2);
        assert_eq!(least.least, *counts.iter().min().unwrap() as u64);
        assert_eq!(least.violations, counts.iter().filter(|n| **n < 2).count() as u64);
    }
}
