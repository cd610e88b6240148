//! Added instances: how many items of a random set aren't its record's, on average.

use sfumato_core::registry::Info;

use super::{RandomMetric, RandomView};

/// The metric.
pub struct AddedInstances;

static INFO: Info = Info {
    name: "added-instances",
    summary: "items of a published set that its record hasn't, on average",
    doc: "Items of random sets that their records haven't, divided by the number of records.",
    ..Info::DEFAULT
};

impl RandomMetric for AddedInstances {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &RandomView<'_>) -> Option<f64> {
        let rows = view.read.rows.len();
        let added = view.read.rows.n_instances() - view.kept();
        (rows > 0).then(|| added as f64 / rows as f64)
    }
}
