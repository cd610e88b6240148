//! Mean cells: how large regions are on average.

use sfumato_core::registry::Info;

use super::{RegionMetric, RegionsView};

/// The metric.
pub struct MeanCells;

static INFO: Info = Info {
    name: "mean-cells",
    summary: "how many cells of a grid a region meets on average; smaller is better",
    doc: "\
Positions that are published as they are count as one cell. The width of cells is the parameter \
`cell` of the algorithm.

**Range** 1 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

impl RegionMetric for MeanCells {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &RegionsView<'_>) -> Option<f64> {
        let n = view.areas().count();
        (n > 0).then(|| view.areas().sum::<f64>() / n as f64)
    }
}
