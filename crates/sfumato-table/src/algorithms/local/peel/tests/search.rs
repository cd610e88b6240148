//! The search over cells and the exchange of rows.

use super::super::cells;
use super::super::exchange::exchange;
use super::super::improve::Choice;
use super::super::search::{Schedule, search};
use super::{ALL, Sample, Setting, at_most};
use crate::algorithms::shared::mix::Stream;

/// All cells as a choice, and the cost of the classes as cells.
fn choice(setting: &Setting<'_>, classes: &[Vec<u32>]) -> (Choice, f64) {
    let (cells, of_class) =
        cells::find(setting.records, setting.lattice, setting.k as u64, 200_000, u64::MAX, classes);
    let cost = |(class, &cell): (&Vec<u32>, &u32)| {
        cells.price[cell as usize] * setting.n_rows(class) as f64
    };
    let cost = classes.iter().zip(&of_class).map(cost).sum();
    let mut random = Stream::new(setting.task.seed);
    let worth_opening = (0..cells.len()).map(|_| random.below(5) > 0).collect();
    (Choice { cells, worth_opening, of_class }, cost)
}

/// The cost of classes as the cheapest cell around each.
fn cost_as_cells(setting: &Setting<'_>, choice: &Choice, clusters: &[Vec<u32>]) -> f64 {
    let cost = |rows: &Vec<u32>| {
        let covers = |cell: u32| {
            let members = choice.cells.members(cell);
            rows.iter().all(|&row| members.contains(&setting.records.of_row[row as usize]))
        };
        let prices = (0..choice.cells.len() as u32).filter(|&cell| covers(cell));
        let least =
            prices.map(|cell| choice.cells.price[cell as usize]).fold(f64::INFINITY, f64::min);
        least * rows.len() as f64
    };
    clusters.iter().map(cost).sum()
}

#[test]
fn a_search_never_loses() {
    let (mut before, mut after) = (0.0, 0.0);
    for seed in 0..60 {
        let k = 2 + seed as usize % 4;
        Sample::new(seed, 10..70, 1..4, ALL).with(k, |setting| {
            let classes = setting.start();
            let (choice, start) = choice(setting, &classes);
            // Hot ones too: the best is kept.
            let hot =
                start / setting.task.table.n_rows as f64 * [0.001, 0.2, 5.0][seed as usize % 3];
            let schedule = Schedule { steps: 3_000, hot, cold: hot * 0.1, seed };
            let clusters = search(setting.records, &choice, k, &classes, &schedule, &|| false);
            setting.check_classes(&clusters);
            let cost = cost_as_cells(setting, &choice, &clusters);
            assert!(at_most(cost, start), "seed {seed}: {cost} after {start}");
            assert!(at_most(setting.total(&clusters), cost), "seed {seed}");
            if hot < start && start < 1e3 {
                before += start;
                after += cost;
            }
            let none = Schedule { steps: 0, hot, cold: hot, seed };
            let clusters = search(setting.records, &choice, k, &classes, &none, &|| false);
            setting.check_classes(&clusters);
        });
    }
    assert!(after < 0.97 * before, "the search finds nothing: {after} after {before}");
}

#[test]
fn an_exchange_gives_classes_and_a_cold_one_never_loses() {
    let (mut before, mut after) = (0.0, 0.0);
    for seed in 0..90 {
        let k = 2 + seed as usize % 4;
        Sample::new(seed, 10..120, 1..5, ALL).with(k, |setting| {
            let classes = setting.start();
            let (cells, _) = cells::find(
                setting.records,
                setting.lattice,
                k as u64,
                200_000,
                u64::MAX,
                &classes,
            );
            let clusters: Vec<Vec<u32>> =
                classes.iter().map(|class| setting.records.rows_of(class)).collect();
            let start = setting.total(&clusters);
            let cold = seed % 2 == 0;
            let hot = start / setting.task.table.n_rows as f64 * if cold { 1e-12 } else { 2.0 };
            let schedule = Schedule { steps: 5_000, hot, cold: hot, seed };
            let exchanged =
                exchange(setting.records, setting.space, &cells, k, clusters, &schedule, &|| false);
            setting.check_classes(&exchanged);
            let cost = setting.total(&exchanged);
            if cold {
                assert!(at_most(cost, start), "seed {seed}: {cost} after {start}");
                before += start;
                after += cost;
            }
        });
    }
    assert!(after < before, "the exchange finds nothing");
}

#[test]
fn a_stop_is_heard_with_classes_in_hand() {
    let sample = Sample::new(5, 60..61, 2..3, ALL);
    sample.with(3, |setting| {
        let classes = setting.start();
        let (choice, start) = choice(setting, &classes);
        let schedule = Schedule { steps: u64::MAX, hot: start, cold: start, seed: 1 };
        let clusters = search(setting.records, &choice, 3, &classes, &schedule, &|| true);
        setting.check_classes(&clusters);
        let clusters = exchange(
            setting.records,
            setting.space,
            &choice.cells,
            3,
            clusters,
            &schedule,
            &|| true,
        );
        setting.check_classes(&clusters);
    });
}
