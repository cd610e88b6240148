//! Metrics for moved tracks: one file each, listed once. They say how far tracks were moved and
//! how much of them is lost.

sfumato_core::registry! {
    /// All metrics for moved tracks, in the order of the catalogue.
    dyn MovedMetric:
    mean_distortion::MeanDistortion,
    rms_distortion::RmsDistortion,
    total_distortion::TotalDistortion,
    tracks_left_out::TracksLeftOut,
    positions_cut::PositionsCut,
    hausdorff_distance::HausdorffDistance,
    frechet_distance::FrechetDistance,
    dtw_distance::DtwDistance,
    od_error::OdError,
    gyration_error::GyrationError,
    length_error::LengthError,
    entropy_error::EntropyError,
    query_error::QueryError,
    paired_distortion::PairedDistortion,
    time_shift::TimeShift,
}

use std::borrow::Cow;

use sfumato_core::registry::Info;

use crate::data::plane::{Plane, Position};
use crate::data::synchronous::Ticks;
use crate::data::tracks::Fix;

/// Tracks before and after.
pub struct MovedView<'a> {
    /// What coordinates mean.
    pub plane: Plane,
    /// The originals of published tracks, whole: on the common clock, if tracks keep it.
    pub before: &'a [Cow<'a, [Fix]>],
    /// The published tracks, in the same order.
    pub after: &'a [Vec<Fix>],
    /// The common clock.
    pub ticks: &'a Ticks,
    /// How far each published position was moved.
    pub moved: &'a [f64],
    /// How far each was moved in time; empty where tracks keep the clock.
    pub shifted: &'a [f64],
    /// How many positions were cut off at the ends of published tracks.
    pub cut: u64,
    /// The number of tracks of the original.
    pub tracks: usize,
    /// The number of positions that the originals of published tracks have.
    pub on_clock: u64,
}

impl MovedView<'_> {
    /// The mean of a measure of pairs of an original and its published track.
    fn mean_of(&self, measure: impl Fn(&[Position], &[Position]) -> Option<f64>) -> Option<f64> {
        let (mut sum, mut n) = (0.0, 0u64);
        for (before, after) in self.before.iter().zip(self.after) {
            let after: Vec<Position> = after.iter().map(|fix| fix.position).collect();
            let before: Vec<Position> = before.iter().map(|fix| fix.position).collect();
            if let Some(measured) = measure(&before, &after) {
                sum += measured;
                n += 1;
            }
        }
        (n > 0).then(|| sum / n as f64)
    }
}

/// A metric for moved tracks.
pub trait MovedMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure the loss. `None` if it isn't defined.
    fn measure(&self, view: &MovedView<'_>) -> Option<f64>;
}

#[cfg(test)]
mod tests;
