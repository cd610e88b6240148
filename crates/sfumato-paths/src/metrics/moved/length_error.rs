//! Error of the length of trips.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::Position;

/// The metric.
pub struct LengthError;

static INFO: Info = Info {
    name: "length-error",
    summary: "mean absolute error of the length of a track, as a share of the mean length; \
              smaller is better",
    doc: "\
The length of a track is the sum of the distances from each position to the next. The mean of \
the differences is divided by the mean length of the originals of published tracks.

**Range** 0 and more, **smaller is better**. Not defined where nobody moves.
",
    ..Info::DEFAULT
};

impl MovedMetric for LengthError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let length = |positions: &[Position]| -> f64 {
            positions.windows(2).map(|two| view.plane.distance(two[0], two[1])).sum()
        };
        let all = view.mean_of(|before, _| Some(length(before)))?;
        let error = view.mean_of(|before, after| Some((length(before) - length(after)).abs()))?;
        (all > 0.0).then(|| error / all)
    }
}
