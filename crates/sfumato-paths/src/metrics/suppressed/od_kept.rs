//! Origins and destinations kept: how much of the matrix of first and last places is right.

use std::collections::BTreeMap;

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};
use crate::data::PathData;

/// The metric.
pub struct OdKept;

static INFO: Info = Info {
    name: "od-kept",
    summary: "share of paths that the matrix of first and last places counts where they belong; \
              higher is better",
    doc: "\
Both matrices, of the original and of the release, count paths by their first and last place. The \
share is one minus half of the sum of differences over all pairs, over the paths of the original; \
paths of which nothing is left are counted nowhere.

**Range** 0 to 1, **higher is better**.
",
    ..Info::DEFAULT
};

fn matrix(data: &PathData) -> BTreeMap<(u32, u32), u64> {
    let mut counts = BTreeMap::new();
    let place = |step: &u32| data.steps[*step as usize].place;
    for path in data.paths.iter() {
        if let (Some(first), Some(last)) = (path.first(), path.last()) {
            *counts.entry((place(first), place(last))).or_default() += 1;
        }
    }
    counts
}

impl SuppressedMetric for OdKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let (before, after) = (matrix(view.before), matrix(view.after));
        let all: u64 = before.values().sum();
        let right = |(pair, n): (&(u32, u32), &u64)| *after.get(pair).unwrap_or(&0).min(n);
        (all > 0).then(|| before.iter().map(right).sum::<u64>() as f64 / all as f64)
    }
}
