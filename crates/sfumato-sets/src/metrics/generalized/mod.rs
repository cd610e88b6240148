//! Metrics for generalized baskets: one file each, listed once. They compare each item of a record
//! with the node that stands for it.

use sfumato_core::column::Code as _;
use sfumato_core::registry::Info;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

use crate::data::item_tree::{ItemTree, Node};
use crate::metrics::frequent::Patterns;

sfumato_core::registry! {
    /// All metrics for generalized baskets, in the order of the catalogue.
    dyn TreeMetric:
    ncp::Ncp,
    exact_instances::ExactInstances,
    items_retained::ItemsRetained,
    merged_instances::MergedInstances,
    suppressed_instances::SuppressedInstances,
    nuggets_kept::NuggetsKept,
    frequent_itemset_recall::FrequentItemsetRecall,
    frequent_itemset_precision::FrequentItemsetPrecision,
    query_error::QueryError,
}

/// What a metric for generalized baskets sees.
#[derive(Clone, Copy)]
pub struct TreeView<'a> {
    /// The item hierarchy.
    pub tree: &'a ItemTree,
    /// The leaves of each record of the original.
    pub leaves: &'a Transactions,
    /// The nodes of each row of the release.
    pub rows: &'a Transactions,
    /// Which record each row is made from.
    pub order: &'a [u32],
    /// What is learnt of combinations of items; it doesn't ask which record became which.
    pub patterns: &'a Patterns<'a>,
}

impl TreeView<'_> {
    /// Visit every item of every record, with the node that stands for it in its row. `None` if
    /// nothing does.
    pub fn each(&self, mut visit: impl FnMut(Node, Option<Node>)) {
        with_sets!(self.rows, rows => with_sets!(self.leaves, leaves => {
            for (row, record) in self.order.iter().enumerate() {
                for leaf in leaves.get(*record as usize).iter().map(|leaf| leaf.widen()) {
                    let mut nodes = rows.get(row).iter().map(|node| node.widen());
                    visit(leaf, nodes.find(|node| self.tree.covers(*node, leaf)));
                }
            }
        }));
    }
    /// The share of instances of items for which something is the case. `None` if there are none.
    fn share(&self, is_case: impl Fn(Node, Option<Node>) -> bool) -> Option<f64> {
        let (mut cases, mut all) = (0u64, 0u64);
        self.each(|leaf, node| {
            cases += u64::from(is_case(leaf, node));
            all += 1;
        });
        (all > 0).then(|| cases as f64 / all as f64)
    }
}

/// A utility metric for generalized baskets: an entry of the registry.
pub trait TreeMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Whether it says how much is kept instead of lost.
    fn more_is_better(&self) -> bool {
        false
    }
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &TreeView<'_>) -> Option<f64>;
}

/// Whether a metric says how much is kept instead of lost.
pub fn more_is_better(name: &str) -> bool {
    ALL.iter().any(|metric| metric.info().name == name && metric.more_is_better())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::item_tree::testing::book;

    /// The measures of a release of the book's records.
    fn measured(rows: [&str; 4]) -> Vec<(&'static str, Option<f64>)> {
        let tree = book();
        let node = |label: &str| tree.labels().iter().position(|l| l == label).unwrap() as Node;
        let set = |line: &str| line.split_whitespace().map(node).collect::<Vec<_>>();
        let sets = |lines: [&str; 4]| Transactions::from_sets(tree.n_nodes(), lines.map(set));
        let leaves = sets(["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"]);
        let rows = sets(rows);
        let patterns = Patterns::new(&leaves, &rows, Some(&tree));
        let order = &[0, 1, 2, 3];
        let view =
            TreeView { tree: &tree, leaves: &leaves, rows: &rows, order, patterns: &patterns };
        ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect()
    }

    #[test]
    fn the_book_s_cut_is_measured() {
        let cut = measured(["A b1 b2", "A b1", "A b1 b2", "A b2"]);
        // Five of eleven items are published as A, which stands for two of four; the two of the
        // last record fell together.
        let expected = [
            ("ncp", 5.0 * 0.5 / 11.0),
            ("exact-instances", 6.0 / 11.0),
            ("items-retained", 0.5),
            ("merged-instances", 1.0 / 11.0),
            ("suppressed-instances", 0.0),
        ];
        for (name, value) in expected {
            assert!(cut.contains(&(name, Some(value))), "{name}: {cut:?}");
        }
        let same = measured(["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"]);
        let expected = [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0].map(Some);
        assert_eq!(same.iter().map(|(_, value)| *value).collect::<Vec<_>>(), expected);
        let nothing = measured([""; 4]);
        // Nothing is found, so that no share of it is right, and all counts are 0.
        let lost = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0].map(Some);
        let expected = [&lost[..], &[None, Some(1.0)]].concat();
        assert_eq!(nothing.iter().map(|(_, value)| *value).collect::<Vec<_>>(), expected);
        let root = measured(["ALL"; 4]);
        assert!(root.contains(&("ncp", Some(1.0))), "{root:?}");
        assert!(root.contains(&("merged-instances", Some(7.0 / 11.0))), "{root:?}");
    }
}
