//! Compares the parts of the lattice with simple definitions.

use proptest::prelude::*;
use sfumato_core::FastSet;

use super::packed::{Layout, Numbering, Packed};
use super::{Known, Lattice, Node, Upward, heights, nodes_of_height};
use crate::algorithms::shared::testing::Numbers;

fn all_nodes(n_levels: &[usize]) -> Vec<Node> {
    n_levels.iter().fold(vec![Vec::new()], |nodes: Vec<Node>, &levels| {
        let more = |node: &Node| {
            let node = node.clone();
            (0..levels as u8).map(move |level| [node.as_slice(), &[level]].concat())
        };
        nodes.iter().flat_map(more).collect()
    })
}

fn below(a: &[u8], b: &[u8]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn packed_records_keep_their_fields(
        sizes in prop::collection::vec(1usize..3000, 1..9),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 9),
        reverse: bool,
    ) {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        if reverse {
            order.reverse();
        }
        let layout = Layout::new(&sizes, order);
        prop_assert!(layout.words <= 2);
        let values: Vec<u32> =
            sizes.iter().zip(&picks).map(|(&n, pick)| pick.index(n) as u32).collect();
        let mut record = Packed::<2>::ZERO;
        for (column, &value) in values.iter().enumerate() {
            layout.set(&mut record, column, value);
        }
        let fields = |record: &Packed<2>| -> Vec<u32> { (0..sizes.len())
            .map(|c| layout.get(record, c)).collect() };
        prop_assert_eq!(fields(&record), values.clone());
        // Every second column is halved by a table, the others stay.
        let halved = |column: usize| column.is_multiple_of(2)
            .then(|| (0..sizes[column] as u32).map(|v| v / 2).collect());
        let raiser = layout.raiser(&(0..sizes.len()).map(halved).collect::<Vec<_>>());
        let expected: Vec<u32> =
            values.iter().enumerate().map(|(c, &v)| if c.is_multiple_of(2) { v / 2 } else { v })
                .collect();
        prop_assert_eq!(fields(&raiser.raise(&record)), expected);
    }

    #[test]
    fn records_are_numbered_in_the_order_of_their_first_appearance(
        values in prop::collection::vec(0u32..2000, 0..3000)) {
        let layout = Layout::new(&[2000], vec![0]);
        let mut numbering = Numbering::<1>::default();
        let mut seen: Vec<u32> = Vec::new();
        for value in values {
            let mut record = Packed::ZERO;
            layout.set(&mut record, 0, value);
            let expected = seen.iter().position(|&other| other == value).unwrap_or(seen.len());
            if expected == seen.len() {
                seen.push(value);
            }
            prop_assert_eq!(numbering.number(record) as usize, expected);
        }
        prop_assert_eq!(numbering.keys.len(), seen.len());
    }

    #[test]
    fn heights_count_the_nodes_of_each_height(n_levels in prop::collection::vec(1usize..4, 1..5)) {
        let nodes = all_nodes(&n_levels);
        let counts = heights(&n_levels);
        prop_assert_eq!(counts.iter().sum::<u64>(), nodes.len() as u64);
        for (height, &count) in counts.iter().enumerate() {
            let expected: Vec<Node> =
                nodes.iter().filter(|n| n.iter().map(|&l| l as usize).sum::<usize>() == height)
                    .cloned().collect();
            prop_assert_eq!(nodes_of_height(&n_levels, height), expected.clone());
            prop_assert_eq!(count, expected.len() as u64);
        }
    }

    #[test]
    fn what_is_known_spreads_up_and_down(
        n_levels in prop::collection::vec(1usize..4, 1..4),
            marks in prop::collection::vec((any::<prop::sample::Index>(), 0u8..3), 0..6),
    ) {
        let nodes = all_nodes(&n_levels);
        let mut known = Known::new(n_levels);
        let (mut fail, mut dear, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        for (index, what) in marks {
            let node = &nodes[index.index(nodes.len())];
            match what {
                0 => { known.fail(node); fail.push(node.clone()); }
                1 => { known.dismiss(node); dear.push(node.clone()); }
                _ => { known.see(node); seen.push(node.clone()); }
            }
        }
        for node in &nodes {
            prop_assert_eq!(known.fails(node), fail.iter().any(|other| below(node, other)));
            prop_assert_eq!(known.is_dear(node), dear.iter().any(|other| below(other, node)));
            prop_assert_eq!(known.is_seen(node), seen.contains(node));
        }
    }

    #[test]
    fn the_way_upward_meets_every_node_once_and_never_gets_cheaper(
        rows in prop::collection::vec((0u32..60, 0u32..60), 1..40),
    ) {
        let columns: [Vec<u32>; 2] =
            [rows.iter().map(|r| r.0).collect(), rows.iter().map(|r| r.1).collect()];
        Numbers::new(&[&columns[0], &columns[1]]).with(2, 0, |task, _, _, _| {
            let lattice = Lattice::new(task, "test").expect("numbers have levels");
            let upward = Upward::new(&lattice);
            let ranks = Upward::new(&lattice);
            let nodes: Vec<Node> = upward.collect();
            let distinct: FastSet<Node> = nodes.iter().cloned().collect();
            prop_assert_eq!(distinct.len() as u128, lattice.n_nodes());
            prop_assert_eq!(nodes.len() as u128, lattice.n_nodes());
            prop_assert!(nodes.windows(2).all(|pair| ranks.rank(&pair[0]) <= ranks.rank(&pair[1])));
            Ok(())
        })?;
    }
}

#[test]
fn a_lattice_too_large_for_marks_knows_the_same() {
    let n_levels = vec![8usize; 9];
    let mut known = Known::new(n_levels);
    assert!(!known.is_listed());
    let node = |level: u8| vec![level; 9];
    known.fail(&node(2));
    known.fail(&node(3));
    known.dismiss(&node(6));
    known.dismiss(&node(5));
    known.see(&node(4));
    assert!(known.fails(&node(0)) && known.fails(&node(3)) && !known.fails(&node(4)));
    assert!(known.is_dear(&node(5)) && known.is_dear(&node(7)) && !known.is_dear(&node(4)));
    assert!(known.is_seen(&node(4)) && !known.is_seen(&node(3)));
}
