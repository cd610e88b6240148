//! How far slopes of regressions moved.

use sfumato_core::registry::Info;

use super::correlations_moved::of_pairs;
use super::{Both, PerturbedMetric};

/// The metric `slopes-moved`, an entry of the registry.
pub struct SlopesMoved;

static INFO: Info = Info {
    name: "slopes-moved",
    summary: "the largest change of the slope of one column by another, as a share of the slope",
    doc: "Over all pairs of columns of numbers whose correlation is at least 0.1: below that a \
          slope is mostly chance. 0 where all are kept.",
    ..Info::DEFAULT
};

/// The weakest correlation whose slope is looked at.
const WEAKEST: f64 = 0.1;

impl PerturbedMetric for SlopesMoved {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_by_row(&self) -> bool {
        false
    }
    fn of_release(&self, both: &Both<'_>) -> Option<f64> {
        of_pairs(both, |before, after| match before.1.abs() >= WEAKEST {
            true => (after.0 / before.0 - 1.0).abs(),
            false => 0.0,
        })
    }
}
