//! Every graph that comes out is k-degree anonymous, keeps its edges where that is asked for, and
//! changes few of them.

use std::collections::BTreeMap;

use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Argument, Params};

use super::*;

fn run(graph: &Graph, k: u64, args: &[(&str, &str)], seed: u64) -> Result<Edits> {
    let args: BTreeMap<String, Argument> = args
        .iter()
        .map(|(name, word)| (name.to_string(), Argument::Word(word.to_string())))
        .collect();
    let params = Params::check(&INFO, &args).unwrap();
    let task = GraphTask { k, seed, ..GraphTask::of(graph, &Unobserved) };
    DegreeSequence.edit(&params, &task)
}

/// Whether every degree occurs at least k times, by counting pair by pair.
fn is_anonymous(graph: &Graph, k: usize) -> bool {
    let degrees = graph.degrees();
    degrees.iter().all(|degree| degrees.iter().filter(|other| *other == degree).count() >= k)
}

/// The graph of the book's figures 15.1 and 15.2.
fn book() -> Graph {
    let edges = [(1, 2), (1, 3), (2, 4), (2, 5), (2, 6), (3, 6), (4, 5), (6, 7)];
    Graph::new(7, &edges.map(|(a, b)| (a - 1, b - 1))).0
}

/// TV15-5: the optimal degrees of k = 2 are those of no supergraph, so that others are needed; two
/// edges are the fewest, and with deletions one is.
#[test]
fn the_example_of_the_book() {
    for k in [2u64, 3] {
        let edits = run(&book(), k, &[("edits", "add")], 1).unwrap();
        assert!(edits.deleted.is_empty());
        assert!(is_anonymous(&edits.apply(&book()).unwrap(), k as usize));
        assert_eq!(edits.added.len(), 2, "k = {k}");
    }
    let edits = run(&book(), 2, &[], 1).unwrap();
    assert!(is_anonymous(&edits.apply(&book()).unwrap(), 2));
    assert_eq!(edits.count(), 1);
    let all = run(&book(), 7, &[("edits", "add")], 1).unwrap().apply(&book()).unwrap();
    assert!(is_anonymous(&all, 7));
    assert_eq!(run(&book(), 8, &[], 1).unwrap_err().kind.exit_code(), 3);
}

#[test]
fn every_graph_comes_out_anonymous() {
    let mut random = Seeded::new(11);
    for round in 0..120 {
        let n = 2 + random.below(40);
        let m = random.below(3 * n);
        let edges: Vec<(u32, u32)> = (0..m)
            // Some nodes have far more edges than others.
            .map(|_| {
                let least = random.below(n).min(random.below(n)).min(random.below(n));
                (least as u32, random.below(n) as u32)
            })
            .collect();
        let graph = Graph::new(n, &edges).0;
        for k in [1usize, 2, 3, 5] {
            for edits in ["add", "fewest"] {
                for grouping in ["optimal", "greedy"] {
                    let args = [("edits", edits), ("grouping", grouping)];
                    let found = run(&graph, k as u64, &args, round);
                    let Ok(found) = found else {
                        assert!(k > n, "{graph:?} {k} {args:?}");
                        continue;
                    };
                    let after = found.apply(&graph).unwrap();
                    assert!(is_anonymous(&after, k), "{graph:?} {k} {args:?}");
                    assert!(found.added.iter().all(|(a, b)| !graph.has(*a, *b)));
                    assert!(found.deleted.iter().all(|(a, b)| graph.has(*a, *b)));
                    assert!(edits != "add" || found.deleted.is_empty());
                    assert!(k > 1 || found.count() == 0);
                }
            }
        }
    }
}

#[test]
fn a_seed_gives_the_same_edges() {
    let edges: Vec<(u32, u32)> = (0..300u32).map(|i| (i * i % 97, (i * 7 + 3) % 89)).collect();
    let graph = Graph::new(100, &edges).0;
    let edits = |seed| run(&graph, 5, &[], seed).unwrap();
    assert_eq!(edits(4), edits(4));
}
