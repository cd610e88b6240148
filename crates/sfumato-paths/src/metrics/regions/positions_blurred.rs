//! Positions blurred: the share of positions that are published as boxes.

use sfumato_core::registry::Info;

use super::{RegionMetric, RegionsView};

/// The metric.
pub struct PositionsBlurred;

static INFO: Info = Info {
    name: "positions-blurred",
    summary: "positions that are published as boxes, as a share; smaller is better",
    doc: "\
**Range** 0 to 1, **smaller is better**. A box of people who are at one position is a point.
",
    ..Info::DEFAULT
};

impl RegionMetric for PositionsBlurred {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &RegionsView<'_>) -> Option<f64> {
        let all = view.tracks.iter().map(Vec::len).sum::<usize>();
        let boxes = view.tracks.iter().flatten().filter(|fix| !fix.region.is_point()).count();
        (all > 0).then(|| boxes as f64 / all as f64)
    }
}
