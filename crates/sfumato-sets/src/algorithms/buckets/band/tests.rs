//! Compares the order with a textbook search over A x A^T, and widths with those from all pairs.

use proptest::prelude::*;
use sfumato_core::transactions::Transactions;

use super::*;

/// Reverse Cuthill-McKee with an explicit matrix of neighbours, and the same rules for degrees,
/// starts, components and ties.
fn textbook(rows: &Transactions) -> Vec<u32> {
    let n = rows.len();
    let sets: Vec<Vec<u32>> = (0..n).map(|i| rows.set(i)).collect();
    let neighbours = |a: usize, b: usize| {
        a != b && sets[a].iter().any(|item| sets[b].binary_search(item).is_ok())
    };
    let counts = rows.counts();
    let degree = |i: usize| (sets[i].iter().map(|item| counts[*item as usize] - 1).sum::<u64>(), i);
    // From a root: the order of Cuthill and McKee, and the level of each.
    let search = |root: usize, taken: &[bool]| {
        let mut taken = taken.to_vec();
        taken[root] = true;
        let (mut order, mut levels, mut at) = (vec![root], vec![0], 0);
        while at < order.len() {
            let mut children: Vec<usize> =
                (0..n).filter(|i| !taken[*i] && neighbours(order[at], *i)).collect();
            children.sort_by_key(|i| degree(*i));
            for child in children {
                taken[child] = true;
                order.push(child);
                levels.push(levels[at] + 1);
            }
            at += 1;
        }
        (order, levels)
    };
    let mut taken: Vec<bool> = sets.iter().map(Vec::is_empty).collect();
    let mut all: Vec<u32> = Vec::new();
    while let Some(least) = (0..n).filter(|i| !taken[*i]).min_by_key(|i| degree(*i)) {
        let (mut order, mut levels) = search(least, &taken);
        for _ in 1..8 {
            let deepest = levels.last().copied().unwrap();
            let far = (0..order.len()).filter(|i| levels[*i] == deepest).map(|i| order[i]);
            let root = far.min_by_key(|i| degree(*i)).unwrap();
            if root == order[0] {
                break;
            }
            (order, levels) = search(root, &taken);
            if levels.last() == Some(&deepest) {
                break;
            }
        }
        order.iter().for_each(|i| taken[*i] = true);
        all.extend(order.iter().map(|i| *i as u32));
    }
    all.reverse();
    all.extend((0..n as u32).filter(|i| sets[*i as usize].is_empty()));
    all
}

/// The widths from every item of every record, and from every pair of records.
fn all_pairs(rows: &Transactions, order: &[u32], columns: &[u32]) -> (i64, i64, i64) {
    let (mut upper, mut lower, mut between) = (0, 0, 0);
    for (i, a) in order.iter().enumerate() {
        let set = rows.set(*a as usize);
        for item in &set {
            let column = columns.iter().position(|column| column == item).unwrap() as i64;
            upper = upper.max(column - i as i64);
            lower = lower.max(i as i64 - column);
        }
        for (j, b) in order.iter().enumerate() {
            if rows.set(*b as usize).iter().any(|item| set.contains(item)) {
                between = between.max(j as i64 - i as i64);
            }
        }
    }
    (upper, lower, between)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_order_is_that_of_the_textbook(
        lists in prop::collection::vec(prop::collection::vec(0u32..40, 0..4), 0..50),
        n_items in prop_oneof![Just(40usize), Just(300)],
    ) {
        let rows = Transactions::from_sets(n_items, lists);
        let order = order(&rows);
        prop_assert_eq!(&order, &textbook(&rows));
        let mut sorted = order;
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..rows.len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn dense_baskets_are_ordered_by_the_textbook_too(
        lists in prop::collection::vec(prop::collection::vec(0u32..8, 0..6), 0..40),
    ) {
        let rows = Transactions::from_sets(8, lists);
        prop_assert_eq!(order(&rows), textbook(&rows));
    }

    #[test]
    fn widths_are_those_of_all_pairs(
        lists in prop::collection::vec(prop::collection::vec(0u32..20, 0..4), 0..30),
    ) {
        let rows = Transactions::from_sets(20, lists);
        let order = order(&rows);
        let as_given: Vec<u32> = (0..rows.len() as u32).collect();
        for (order, columns) in [(&as_given, columns_as_coded(&rows)),
            (&order, columns(&rows, &order))] {
            let (upper, lower, between) = all_pairs(&rows, order, &columns);
            let band = bandwidth(&rows, order, &columns);
            prop_assert_eq!((band.upper as i64, band.lower as i64), (upper, lower));
            prop_assert_eq!(band.total() as i64, upper + lower + 1);
            prop_assert_eq!(record_bandwidth(&rows, order) as i64, between);
            let share = |a: u32, b: u32| {
                let other = rows.set(b as usize);
                rows.set(a as usize).iter().filter(|item| other.contains(item)).count()
            };
            let shared: usize = order.windows(2).map(|pair| share(pair[0], pair[1])).sum();
            let pairs = order.len().saturating_sub(1).max(1);
            prop_assert_eq!(shared_by_neighbours(&rows, order), shared as f64 / pairs as f64);
        }
    }
}

#[test]
fn a_shuffled_chain_is_unrolled() {
    // Record i has items i and i + 1; records are numbered anyhow.
    let n = 1000u32;
    let of = |i: u32| i * 619 % n;
    let rows = Transactions::from_sets(n as usize + 1, (0..n).map(|i| vec![of(i), of(i) + 1]));
    let order = order(&rows);
    assert_eq!(record_bandwidth(&rows, &order), 1);
    let band = bandwidth(&rows, &order, &columns(&rows, &order));
    assert_eq!((band.total(), band.upper.max(band.lower)), (2, 1));
    let as_given: Vec<u32> = (0..n).collect();
    assert!(record_bandwidth(&rows, &as_given) > 300);
}

#[test]
fn parts_come_one_after_the_other_and_records_without_items_last() {
    let rows = Transactions::from_sets(
        10,
        [vec![0, 1], vec![], vec![5], vec![1, 2], vec![5, 6], vec![9], vec![], vec![2], vec![6]],
    );
    // Least degrees: record 5 has none; record 2 comes before record 7.
    let order = order(&rows);
    assert_eq!(order, textbook(&rows));
    assert_eq!(order[7..], [1, 6]);
    assert_eq!(order[6], 5);
    assert!(
        order[3..6].iter().all(|record| [0, 3, 7].contains(record))
            || order[..3].iter().all(|record| [0, 3, 7].contains(record))
    );
    assert!(super::order(&Transactions::from_sets(3, [])).is_empty());
    assert_eq!(super::order(&Transactions::from_sets(3, [vec![], vec![]])), [0, 1]);
}

#[test]
fn threads_make_no_difference() {
    // More records than one task lays out.
    let draw = |i: u32| i.wrapping_mul(2_654_435_761) >> 13;
    let rows = Transactions::from_sets(
        5000,
        (0..150_000u32)
            .map(|i| vec![draw(3 * i) % 5000, draw(3 * i + 1) % 500, draw(3 * i + 2) % 50]),
    );
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| order(&rows))
    };
    let one = with(1);
    assert_eq!(one.len(), 150_000);
    assert_eq!(one, with(2));
    assert_eq!(one, with(3));
}
