//! Items retained: the share of different items that are published as themselves at all.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct ItemsRetained;

static INFO: Info = Info {
    name: "items-retained",
    summary: "different items that are published as themselves at least once, as a share of all; \
        higher is better",
    doc: "\
Different items that some row has as themselves over different items of the original. **Range** 0 \
to 1, **higher is better**.
",
    ..Info::DEFAULT
};

impl TreeMetric for ItemsRetained {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn more_is_better(&self) -> bool {
        true
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        let n_nodes = view.tree.n_nodes();
        let (mut is_there, mut is_kept) = (vec![false; n_nodes], vec![false; n_nodes]);
        view.each(|leaf, node| {
            is_there[leaf as usize] = true;
            is_kept[leaf as usize] |= node == Some(leaf);
        });
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        (count(&is_there) > 0).then(|| count(&is_kept) as f64 / count(&is_there) as f64)
    }
}
