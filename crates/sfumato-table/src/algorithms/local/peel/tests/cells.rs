//! Compares cells and bounds with those from all possible choices.

use std::collections::BTreeMap;

use sfumato_core::traits::Join;

use super::super::{bound, cells};
use super::{ALL, Sample, Setting, TREES, about, at_most};
use crate::algorithms::shared::mix::Stream;

/// All groups of at least k rows over all nodes, with their cheapest price.
fn all_cells(setting: &Setting<'_>) -> BTreeMap<Vec<u32>, f64> {
    let mut cells = BTreeMap::new();
    for levels in setting.nodes() {
        for group in setting.groups(&levels, &setting.everybody()) {
            if setting.n_rows(&group) >= setting.k {
                let price = setting.lattice.price(setting.records.codes(group[0]), &levels);
                cells
                    .entry(group)
                    .and_modify(|known: &mut f64| *known = known.min(price))
                    .or_insert(price);
            }
        }
    }
    cells
}

/// The cells that were found, each with its price.
fn found(cells: &cells::Cells, seed: u64) -> BTreeMap<Vec<u32>, f64> {
    let found: BTreeMap<Vec<u32>, f64> = (0..cells.len() as u32)
        .map(|cell| (cells.members(cell).to_vec(), cells.price[cell as usize]))
        .collect();
    assert_eq!(found.len(), cells.len(), "seed {seed}: a cell twice");
    assert_eq!(found.keys().map(Vec::len).sum::<usize>(), cells.n_members());
    found
}

#[test]
fn every_group_is_found_once_at_its_cheapest() {
    for seed in 0..250 {
        let k = 2 + seed as usize % 4;
        Sample::new(seed, 2..14, 1..4, ALL).with(k, |setting| {
            let (cells, _) =
                cells::find(setting.records, setting.lattice, k as u64, usize::MAX, u64::MAX, &[]);
            assert_eq!(cells.complete_below, f64::INFINITY);
            let (found, expected) = (found(&cells, seed), all_cells(setting));
            assert!(found.keys().eq(expected.keys()), "seed {seed}");
            assert!(
                found.values().zip(expected.values()).all(|(a, b)| about(*a, *b)),
                "seed {seed}"
            );

            let (starts, homes) = cells.by_record(setting.records.len());
            for record in setting.everybody() {
                let of_record =
                    &homes[starts[record as usize] as usize..starts[record as usize + 1] as usize];
                let price = |cell: u32| cells.price[cell as usize];
                assert!(of_record.windows(2).all(|pair| price(pair[0]) <= price(pair[1])));
                assert!(of_record.iter().all(|&cell| cells.members(cell).contains(&record)));
            }
            assert_eq!(homes.len(), cells.n_members());
        });
    }
}

#[test]
fn with_little_work_all_cheap_cells_are_found_and_those_of_classes() {
    let mut cut_short = 0;
    for seed in 0..120 {
        let k = 2 + seed as usize % 3;
        let mut random = Stream::new(seed);
        Sample::new(seed, 12..40, 4..6, ALL).with(k, |setting| {
            let classes = setting.start();
            let n = setting.records.len();
            let (members, work) = match seed % 2 {
                0 => (usize::MAX, (64 * n * random.below(4)) as u64),
                _ => (random.below(12) * n, u64::MAX),
            };
            let (cells, of_class) =
                cells::find(setting.records, setting.lattice, k as u64, members, work, &classes);
            let (found, expected) = (found(&cells, seed), all_cells(setting));
            cut_short += u32::from(found.len() < expected.len());
            for (group, price) in &expected {
                if *price < cells.complete_below && !about(*price, cells.complete_below) {
                    assert!(
                        found.get(group).is_some_and(|known| about(*known, *price)),
                        "seed {seed}"
                    );
                }
            }
            for (group, price) in &found {
                assert!(
                    expected.get(group).is_some_and(|least| at_most(*least, *price)),
                    "seed {seed}"
                );
            }
            for (class, &cell) in classes.iter().zip(&of_class) {
                assert!(
                    class.iter().all(|record| cells.members(cell).contains(record)),
                    "seed {seed}"
                );
                assert!(
                    at_most(cells.price[cell as usize], enclosing_price(setting, class)),
                    "seed {seed}"
                );
            }
        });
    }
    assert!(cut_short > 40, "{cut_short} of 120 were cut short");
}

/// The price of records published as the smallest node that makes them one group.
fn enclosing_price(setting: &Setting<'_>, group: &[u32]) -> f64 {
    let codes = |record: u32| setting.records.codes(record);
    let level = |column: usize| {
        let mut rungs = setting.lattice.ladders[column].rungs.iter();
        let key =
            |rung: &super::super::ladder::Rung, record| rung.key[codes(record)[column] as usize];
        let alike = |rung: &super::super::ladder::Rung| {
            group.iter().all(|&record| key(rung, record) == key(rung, group[0]))
        };
        rungs.position(alike).unwrap() as u8
    };
    let levels: Vec<u8> = (0..setting.records.n_columns).map(level).collect();
    setting.lattice.price(codes(group[0]), &levels)
}

