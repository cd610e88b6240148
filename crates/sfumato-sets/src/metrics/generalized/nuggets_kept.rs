//! Nuggets kept: the share of frequent sets of items that rows have as themselves.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};

/// The metric.
pub struct NuggetsKept;

static INFO: Info = Info {
    name: "nuggets-kept",
    summary: "frequent sets of items that are published as themselves in as many rows, as a share \
        of all; higher is better",
    doc: "\
Sets of at most three items that at least one of a hundred records has (the nuggets). One is kept \
if its items are published as themselves in as many rows: nothing has to be estimated.

**Range** 0 to 1, **higher is better**. Not defined where no set is frequent, or where counting \
would take too long.
",
    ..Info::DEFAULT
};

impl TreeMetric for NuggetsKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn more_is_better(&self) -> bool {
        true
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        view.patterns.nuggets()
    }
}
