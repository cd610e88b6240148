//! Region loss: how much less likely a guess of the cell of each position became.

use sfumato_core::registry::{Info, Paper};

use super::{RegionMetric, RegionsView};

/// The metric.
pub struct RegionLoss;

static INFO: Info = Info {
    name: "region-loss",
    summary: "how much less likely it became to guess the cell of a position, summed over all; \
              smaller is better",
    papers: &[Paper {
        authors: "R. Yarovoy, F. Bonchi, L. V. S. Lakshmanan, W. H. Wang",
        title: "Anonymizing moving objects: how to hide a MOB in a crowd?",
        venue: "EDBT",
        year: 2009,
    }],
    doc: "\
The sum over all positions of 1 - 1 / area, where the area is the number of cells of a grid that a \
region meets: a position that is published as it is costs nothing, one in a box of four cells \
0.75. \
The printed formula says 1 - area, which would be negative. The width of cells is the parameter \
`cell` of the algorithm.

**Range** 0 to the number of positions, **smaller is better**.
",
    ..Info::DEFAULT
};

impl RegionMetric for RegionLoss {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &RegionsView<'_>) -> Option<f64> {
        Some(view.areas().map(|area| 1.0 - 1.0 / area).sum())
    }
}