/// The least cost of a release of at most 8 rows, given the cost of a group of rows per row: every
/// partition is tried, from the group of the first row that isn't placed.
fn least_cost(setting: &Setting<'_>, price: impl Fn(&[u32]) -> f64) -> f64 {
    let n_rows = setting.task.table.n_rows;
    let rows_of =
        |set: usize| (0..n_rows as u32).filter(move |row| set >> row & 1 == 1).collect::<Vec<_>>();
    let cost: Vec<f64> = (0..1usize << n_rows)
        .map(|set| match (set.count_ones() as usize) < setting.k {
            true => f64::INFINITY,
            false => price(&rows_of(set)) * f64::from(set.count_ones()),
        })
        .collect();
    let mut least = vec![f64::INFINITY; 1 << n_rows];
    least[0] = 0.0;
    for set in 1..1usize << n_rows {
        let first = set & set.wrapping_neg();
        let mut group = set;
        while group > 0 {
            if group & first > 0 {
                least[set] = least[set].min(cost[group] + least[set ^ group]);
            }
            group = (group - 1) & set;
        }
    }
    least[(1 << n_rows) - 1]
}

fn records_of(setting: &Setting<'_>, rows: &[u32]) -> Vec<u32> {
    rows.iter().map(|&row| setting.records.of_row[row as usize]).collect()
}

#[test]
fn no_release_is_below_the_bounds() {
    let (mut bounds, mut optima) = (0.0, 0.0);
    for seed in 0..600 {
        let k = 2 + seed as usize % 2;
        let mut random = Stream::new(seed);
        Sample::new(seed, k..9, 1..5, ALL).with(k, |setting| {
            let optimum =
                least_cost(setting, |rows| enclosing_price(setting, &records_of(setting, rows)));
            // All cells, or only cheap ones.
            let work = if seed % 3 == 0 { 64 * setting.records.len() as u64 } else { u64::MAX };
            let members = if seed % 5 == 0 { random.below(60) } else { usize::MAX };
            let classes = setting.start();
            let (cells, of_class) =
                cells::find(setting.records, setting.lattice, k as u64, members, work, &classes);
            let by_record = bound::by_record(setting.records, &cells);
            assert!(at_most(by_record, optimum), "seed {seed}: {by_record} above {optimum}");

            let mut start = vec![0.0; setting.records.len()];
            for (class, &cell) in classes.iter().zip(&of_class) {
                class
                    .iter()
                    .for_each(|&record| start[record as usize] = cells.price[cell as usize]);
            }
            let rows = setting.records.weight.iter().map(|&weight| f64::from(weight));
            let upper: f64 = start.iter().zip(rows).map(|(paid, rows)| paid * rows).sum();
            assert!(at_most(optimum, upper), "seed {seed}: the walk below the optimum");
            if seed % 4 == 1 {
                start = (0..start.len()).map(|_| random.unit() * 2.0 * upper).collect();
            }
            let steps = 1 + random.below(80);
            let values =
                bound::find(setting.records, &cells, k as u64, start, upper, steps, &|| false);
            assert!(
                at_most(values.bound, optimum),
                "seed {seed}: {} above {optimum}",
                values.bound
            );
            // With all cells, time and a sensible start the bound should say something.
            let fair = cells.complete_below == f64::INFINITY && steps > 50 && seed % 4 != 1;
            if fair && setting.lattice.join == Join::Sum {
                bounds += values.bound.max(by_record);
                optima += optimum;
            }
        });
    }
    assert!(bounds > 0.9 * optima, "the bounds say little: {bounds} of {optima}");
}

#[test]
fn what_is_published_is_never_below_the_optimum_or_the_bound_that_is_told() {
    let mut bounded = 0;
    for seed in 0..300 {
        let k = 2 + seed as usize % 2;
        let kinds = if seed % 2 == 0 { TREES } else { ALL };
        let sample = Sample::new(seed, k..9, 1..4, kinds);
        sample.with(k, |setting| {
            let least =
                least_cost(setting, |rows| setting.space.price(&setting.space.around(rows)));
            let by_node =
                least_cost(setting, |rows| enclosing_price(setting, &records_of(setting, rows)));
            assert!(at_most(least, by_node), "seed {seed}");
            // Every region of a tree is a node of the lattice; intervals of ordered columns may be
            // narrower.
            assert!(kinds != TREES || about(least, by_node), "seed {seed}: {least} and {by_node}");
            let recoding = setting.run.anonymize().unwrap();
            let published = setting.task.objective.total(setting.task.table, recoding.as_ref());
            assert!(
                at_most(least, published),
                "seed {seed}: {published} below the optimum {least}"
            );
            for finding in recoding.findings() {
                assert_eq!(finding.name, "lower_bound");
                bounded += 1;
                let bound = finding.value * setting.task.table.n_rows as f64;
                assert!(
                    at_most(bound, published),
                    "seed {seed}: bound {bound}, published {published} {:?}",
                    kinds == TREES
                );
            }
        });
    }
    assert!(bounded > 100, "{bounded} of 300 tell a bound");
}
