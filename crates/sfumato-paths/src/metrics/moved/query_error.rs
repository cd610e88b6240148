//! Error of counts in space and time: how wrong answers about a cell at a time are.

use std::collections::BTreeMap;

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::tracks::Fix;

/// The width of cells, and the number of ticks that are asked about together.
const WIDTH: f64 = 1000.0;
const TICKS: i64 = 10;
/// Counts below this part of all tracks are taken as this part: small ones would weigh too much.
const SANITY: f64 = 0.001;

/// The metric.
pub struct QueryError;

static INFO: Info = Info {
    name: "query-error",
    summary: "mean relative error of how many tracks are in a cell during some ticks; smaller is \
              better",
    doc: "\
Every cell of a grid of 1,000 metres, or units of x, during every ten ticks of the clock is asked \
about: how many tracks were in it then? The error of an answer is its difference from the \
original's, over the original's or a thousandth of all tracks if that is more; the metric is the \
mean over all cells and times in which any track of the original was. Tracks that are left out are \
missing from the answers.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for QueryError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        type Ranges = BTreeMap<(i64, (i64, i64)), (i64, i64)>;
        let mut counts: Ranges = BTreeMap::new();
        let mut ranges = |track: &[Fix], before: bool| {
            let mut own: Vec<(i64, (i64, i64))> = track
                .iter()
                .map(|fix| {
                    // A time that was rounded when it was written is at its tick.
                    let tick = view.ticks.at(fix.time).unwrap_or(view.ticks.until(fix.time));
                    (tick.div_euclid(TICKS), view.plane.cell(fix.position, WIDTH))
                })
                .collect();
            own.sort_unstable();
            own.dedup();
            for range in own {
                let count = counts.entry(range).or_default();
                *(if before { &mut count.0 } else { &mut count.1 }) += 1;
            }
        };
        for (before, after) in view.before.iter().zip(view.after) {
            ranges(before, true);
            ranges(after, false);
        }
        let least = (SANITY * view.tracks as f64).max(1.0);
        let error = |(before, after): &(i64, i64)| {
            (before - after).unsigned_abs() as f64 / (*before as f64).max(least)
        };
        let asked: Vec<f64> = counts.values().filter(|(n, _)| *n > 0).map(error).collect();
        (!asked.is_empty()).then(|| asked.iter().sum::<f64>() / asked.len() as f64)
    }
}
