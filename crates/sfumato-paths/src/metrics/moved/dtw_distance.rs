//! Dynamic time warping distance between tracks and what is published of them.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::{Plane, Position};

/// The metric.
pub struct DtwDistance;

static INFO: Info = Info {
    name: "dtw-distance",
    summary: "dynamic time warping distance for each step of the alignment, on average; \
              smaller is better",
    doc: "\
For each track the sum of distances along the best alignment of its positions with those of the \
published track, divided by the number of positions of the longer one; then the mean over all \
published tracks. In metres, or in the unit of x.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for DtwDistance {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        view.mean_of(|before, after| {
            let longest = before.len().max(after.len());
            let is_there = !before.is_empty() && !after.is_empty();
            is_there.then(|| warped(view.plane, before, after) / longest as f64)
        })
    }
}

/// The smallest sum of distances of an alignment.
fn warped(plane: Plane, a: &[Position], b: &[Position]) -> f64 {
    let mut row = vec![f64::INFINITY; b.len() + 1];
    row[0] = 0.0;
    for one in a {
        let mut diagonal = row[0];
        row[0] = f64::INFINITY;
        for (j, other) in b.iter().enumerate() {
            let best = diagonal.min(row[j]).min(row[j + 1]);
            diagonal = row[j + 1];
            row[j + 1] = best + plane.distance(*one, *other);
        }
    }
    row[b.len()]
}
