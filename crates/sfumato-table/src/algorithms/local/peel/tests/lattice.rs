//! Ladders, the order of the lattice's nodes, and packed columns.

use sfumato_core::traits::Join;

use super::super::lattice::{Levels, Visit, Visits};
use super::{ALL, Kind, Sample, Setting, about, at_most};
use crate::algorithms::shared::mix::Stream;
use crate::algorithms::shared::space::Bounds;

#[test]
fn levels_are_nested_and_end_with_everything() {
    for seed in 0..300 {
        Sample::new(seed, 1..60, 1..4, ALL).with(2, |setting| {
            for (place, (axis, ladder)) in
                setting.space.axes.iter().zip(setting.lattice.ladders).enumerate()
            {
                let mut present: Vec<u32> = setting
                    .everybody()
                    .iter()
                    .map(|&record| setting.records.codes(record)[place])
                    .collect();
                present.sort_unstable();
                present.dedup();
                let n_groups = |level: usize| {
                    let mut keys: Vec<u64> = present
                        .iter()
                        .map(|&code| ladder.rungs[level].key[code as usize])
                        .collect();
                    keys.sort_unstable();
                    keys.dedup();
                    keys.len()
                };
                let last = ladder.rungs.len() - 1;
                assert_eq!(n_groups(0), present.len(), "seed {seed}: the first level is exact");
                assert_eq!(n_groups(last), 1, "seed {seed}: the last level is one group");
                for (level, rung) in ladder.rungs.iter().enumerate() {
                    let alike = |a: u32, b: u32| rung.key[a as usize] == rung.key[b as usize];
                    if level < last {
                        let above = &ladder.rungs[level + 1].key;
                        assert!(
                            n_groups(level + 1) < n_groups(level),
                            "seed {seed}: merges nothing"
                        );
                        assert!(
                            (0..axis.missing).all(|code| !alike(code, axis.missing)),
                            "seed {seed}"
                        );
                        for a in 0..=axis.missing {
                            let apart =
                                |b: u32| alike(a, b) && above[a as usize] != above[b as usize];
                            assert!(!(0..a).any(apart), "seed {seed}: a group falls apart");
                        }
                    }
                    for &code in &present {
                        let group = present.iter().filter(|&&other| alike(code, other));
                        let hull =
                            group.map(|&other| Bounds::of(other)).reduce(Bounds::hull).unwrap();
                        let price = rung.price[code as usize];
                        assert_eq!(
                            price,
                            axis.price(hull),
                            "seed {seed}: the price of what is published"
                        );
                        assert!(
                            price >= axis.price(Bounds::of(code)),
                            "seed {seed}: cheaper than exact"
                        );
                        assert!(
                            level == 0 || price >= ladder.rungs[level - 1].price[code as usize]
                        );
                    }
                }
            }
        });
    }
}

#[test]
fn ordered_columns_get_ever_fewer_intervals_of_about_as_many_rows() {
    let sample = Sample::new(0, 900..901, 1..2, &[Kind::Ordered(400)]);
    sample.with(2, |setting| {
        let axis = &setting.space.axes[0];
        let present = |&record: &u32| setting.records.codes(record)[0] < axis.missing;
        let present: Vec<u32> = setting.everybody().into_iter().filter(present).collect();
        let rows = |level: u8| -> Vec<usize> {
            setting.groups(&[level], &present).iter().map(|group| setting.n_rows(group)).collect()
        };
        let sizes: Vec<usize> = (0..setting.lattice.ladders[0].rungs.len() as u8)
            .map(|level| rows(level).len())
            .collect();
        assert!(present.len() < setting.records.len(), "some cells are missing");
        assert_eq!(sizes, [244, 16, 4, 1, 1]);
        for level in [1, 2] {
            let (rows, n) = (rows(level), sizes[level as usize]);
            let share = rows.iter().sum::<usize>() / n;
            assert!(rows.iter().all(|&rows| rows.abs_diff(share) <= share / 4), "{rows:?}");
        }
    });
}

fn in_order(visits: impl Iterator<Item = Visit>, seed: u64) -> Vec<Visit> {
    let visits: Vec<Visit> = visits.collect();
    assert!(
        visits.windows(2).all(|pair| pair[0].rank <= pair[1].rank),
        "seed {seed}: not in order"
    );
    visits
}

