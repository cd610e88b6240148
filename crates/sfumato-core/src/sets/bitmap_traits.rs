//! Algorithms that publish baskets as bitmaps, and metrics of such releases.

use crate::error::{Error, ErrorKind, Result};
use crate::matches::Matches;
use crate::observer::Observer;
use crate::recoding::Finding;
use crate::registry::{Info, Params};
use crate::sets::{Bitmaps, Transactions};

/// What an algorithm is asked to do.
#[derive(Clone, Copy)]
pub struct BitmapTask<'a> {
    /// The records.
    pub sets: &'a Transactions,
    /// The label of each record, where labels must differ; records that share none have numbers of
    /// their own.
    pub labels: Option<&'a [u32]>,
    /// How many published records each original one must match; never more than the records there
    /// are.
    pub k: usize,
    /// Where random choices come from. The guarantee rests on it: it is from the operating system
    /// unless a seed was asked for.
    pub key: [u8; 32],
    /// Progress and cancellation.
    pub observer: &'a dyn Observer,
}

impl<'a> BitmapTask<'a> {
    /// A task without labels, with a key of zeros and nobody watching.
    pub fn new(sets: &'a Transactions, k: usize) -> Self {
        BitmapTask { sets, labels: None, k, key: [0; 32], observer: &crate::observer::Unobserved }
    }
    /// An error where the user asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "stopped")),
            false => Ok(()),
        }
    }
}

/// What is published, and who matches whom: the second is what a custodian needs to check the
/// first, and nobody else may see.
#[derive(Debug, Clone, PartialEq)]
pub struct BitmapDecision {
    /// The published records, in random order.
    pub bitmaps: Bitmaps,
    /// Which published records each original one matches, by their places in that order.
    pub matches: Matches,
    /// What the algorithm found out on its way.
    pub findings: Vec<Finding>,
}

/// An algorithm that publishes baskets as bitmaps: an entry of the registry. It decides; it doesn't
/// apply, verify or write.
pub trait BitmapAlgorithm: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// Find bitmaps of which each original record matches `task.k`.
    fn anonymize(&self, params: &Params, task: &BitmapTask<'_>) -> Result<BitmapDecision>;
}

/// What a metric for bitmaps sees: the original and the release.
#[derive(Clone, Copy)]
pub struct BitmapView<'a> {
    /// The original records.
    pub original: &'a Transactions,
    /// What is published of them, with the record that each row stands for.
    pub bitmaps: &'a Bitmaps,
    /// Where random queries start from.
    pub seed: u64,
}

/// A utility metric for bitmaps: an entry of the registry.
pub trait BitmapMetric: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// The measure; `None` where it isn't defined.
    fn measure(&self, view: &BitmapView<'_>) -> Option<f64>;
}
