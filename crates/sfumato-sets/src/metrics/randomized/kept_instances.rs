//! Kept instances: the share of what records have that is in their random sets.

use sfumato_core::registry::Info;

use super::{RandomMetric, RandomView};

/// The metric.
pub struct KeptInstances;

static INFO: Info = Info {
    name: "kept-instances",
    summary: "share of the items of records that are in what is published of them",
    doc: "Items of a record that are in its random set, over all records, as a share of all items \
          of records.",
    ..Info::DEFAULT
};

impl RandomMetric for KeptInstances {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &RandomView<'_>) -> Option<f64> {
        let all = view.original.n_instances();
        (all > 0).then(|| view.kept() as f64 / all as f64)
    }
}