fn check_every_node_once(mut nodes: Vec<Levels>, mut expected: Vec<Levels>, seed: u64) {
    nodes.sort();
    expected.sort();
    assert!(nodes == expected, "seed {seed}: not every node once");
}

fn cheapest(setting: &Setting<'_>, levels: &[u8]) -> f64 {
    let price = |record| setting.lattice.price(setting.records.codes(record), levels);
    setting.everybody().into_iter().map(price).fold(f64::INFINITY, f64::min)
}

#[test]
fn nodes_come_once_and_never_cheaper_than_their_rank() {
    for seed in 0..150 {
        Sample::new(seed, 1..40, 1..5, ALL).with(2, |setting| {
            let visits = in_order(setting.lattice.by_least_price(), seed);
            let mut later = f64::INFINITY;
            for visit in visits.iter().rev() {
                later = later.min(cheapest(setting, &visit.levels));
                let rank = match setting.lattice.join {
                    Join::Sum => visit.rank,
                    Join::Product => visit.rank.exp(),
                };
                assert!(at_most(rank, later), "seed {seed}: {rank} is no bound of {later}");
            }
            let nodes = |visits: Vec<Visit>| visits.into_iter().map(|visit| visit.levels).collect();
            check_every_node_once(nodes(visits), setting.nodes(), seed);

            let listed = setting.lattice.visits(setting.records, 1);
            assert!(matches!(listed, Visits::Listed(_)));
            check_every_node_once(nodes(in_order(listed, seed)), setting.nodes(), seed);
        });
    }
}

#[test]
fn quantiles_enter_a_node_for_ever_costlier_groups_and_at_last_for_all() {
    for seed in 0..60 {
        Sample::new(seed, 1..40, 1..4, ALL).with(2, |setting| {
            let visits = in_order(setting.lattice.visits(setting.records, 3), seed);
            for node in setting.nodes() {
                let caps: Vec<f64> =
                    visits.iter().filter(|v| v.levels == node).map(|v| v.cap).collect();
                assert!(
                    (1..=3).contains(&caps.len()) && caps[caps.len() - 1] == f64::INFINITY,
                    "seed {seed}"
                );
                assert!(caps.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}: {caps:?}");
            }
        });
    }
}

#[test]
fn lattices_too_large_to_list_are_walked_in_order_too() {
    let mut lazy = 0;
    for seed in 0..8 {
        Sample::new(seed, 120..121, 8..9, &[Kind::Tree(16), Kind::Ordered(90)]).with(
            2,
            |setting| {
                let visits = setting.lattice.visits(setting.records, 3);
                if !(60_001..200_000).contains(&setting.lattice.n_nodes()) || lazy == 2 {
                    return;
                }
                assert!(matches!(visits, Visits::Lazy(_)));
                lazy += 1;
                let visits = in_order(visits, seed);
                let nodes = visits.into_iter().map(|visit| visit.levels).collect();
                check_every_node_once(nodes, setting.nodes(), seed);
            },
        );
    }
    assert!(lazy > 0, "no lattice was large enough");
}

#[test]
fn packed_columns_say_what_single_ones_do() {
    for seed in 0..60 {
        // Many columns make several packs.
        let columns = if seed % 3 == 0 { 8..12 } else { 1..6 };
        Sample::new(seed, 1..150, columns, ALL).with(2, |setting| {
            let (lattice, mut random) = (setting.lattice, Stream::new(seed));
            for _ in 0..60 {
                let levels: Levels = lattice
                    .ladders
                    .iter()
                    .map(|ladder| random.below(ladder.rungs.len()) as u8)
                    .collect();
                let tables = lattice.packed.tables(&levels);
                for record in setting.everybody() {
                    let parts = lattice.packed.codes(record).iter().zip(&tables);
                    let parts = parts.map(|(&code, table)| table[code as usize]);
                    let key = parts.clone().fold(0u64, |sum, (key, _)| sum.wrapping_add(key));
                    let price = lattice.join.all(parts.map(|(_, price)| price));
                    let codes = setting.records.codes(record);
                    assert_eq!(key, lattice.key(codes, &levels), "seed {seed}");
                    assert!(about(price, lattice.price(codes, &levels)), "seed {seed}");
                }
            }
        });
    }
}
