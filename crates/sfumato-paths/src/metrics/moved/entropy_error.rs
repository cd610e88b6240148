//! Error of the entropy of places: how evenly somebody's time is spread over them.

use sfumato_core::FastMap;
use sfumato_core::registry::Info;

use super::{MovedMetric, MovedView};
use crate::data::plane::Position;

/// The width of cells.
const WIDTH: f64 = 1000.0;

/// The metric.
pub struct EntropyError;

static INFO: Info = Info {
    name: "entropy-error",
    summary: "mean absolute error of the entropy of the cells that a track is in; smaller is \
    better",
    doc: "\
Positions fall into cells of a grid of 1,000 metres, or units of x. The entropy of a track is that \
of the shares of its positions in each cell, in bits: 0 for who stays in one cell, and large for \
who \
is everywhere equally long.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl MovedMetric for EntropyError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &MovedView<'_>) -> Option<f64> {
        view.mean_of(|before, after| {
            let entropy = |positions: &[Position]| {
                let mut counts: FastMap<(i64, i64), u64> = FastMap::default();
                for position in positions {
                    *counts.entry(view.plane.cell(*position, WIDTH)).or_default() += 1;
                }
                crate::metrics::entropy(counts.into_values().collect())
            };
            Some((entropy(before)? - entropy(after)?).abs())
        })
    }
}
