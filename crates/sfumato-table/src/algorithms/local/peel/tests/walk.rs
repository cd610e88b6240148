//! Compares the walk with peeling by its definition.

use super::super::lattice::Levels;
use super::{ALL, Kind, Sample, Setting};
use crate::algorithms::shared::testing::in_order;
use sfumato_core::traits::Join;

/// The mean cost of a node, where a coarser level of a column never costs less than a finer one.
fn average(setting: &Setting<'_>, levels: &[u8]) -> f64 {
    let rows: f64 = setting.task.table.n_rows as f64;
    let mean = |column: usize, level: u8| {
        let term = |record: u32| {
            let code = setting.records.codes(record)[column] as usize;
            let price = setting.lattice.ladders[column].rungs[level as usize].price[code];
            let weight = f64::from(setting.records.weight[record as usize]);
            if setting.lattice.join == Join::Product { price.ln() * weight } else { price * weight }
        };
        setting.everybody().into_iter().map(term).sum::<f64>() / rows
    };
    let highest = |column: usize| {
        (0..=levels[column]).map(|level| mean(column, level)).reduce(f64::max).unwrap()
    };
    (0..levels.len()).map(highest).sum()
}

/// Peel by definition: node by node, every group of at least k rows becomes a class.
fn naive(setting: &Setting<'_>) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut nodes: Vec<(f64, Levels)> =
        setting.nodes().into_iter().map(|levels| (average(setting, &levels), levels)).collect();
    nodes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut classes, mut left) = (Vec::new(), setting.everybody());
    for (_, levels) in nodes {
        for group in setting.groups(&levels, &left) {
            if setting.n_rows(&group) >= setting.k {
                left.retain(|record| !group.contains(record));
                classes.push(group);
            }
        }
    }
    (classes, left)
}

#[test]
fn the_walk_peels_as_defined() {
    for seed in 0..150 {
        let k = 1 + seed as usize % 7;
        Sample::new(seed, 1..60, 1..4, ALL).with(k, |setting| {
            let walked = setting.walk(1, &mut u64::MAX.clone());
            let (classes, left) = naive(setting);
            assert_eq!(in_order(&walked.classes), in_order(&classes), "seed {seed}");
            assert_eq!((walked.left, walked.cut_short), (left, false), "seed {seed}");
        });
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let pools = [1, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for seed in 0..30 {
        let sample = Sample::new(seed, 200..400, 2..5, ALL);
        let walk = || {
            sample.with(2 + seed as usize % 5, |setting| {
                let walked = setting.walk(1 + seed as usize % 4, &mut u64::MAX.clone());
                (walked.classes, walked.left, walked.visits)
            })
        };
        let [one, three] = pools.each_ref().map(|pool| pool.install(walk));
        assert!(one == three, "seed {seed}");
    }
}

#[test]
fn a_walk_cut_short_loses_nobody() {
    let mut cut_short = 0;
    for seed in 0..40 {
        let k = 2 + seed as usize % 4;
        Sample::new(seed, 60..90, 3..6, &[Kind::Tree(16)]).with(k, |setting| {
            let walked = setting.walk(2, &mut (seed * 60 * 24));
            cut_short += u32::from(walked.cut_short);
            assert!(walked.classes.iter().all(|class| setting.n_rows(class) >= k), "seed {seed}");
            let mut records = [walked.classes.concat(), walked.left].concat();
            records.sort_unstable();
            assert_eq!(records, setting.everybody(), "seed {seed}");
        });
    }
    assert!((10..40).contains(&cut_short), "{cut_short} of 40");
}
