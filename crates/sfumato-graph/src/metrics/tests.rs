//! What is measured of graphs that are known.

use super::shape::*;
use crate::data::Graph;
use crate::traits::GraphView;

fn graph(n: usize, edges: &[(u32, u32)]) -> Graph {
    Graph::new(n, edges).0
}

/// A triangle with a tail, and a node alone.
fn kite() -> Graph {
    graph(5, &[(0, 1), (1, 2), (0, 2), (2, 3)])
}

#[test]
fn shapes_of_small_graphs() {
    assert_eq!(triangles(&kite()), 1);
    // 1, 1, 1/3, 0 and 0.
    assert!((clustering(&kite(), 0) - 7.0 / 15.0).abs() < 1e-12);
    assert_eq!(components(&kite()), [4, 1]);
    assert_eq!(largest_component(&kite()), 0.8);
    let complete: Vec<(u32, u32)> = (0..6).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let complete = graph(6, &complete);
    assert_eq!((triangles(&complete), clustering(&complete, 0)), (20, 1.0));
    let [first, second] = eigenvalues(&complete).unwrap();
    assert!((first - 5.0).abs() < 1e-9 && (second - 1.0).abs() < 1e-6, "{first} {second}");
    assert_eq!(path_length(&complete, 1), Some(1.0));
    assert_eq!((eigenvalues(&graph(3, &[])), path_length(&graph(3, &[]), 1)), (None, None));
    // A path of three has the eigenvalues of either sign of the root of two.
    let [first, second] = eigenvalues(&graph(3, &[(0, 1), (1, 2)])).unwrap();
    assert!((first - 2f64.sqrt()).abs() < 1e-6 && (second - 2f64.sqrt()).abs() < 1e-6);
}

#[test]
fn communities_of_two_cliques_are_the_cliques() {
    let clique = |from: u32| (0..5u32).flat_map(move |a| (0..a).map(move |b| (from + a, from + b)));
    let edges: Vec<(u32, u32)> = clique(0).chain(clique(5)).collect();
    let graph = graph(10, &edges);
    let found = communities(&graph, 3);
    assert!(found[..5].iter().all(|label| *label == found[0]));
    assert!(found[5..].iter().all(|label| *label == found[5]) && found[0] != found[5]);
    // All edges are inside, and half of all degrees in each.
    assert!((modularity(&graph, &found).unwrap() - 0.5).abs() < 1e-12);
    let joined: Vec<(u32, u32)> = edges.iter().copied().chain([(0, 5)]).collect();
    let joined = Graph::new(10, &joined).0;
    assert!((modularity(&joined, &found).unwrap() - (20.0 / 21.0 - 0.5)).abs() < 1e-12);
}

#[test]
fn nothing_changed_measures_nothing() {
    let kite = kite();
    let view = GraphView { original: &kite, published: &kite, labels: None, seed: 1 };
    for metric in super::ALL {
        let measured = metric.measure(&view);
        assert!(measured.is_none_or(|x| x == 0.0), "{}: {measured:?}", metric.info().name);
    }
    // One edge moved: two edges changed, and degrees by two in all.
    let moved = graph(5, &[(0, 1), (1, 2), (0, 2), (3, 4)]);
    let view = GraphView { published: &moved, ..view };
    let of = |name: &str| {
        let metric = super::ALL.iter().find(|metric| metric.info().name == name).unwrap();
        metric.measure(&view).unwrap()
    };
    assert_eq!((of("edges-changed"), of("degree-change")), (2.0, 2.0));
    assert_eq!(of("degree-distribution"), 0.4);
    assert!((of("largest-component-change") - 0.2).abs() < 1e-12);
    assert!(of("clustering-change") > 0.0);
}
