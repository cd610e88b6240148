//! Algorithms that put baskets into buckets.

use sfumato_core::observer::Observer;
use sfumato_core::registry::{Info, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::{FactCounts, Groups};

/// The task of an algorithm for buckets.
#[derive(Clone, Copy)]
pub struct BucketTask<'a> {
    /// The items of each record that are published as they are.
    pub quasi: &'a Transactions,
    /// The sensitive items of the same records. Codes number all items, as in the quasi part, and
    /// most of them occur in one part only.
    pub sensitive: &'a Transactions,
    /// At most one in p records of a group may have the same sensitive item.
    pub p: u64,
    /// The seed of random choices: the same seed gives the same result.
    pub seed: u64,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl<'a> BucketTask<'a> {
    /// A task with seed 0 and no observer.
    pub fn new(quasi: &'a Transactions, sensitive: &'a Transactions, p: u64) -> Self {
        BucketTask { quasi, sensitive, p, seed: 0, observer: &sfumato_core::observer::Unobserved }
    }
    /// Return an error if the user asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }
}

/// What an algorithm found out on its way, for the report.
pub type BucketFindings = Vec<sfumato_core::recoding::Finding>;

/// An algorithm that puts baskets into buckets: an entry of the registry. It decides; it doesn't
/// apply, verify or write.
pub trait BucketAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find groups of privacy degree `task.p`. Items that are too frequent for any such groups were
    /// refused before ([`check_frequencies`](crate::data::check_frequencies)).
    fn group(&self, params: &Params, task: &BucketTask<'_>) -> Result<(Groups, BucketFindings)>;
}

/// What a metric for buckets of baskets sees: the original and the release.
#[derive(Clone, Copy)]
pub struct BucketView<'a> {
    /// The items of each record that are published as they are.
    pub quasi: &'a Transactions,
    /// The sensitive items of the same records, which a recipient doesn't see.
    pub sensitive: &'a Transactions,
    /// The groups.
    pub groups: &'a Groups,
    /// The published counts of the sensitive items.
    pub counts: &'a FactCounts,
    /// The seed of random queries.
    pub seed: u64,
}

/// A utility metric for buckets of baskets: an entry of the registry.
pub trait BucketMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &BucketView<'_>) -> Option<f64>;
}
