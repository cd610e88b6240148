//! Small counts are left out of a matrix of flows.

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info, Params};

use super::{FlowAlgorithm, FlowTask};
use crate::data::flows::Flows;

/// The algorithm.
pub struct SmallCountSuppression;

static INFO: Info = Info {
    name: "small-count-suppression",
    summary: "leave out counts of fewer than k people; the others are exact",
    doc: "\
A pair of places is published if at least k people went that way, with their exact number. Which \
pairs were left out, and how many people went there, isn't said.
",
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Copies)],
        ignores: &["metric", "max_suppression"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl FlowAlgorithm for SmallCountSuppression {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_random(&self) -> bool {
        false
    }
    fn publish(&self, _: &Params, task: &FlowTask<'_>, _: &mut ChaCha20Rng) -> Result<Flows> {
        let k = task.k.unwrap_or(1);
        Ok(task
            .flows
            .iter()
            .filter(|(_, n)| **n >= k)
            .map(|(pair, n)| (pair.clone(), *n))
            .collect())
    }
}
