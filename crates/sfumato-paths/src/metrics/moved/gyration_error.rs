//! Error of the radius of gyration: how far somebody roams.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::{Position, mean};

/// The metric.
pub struct GyrationError;

static INFO: Info = Info {
    name: "gyration-error",
    summary: "mean absolute error of the radius of gyration; smaller is better",
    doc: "\
The radius of gyration is the root of the mean square distance of the positions of a track from \
their mean. In metres, or in the unit of x.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for GyrationError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        view.mean_of(|before, after| {
            let radius = |positions: &[Position]| {
                let centre = mean(positions.iter().copied());
                let square = |position: &Position| view.plane.distance(*position, centre).powi(2);
                let sum: f64 = positions.iter().map(square).sum();
                (!positions.is_empty()).then(|| (sum / positions.len() as f64).sqrt())
            };
            Some((radius(before)? - radius(after)?).abs())
        })
    }
}
