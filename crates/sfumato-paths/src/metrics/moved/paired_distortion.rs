//! Paired distortion: how far tracks are from what is published of them, position by position.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::tracks::{Fix, along};

/// The metric.
pub struct PairedDistortion;

static INFO: Info = Info {
    name: "paired-distortion",
    summary: "root of the mean square over tracks of how far their positions are from those with \
              the same share of positions before them, in space and time; smaller is better",
    doc: "\
The first position of a track is paired with the first of the published one, the last with the \
last, and those between by their share of all positions. The distance of a pair is that in space \
and that in time together, as the two sides of a right angle, where **a second, or unit of time, \
counts as a metre**, or unit of x; a track has the mean of its pairs. All positions of the \
original count, those that were cut off as well; tracks that are left out are counted by a \
metric of their own. Tools that know no common clock measure their error so.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for PairedDistortion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let (mut sum, mut n) = (0.0, 0u64);
        for (before, after) in view.before.iter().zip(view.after) {
            if before.is_empty() || after.is_empty() {
                continue;
            }
            let last = (before.len() - 1).max(1) as f64;
            let pair = |(at, own): (usize, &Fix)| {
                let found = along(after, at as f64 / last);
                view.plane.distance(own.position, found.position).hypot(own.time - found.time)
            };
            let mean = before.iter().enumerate().map(pair).sum::<f64>() / before.len() as f64;
            sum += mean * mean;
            n += 1;
        }
        (n > 0).then(|| (sum / n as f64).sqrt())
    }
}
