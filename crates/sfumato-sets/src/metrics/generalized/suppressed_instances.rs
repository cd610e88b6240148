//! Suppressed instances: the share of all items of all records that are left out.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct SuppressedInstances;

static INFO: Info = Info {
    name: "suppressed-instances",
    summary: "instances of items that are left out, as a share of all; lower is better",
    papers: &[],
    doc: "\
Items that are left out of all records, because too few have them. **Range** 0 to 1,
**lower is better**.
",
    ..Info::DEFAULT
};

impl TreeMetric for SuppressedInstances {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        view.share(|_, node| node.is_none())
    }
}
