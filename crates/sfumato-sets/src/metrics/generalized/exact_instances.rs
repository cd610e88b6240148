//! Exact instances: the share of all items of all records that are published as themselves.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct ExactInstances;

static INFO: Info = Info {
    name: "exact-instances",
    summary: "instances of items that are published as themselves, as a share of all; higher is \
              better",
    papers: &[],
    doc: "\
**Range** 0 to 1, **higher is better**.
",
    ..Info::DEFAULT
};

impl TreeMetric for ExactInstances {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn more_is_better(&self) -> bool {
        true
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        view.share(|leaf, node| node == Some(leaf))
    }
}
