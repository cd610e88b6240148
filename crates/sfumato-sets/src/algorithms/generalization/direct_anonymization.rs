//! Direct anonymization (DA): rare combinations of all sizes are repaired at once.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Params};

use super::cut::Cut;
use super::{GeneralizedSets, TreeAlgorithm, TreeTask, apriori, papers};

/// The algorithm.
pub struct DirectAnonymization;

static INFO: Info = Info {
    name: "direct-anonymization",
    summary: "generalizes rare combinations of items of all sizes until they occur often enough",
    papers: &[papers::TERROVITIS],
    doc: "\
As `apriori-anonymization`, but combinations of all sizes up to `m` are counted before anything is \
generalized. It counts more and promises the same; it is here
to be compared with.
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

impl TreeAlgorithm for DirectAnonymization {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &TreeTask<'_>) -> Result<GeneralizedSets> {
        let mut cut = Cut::leaves(task.tree, &[]);
        for asked in task.combinations {
            apriori::repair(task, &mut cut, asked, std::iter::once(asked.size))?;
        }
        Ok(cut.decide(task))
    }
}
