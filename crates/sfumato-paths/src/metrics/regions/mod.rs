//! Metrics for tracks of regions: one file each, listed once. They say how much is blurred.

sfumato_core::registry! {
    /// All metrics for regions, in the order of the catalogue.
    dyn RegionMetric:
    region_loss::RegionLoss,
    mean_cells::MeanCells,
    positions_blurred::PositionsBlurred,
}

use sfumato_core::registry::Info;

use crate::data::plane::Plane;
use crate::data::region::RegionFix;

/// Published regions.
pub struct RegionsView<'a> {
    /// What coordinates mean.
    pub plane: Plane,
    /// The width of the cells in which areas are counted.
    pub cell: f64,
    /// The published tracks.
    pub tracks: &'a [Vec<RegionFix>],
}

impl RegionsView<'_> {
    /// The area of each region in cells.
    fn areas(&self) -> impl Iterator<Item = f64> + '_ {
        self.tracks.iter().flatten().map(|fix| fix.region.cells(self.plane, self.cell))
    }
}

/// A metric for regions.
pub trait RegionMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure the loss. `None` if it isn't defined.
    fn measure(&self, view: &RegionsView<'_>) -> Option<f64>;
}
