//! Whole releases where the walk can't finish.

use std::sync::atomic::{AtomicU64, Ordering};

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::Params;
use sfumato_core::traits::{Algorithm, Effort, Task};

use super::super::rest::complete;
use super::super::{INFO, Peel};
use super::{ALL, Kind, Sample, Setting};
use crate::algorithms::shared::mix::Stream;

/// Check that every class has k rows and covers them. Returns how many rows are suppressed.
fn check_release(setting: &Setting<'_>, recoding: &dyn Recoding) -> u64 {
    let mut sizes = vec![0; recoding.n_classes()];
    let quasi = setting.task.table.quasi();
    let mut suppressed = 0;
    for (row, &class) in recoding.class_of_row().iter().enumerate() {
        if class == SUPPRESSED {
            suppressed += 1;
            continue;
        }
        sizes[class as usize] += 1;
        for (place, column) in quasi.iter().enumerate() {
            assert!(recoding.value(class, place).covers(column, column.codes.get(row)));
        }
    }
    assert!(sizes.iter().all(|&rows| rows >= setting.k));
    suppressed
}

/// An observer that adds up the reported progress.
#[derive(Default)]
struct Watcher {
    steps: AtomicU64,
    done: AtomicU64,
}

impl Observer for Watcher {
    fn begin(&self, _: &str, _: u64, _: Unit) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }
    fn advance(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }
    fn end(&self) {}
}

#[test]
fn a_lattice_of_forty_columns_is_released_anyhow() {
    let sample = Sample::new(4, 300..301, 40..41, &[Kind::Tree(16), Kind::Ordered(70)]);
    sample.with(5, |setting| {
        assert!(setting.walk(3, &mut (2_000 * 300)).cut_short);
        let params = Params::check(&INFO, &Default::default()).unwrap();
        for (effort, max_suppressed) in [(Effort::Low, 0), (Effort::Low, 20), (Effort::Normal, 0)] {
            let watcher = Watcher::default();
            let task = Task { effort, max_suppressed, observer: &watcher, ..*setting.task };
            let recoding = Peel.anonymize(&params, &task).unwrap();
            assert!(check_release(setting, recoding.as_ref()) <= max_suppressed);
            assert!(recoding.n_classes() > 10, "{} classes", recoding.n_classes());
            let told = (watcher.steps.into_inner(), watcher.done.into_inner());
            assert_eq!(told, (1, 300), "steps and rows that the observer heard of");
        }
    });
}

#[test]
fn what_a_walk_left_is_completed() {
    for seed in 0..40 {
        let k = 2 + seed as usize % 5;
        Sample::new(seed, 30..120, 2..6, ALL).with(k, |setting| {
            // Some classes of the walk, from none to all but one; now and then too few rows are
            // left to stand alone.
            let mut classes = setting.start();
            let mut random = Stream::new(seed);
            let mut left =
                setting.records.rows_of(&classes.split_off(random.below(classes.len())).concat());
            let mut placed: Vec<Vec<u32>> =
                classes.iter().map(|class| setting.records.rows_of(class)).collect();
            if seed % 4 == 0 && !placed.is_empty() {
                placed[0].extend(left.split_off(1));
            }
            let clusters = complete(setting.run, placed, &left).unwrap();
            setting.check_classes(&clusters);
        });
    }
}
