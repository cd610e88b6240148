//! Algorithms that generalize items by a tree: each decides which nodes are published for every
//! record.
//!
//! Nothing here reads or writes files, or verifies: the engine does, with code of its own.

mod apriori;
pub mod cut;
pub mod papers;
mod search;

use crate::traits::SetRequirements;
use sfumato_core::combinations::AskedCombinations;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{self, Info, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::item_tree::{ItemTree, Node};

sfumato_core::registry! {
    /// The algorithms that generalize items.
    dyn TreeAlgorithm:
    cut_search::CutSearch,
    apriori_anonymization::AprioriAnonymization,
    direct_anonymization::DirectAnonymization,
    optimal_anonymization::OptimalAnonymization,
    set_partition::SetPartition,
}

/// The task of an algorithm that generalizes items.
#[derive(Clone, Copy)]
pub struct TreeTask<'a> {
    /// The tree over items.
    pub tree: &'a ItemTree,
    /// The records, as sets of leaves of the tree.
    pub leaves: &'a Transactions,
    /// How many records each of them stands for. `None` if each stands for one. Only given to
    /// algorithms that take weights.
    pub weights: Option<&'a [u32]>,
    /// How many records must be published alike, for algorithms that make copies.
    pub k: u64,
    /// What is promised about combinations of items.
    pub combinations: &'a [AskedCombinations],
    /// The seed of random choices: the same seed gives the same result.
    pub seed: u64,
    /// Progress and cancellation.
    pub observer: &'a dyn Observer,
}

impl<'a> TreeTask<'a> {
    /// A task with seed 0, no weights and no observer.
    pub fn new(
        tree: &'a ItemTree,
        leaves: &'a Transactions,
        k: u64,
        combinations: &'a [AskedCombinations],
    ) -> Self {
        let observer = &sfumato_core::observer::Unobserved;
        TreeTask { tree, leaves, weights: None, k, combinations, seed: 0, observer }
    }
    /// How many records a set stands for.
    pub fn weight(&self, record: usize) -> u64 {
        self.weights.map_or(1, |weights| u64::from(weights[record]))
    }
    /// Return an error if the user asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "stopped")),
            false => Ok(()),
        }
    }
}

/// The nodes that are published for each record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralizedSets {
    /// For each record, the index of its set.
    pub of_record: Vec<u32>,
    /// The sets of nodes. Two of them may be equal.
    pub sets: Transactions,
    /// The leaves that are left out of all records, ascending.
    pub suppressed: Vec<Node>,
}

/// An algorithm that generalizes items: an entry of the registry.
pub trait TreeAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find the nodes that are published for each record: above its items, and above nothing else.
    fn anonymize(&self, params: &Params, task: &TreeTask<'_>) -> Result<GeneralizedSets>;

    /// Refuse, by name, a model that the algorithm can't serve.
    fn check_requirements(&self, requirements: &SetRequirements) -> Result<()> {
        let Info { name, capabilities, .. } = self.info();
        for requirement in &requirements.all {
            let asked = requirement.combinations()?;
            let can_serve = match asked {
                // Generalizing may make a private item more likely, so that no way leads up.
                Some(asked) if asked.most.is_some() => {
                    return Err(Error::unsupported(format!(
                        "{name} can't serve {}: it looks at no private items",
                        requirement.model()
                    ))
                    .hint("leave the item hierarchy out: item-suppression serves it"));
                }
                Some(_) if capabilities.can_serve(Fact::Combinations) => true,
                _ => {
                    let serves = |(hiding, _)| capabilities.can_serve(Fact::Hiding(hiding));
                    let asks = requirement.asks();
                    !asks.is_empty() && asks.into_iter().all(serves)
                }
            };
            if !can_serve {
                let counts = capabilities.serves.first().map_or("nothing", |fact| fact.describe());
                return Err(Error::unsupported(format!(
                    "{name} can't serve {}: it looks at {counts}",
                    requirement.model()
                ))
                .hint(
                    "with an item hierarchy, set-partition serves k-anonymity and cut-search \
                    km-anonymity",
                ));
            }
        }
        Ok(())
    }
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn TreeAlgorithm> {
    registry::find("item-algorithm", ALL, |algorithm| algorithm.info(), name)
}

#[cfg(test)]
mod tests;
