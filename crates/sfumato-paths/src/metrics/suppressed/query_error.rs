//! Error of counts in space and time: how wrong answers about a place during some times are.

use std::collections::BTreeMap;

use sfumato_core::registry::Info;

use super::{SuppressedMetric, SuppressedView};
use crate::data::PathData;

/// How many times are asked about together.
const TIMES: u32 = 3;
/// Counts below this part of all paths are taken as this part: small ones would weigh too much.
const SANITY: f64 = 0.001;

/// The metric.
pub struct QueryAnswersKept;

static INFO: Info = Info {
    name: "range-answers-kept",
    summary: "how right answers are about how many were at a place during some times: one minus \
    the \
              mean relative error; higher is better",
    doc: "\
Every place during every three times that follow each other is asked about: how many paths were \
there then? The error of an answer is its difference from the original's, over the original's or a \
thousandth of all paths if that is more. Where paths have no times every place is asked about.

**Range** 0 to 1, **higher is better**.
",
    ..Info::DEFAULT
};

fn answers(data: &PathData) -> BTreeMap<(u32, u32), u64> {
    let mut counts = BTreeMap::new();
    for path in data.paths.iter() {
        let mut own: Vec<(u32, u32)> = path
            .iter()
            .map(|step| data.steps[*step as usize])
            .map(|step| (step.time / TIMES, step.place))
            .collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|range| *counts.entry(range).or_default() += 1);
    }
    counts
}

impl SuppressedMetric for QueryAnswersKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SuppressedView<'_>) -> Option<f64> {
        let (before, after) = (answers(view.before), answers(view.after));
        let least = (SANITY * view.before.paths.len() as f64).max(1.0);
        let error = |(range, n): (&(u32, u32), &u64)| {
            let left = after.get(range).copied().unwrap_or(0);
            n.abs_diff(left) as f64 / (*n as f64).max(least)
        };
        let sum: f64 = before.iter().map(error).sum();
        (!before.is_empty()).then(|| 1.0 - sum / before.len() as f64)
    }
}
