//! What each algorithm keeps, on random graphs.

use std::collections::BTreeMap;

use sfumato_core::registry::{Argument, Params};
use sfumato_kernels::seeded::Seeded;

use super::*;
use crate::data::Graph;
use crate::metrics::shape::eigenvalues;
use crate::traits::Edits;

fn run(name: &str, graph: &Graph, share: &str, seed: u64) -> Edits {
    let algorithm = find(name).unwrap();
    let args: BTreeMap<String, Argument> =
        [("share".to_string(), Argument::Word(share.into()))].into();
    let params = Params::check(algorithm.info(), &args).unwrap();
    algorithm.randomize(&params, graph, seed).unwrap()
}

fn random_graph(random: &mut Seeded, n: usize, m: usize) -> Graph {
    let edges: Vec<(u32, u32)> =
        (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
    Graph::new(n, &edges).0
}

#[test]
fn edges_change_as_far_as_the_share_says_and_no_further() {
    let mut random = Seeded::new(61);
    for seed in 0..20 {
        let n = 5 + random.below(60);
        let graph = random_graph(&mut random, n, 3 * n);
        for algorithm in ALL {
            for share in ["0.1", "0.5", "1"] {
                let name = algorithm.info().name;
                let edits = run(name, &graph, share, seed);
                assert_eq!(edits, run(name, &graph, share, seed), "{name}");
                let after = edits.apply(&graph).unwrap();
                assert_eq!(after.m(), graph.m(), "{name}");
                assert!(edits.added.iter().all(|(a, b)| !graph.has(*a, *b)));
                assert!(edits.deleted.iter().all(|(a, b)| graph.has(*a, *b)));
                let most = count(share.parse().unwrap(), graph.m()) as u64;
                assert!(edits.deleted.len() as u64 <= most + 1, "{name}");
                match name {
                    "random-edges" => {
                        let free = n as u64 * (n as u64 - 1) / 2 - graph.m();
                        assert_eq!(edits.deleted.len() as u64, most.min(free));
                    }
                    _ => assert_eq!(after.degrees(), graph.degrees(), "{name}"),
                }
            }
        }
    }
}

#[test]
fn the_largest_eigenvalue_stays_nearer_than_by_any_switch() {
    let mut random = Seeded::new(62);
    let mut graph = random_graph(&mut random, 300, 900);
    // A dense corner, which random switches dissolve.
    let corner = (0..40u32).flat_map(|a| (0..a).map(move |b| (b, a)));
    let edges: Vec<(u32, u32)> = graph.edges().chain(corner).collect();
    graph = Graph::new(300, &edges).0;
    let change = |name: &str| {
        let after = run(name, &graph, "0.6", 1).apply(&graph).unwrap();
        let (before, after) = (eigenvalues(&graph).unwrap()[0], eigenvalues(&after).unwrap()[0]);
        (after - before).abs() / before
    };
    assert!(change("spectrum-switch") < 0.5 * change("random-switch"));
}
