//! Hausdorff distance between tracks and what is published of them.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::Position;

/// The metric.
pub struct HausdorffDistance;

static INFO: Info = Info {
    name: "hausdorff-distance",
    summary: "how far the farthest position of a track is from the published track or the \
              other way round, on average; smaller is better",
    doc: "\
For each track the largest distance from a position of one to the nearest position of the other, \
whatever their times, both ways; then the mean over all published tracks. In metres, or in the \
unit of x.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for HausdorffDistance {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        view.mean_of(|before, after| {
            let one_way = |from: &[Position], to: &[Position]| {
                let nearest = |a: &Position| {
                    to.iter().map(|b| view.plane.distance(*a, *b)).fold(f64::INFINITY, f64::min)
                };
                from.iter().map(nearest).fold(0.0, f64::max)
            };
            let is_there = !before.is_empty() && !after.is_empty();
            is_there.then(|| one_way(before, after).max(one_way(after, before)))
        })
    }
}
