//! Apriori anonymization (AA): rare combinations are repaired by size, single items first.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Params};

use super::cut::Cut;
use super::{GeneralizedSets, TreeAlgorithm, TreeTask, apriori, papers};

/// The algorithm.
pub struct AprioriAnonymization;

static INFO: Info = Info {
    name: "apriori-anonymization",
    summary: "generalizes rare combinations of items until they occur often enough: single items \
        first, then pairs, and so on",
    papers: &[papers::TERROVITIS],
    doc: "\
From the leaves up. For sizes 1 to `m`: all combinations of that size are counted in the records \
as they are generalized so far; each rare one is generalized in
the cheapest way in which `k` records have it, with all items below the nodes that it needs, in \
all records. That is repeated until none of that size is rare.

What was repaired at one size leaves fewer combinations for the next, so that it counts less than \
`direct-anonymization` and gives the same promise. The loss is the
normalized certainty penalty, but only one combination is looked at at a time: `cut-search` loses \
less.

## Deviations from the paper

Combinations are counted by the level-wise count that all models use, not in a count-tree, and \
records aren't extended by ancestors. The printed algorithm calls the
repair inside the loop over records; as its text says, it is called once for each size.
",
    capabilities: Capabilities {
        serves: &[Fact::Combinations],
        needs_hierarchies: true,
        takes_weights: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl TreeAlgorithm for AprioriAnonymization {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &TreeTask<'_>) -> Result<GeneralizedSets> {
        let mut cut = Cut::leaves(task.tree, &[]);
        // No combination is larger than the largest record.
        let largest = (0..task.leaves.len()).map(|record| task.leaves.size(record)).max();
        for asked in task.combinations {
            let sizes = 1..=asked.size.min(largest.unwrap_or(0)).max(1);
            apriori::repair(task, &mut cut, asked, sizes)?;
        }
        Ok(cut.decide(task))
    }
}
