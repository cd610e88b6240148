//! Merged instances: the share of items that fell together with another one of their record.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct MergedInstances;

static INFO: Info = Info {
    name: "merged-instances",
    summary: "instances of items that fell together with another item of their record, as a share \
        of all; lower is better",
    doc: "\
A record has a node once, however many of its items are below it: how many items records have \
isn't published where they fall together. The items that are published
in some way, without the nodes of all rows, over all items. **Range** 0 to 1, **lower is better**.
",
    ..Info::DEFAULT
};

impl TreeMetric for MergedInstances {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        let (mut published, mut all) = (0u64, 0u64);
        view.each(|_, node| {
            published += u64::from(node.is_some());
            all += 1;
        });
        let merged = published.saturating_sub(view.rows.n_instances());
        (all > 0).then(|| merged as f64 / all as f64)
    }
}
