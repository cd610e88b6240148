//! The worked examples of the book's chapter 15, with what was corrected in them.

use sfumato_graph::data::{Alike, Graph, Labels, Neighbourhoods, Rooted, refined};

use crate::support::book;

/// The sizes of the classes of all nodes.
fn sizes(alike: &Alike) -> Vec<u32> {
    alike.class_of.iter().map(|class| alike.sizes[*class as usize]).collect()
}

/// TV15-1: candidate sets under H_1, H_2 and H_3.
#[test]
fn candidate_sets_of_the_queries() {
    let graph = book();
    assert_eq!(graph.degrees(), [2, 4, 2, 2, 2, 3, 1]);
    assert_eq!(sizes(&refined(&graph, None, 0)), [7; 7]);
    assert_eq!(sizes(&refined(&graph, None, 1)), [4, 1, 4, 4, 4, 1, 1]);
    assert_eq!(sizes(&refined(&graph, None, 2)), [3, 1, 1, 3, 3, 1, 1]);
    assert_eq!(sizes(&refined(&graph, None, 3)), [1, 1, 1, 2, 2, 1, 1]);
    let two = refined(&graph, None, 2);
    assert!(two.class_of[0] == two.class_of[3] && two.class_of[3] == two.class_of[4]);
}

fn labels() -> Labels {
    Labels::new(&["A", "A", "A", "C", "C", "B", "B"].map(String::from))
}

/// TV15-1: somebody who knows an A with a neighbour that is an A has three candidates, and who
/// knows a node with four edges has one.
#[test]
fn candidates_of_patterns_with_labels() {
    let (graph, labels) = (book(), labels());
    let a = labels.names.iter().position(|name| name == "A").unwrap() as u32;
    let joined = Rooted::new(2, vec![(0, 1)]);
    let is_a = |_: u8, node: u32| labels.of[node as usize] == a;
    assert_eq!(joined.candidates_with(&graph, &is_a).unwrap(), [0, 1, 2]);
    assert_eq!(joined.candidates(&graph).unwrap().len(), 7);
    let star = Rooted::new(5, vec![(0, 1), (0, 2), (0, 3), (0, 4)]);
    assert_eq!(star.candidates(&graph).unwrap(), [1]);
}

/// TV15-2: the changed graph is 2-anonymous for labelled 1-neighbourhoods; the original isn't.
#[test]
fn neighbourhoods_with_labels() {
    let changed = Graph::new(7, &[(0, 1), (0, 2), (1, 2), (3, 4), (5, 6)]).0;
    let labels = labels();
    let alike = Neighbourhoods::new(&changed, Some(&labels)).alike().unwrap();
    assert_eq!(sizes(&alike), [3, 3, 3, 2, 2, 2, 2]);
    assert_eq!(alike.sizes.len(), 3);
    assert_eq!(alike.least(2).violations, 0);
    // Without labels the two edges are alike.
    let alike = Neighbourhoods::new(&changed, None).alike().unwrap();
    assert_eq!(sizes(&alike), [3, 3, 3, 4, 4, 4, 4]);
    let before = Neighbourhoods::new(&book(), Some(&labels)).alike().unwrap();
    assert!(before.least(2).violations > 0);
}

/// TV15-4: degrees of which each occurs twice, and the book's swap of an edge.
#[test]
fn degrees_that_occur_twice() {
    let least = |degrees: &[u32], k| Alike::by_key(degrees).least(k);
    assert_eq!(least(&[5, 5, 3, 3, 2, 2, 2], 2).violations, 0);
    assert_eq!(least(&[5, 5, 3, 3, 2, 2, 2], 3).violations, 2);
    let before = book();
    let (mut degrees, mut edges) = (before.degrees(), before.edges().collect::<Vec<_>>());
    degrees.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(degrees, [4, 3, 2, 2, 2, 2, 1]);
    edges.retain(|edge| *edge != (1, 5));
    edges.push((2, 6));
    let mut after = Graph::new(7, &edges).0.degrees();
    let changed: u32 =
        before.degrees().iter().zip(&after).map(|(before, after)| before.abs_diff(*after)).sum();
    after.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(after, [3, 3, 2, 2, 2, 2, 2]);
    assert_eq!(least(&after, 2).violations, 0);
    // Sorted, two degrees differ by one each; node by node it is four ends of two edges.
    assert_eq!(changed, 4);
}
