//! Discrete Fréchet distance between tracks and what is published of them.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::{Plane, Position};

/// The metric.
pub struct FrechetDistance;

static INFO: Info = Info {
    name: "frechet-distance",
    summary: "discrete Fréchet distance, on average; smaller is better",
    doc: "\
For each track the length of the shortest leash with which one can walk along its positions and \
another along those of the published track, neither of them ever back; then the mean over all \
published tracks. In metres, or in the unit of x.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for FrechetDistance {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        view.mean_of(|before, after| {
            let is_there = !before.is_empty() && !after.is_empty();
            is_there.then(|| leash(view.plane, before, after))
        })
    }
}

/// The shortest leash. Both walks have positions.
fn leash(plane: Plane, a: &[Position], b: &[Position]) -> f64 {
    let mut row = vec![f64::INFINITY; b.len() + 1];
    row[0] = 0.0;
    for one in a {
        let mut diagonal = row[0];
        row[0] = f64::INFINITY;
        for (j, other) in b.iter().enumerate() {
            let best = diagonal.min(row[j]).min(row[j + 1]);
            diagonal = row[j + 1];
            row[j + 1] = best.max(plane.distance(*one, *other));
        }
    }
    row[b.len()]
}
