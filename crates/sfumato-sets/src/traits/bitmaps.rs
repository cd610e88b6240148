//! Algorithms that publish baskets as bitmaps, and metrics of such releases.

use sfumato_core::matches::Matches;
use sfumato_core::observer::Observer;
use sfumato_core::recoding::Finding;
use sfumato_core::registry::{Info, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::Bitmaps;

/// The task of an algorithm for bitmaps.
#[derive(Clone, Copy)]
pub struct BitmapTask<'a> {
    /// The records.
    pub sets: &'a Transactions,
    /// The label of each record, if labels must differ. Records without a common label have
    /// different numbers.
    pub labels: Option<&'a [u32]>,
    /// How many published records each original record must match. Never more than there are
    /// records.
    pub k: usize,
    /// The key of random choices. The guarantee rests on it, so it comes from the operating system
    /// unless the job has a seed.
    pub key: [u8; 32],
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl<'a> BitmapTask<'a> {
    /// A task without labels, with a key of zeros and no observer.
    pub fn new(sets: &'a Transactions, k: usize) -> Self {
        BitmapTask {
            sets,
            labels: None,
            k,
            key: [0; 32],
            observer: &sfumato_core::observer::Unobserved,
        }
    }
    /// Return an error if the user asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }
}

/// The published records, and which original records match them. The custodian needs the matches to
/// check the release; nobody else may see them.
#[derive(Debug, Clone, PartialEq)]
pub struct BitmapDecision {
    /// The published records, in random order.
    pub bitmaps: Bitmaps,
    /// Which published records each original record matches, by their places in that order.
    pub matches: Matches,
    /// What the algorithm found out on its way.
    pub findings: Vec<Finding>,
}

/// An algorithm that publishes baskets as bitmaps: an entry of the registry. It decides; it doesn't
/// apply, verify or write.
pub trait BitmapAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Find bitmaps of which each original record matches `task.k`.
    fn anonymize(&self, params: &Params, task: &BitmapTask<'_>) -> Result<BitmapDecision>;
}

/// What a metric for bitmaps sees: the original and the release.
#[derive(Clone, Copy)]
pub struct BitmapView<'a> {
    /// The original records.
    pub original: &'a Transactions,
    /// The published records, with the original record that each row stands for.
    pub bitmaps: &'a Bitmaps,
    /// The seed of random queries.
    pub seed: u64,
}

/// A utility metric for bitmaps: an entry of the registry.
pub trait BitmapMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &BitmapView<'_>) -> Option<f64>;
}
