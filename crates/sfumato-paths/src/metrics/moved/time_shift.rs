//! Time shift: how much earlier or later positions are published than they were.

use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};

/// The metric.
pub struct TimeShift;

static INFO: Info = Info {
    name: "time-shift",
    summary: "how much earlier or later a position is published than it was, on average; smaller \
              is better",
    doc: "\
In seconds, or the unit of times. It is 0 where tracks keep the common clock: only \
`aligned-microaggregation` moves times.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for TimeShift {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        let n = view.moved.len();
        // The sum of nothing has a sign, which nobody should read.
        (n > 0).then(|| view.shifted.iter().fold(0.0, |sum, shift| sum + shift) / n as f64)
    }
}
