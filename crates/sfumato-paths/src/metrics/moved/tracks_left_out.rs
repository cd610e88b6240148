//! Tracks left out, as a share.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};

/// The metric.
pub struct TracksLeftOut;

static INFO: Info = Info {
    name: "tracks-left-out",
    summary: "tracks that are not published, as a share of all; smaller is better",
    doc: "\
**Range** 0 to 1, **smaller is better**. Tracks that the job says are too short don't count.
",
    ..Info::DEFAULT
};

impl MovedMetric for TracksLeftOut {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let left_out = view.tracks - view.after.len();
        (view.tracks > 0).then(|| left_out as f64 / view.tracks as f64)
    }
}
