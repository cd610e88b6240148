//! NCP: the share of all items that a published node stands for, on average.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct Ncp;

static INFO: Info = Info {
    name: "ncp",
    summary: "normalized certainty penalty: the share of all items that a published node stands \
              for, on average over all instances; lower is better",
    papers: &[crate::algorithms::generalization::papers::TERROVITIS],
    doc: "\
For each item of each record the number of leaves below the node that is published for it, divided
by all leaves of the item hierarchy; 0 for an item that is published as itself, and 1 for one that
is left out. The mean over all instances of the original: items that fell together in a record
count each.

**Range** 0 to 1, **lower is better**.
",
    ..Info::DEFAULT
};

impl TreeMetric for Ncp {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        let (mut lost, mut all) = (0.0, 0u64);
        view.each(|_, node| {
            lost += node.map_or(1.0, |node| view.tree.ncp(node));
            all += 1;
        });
        (all > 0).then(|| lost / all as f64)
    }
}
