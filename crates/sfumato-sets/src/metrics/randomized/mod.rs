//! Metrics of randomized baskets: one file each, listed once.

sfumato_core::registry! {
    /// Every metric of randomized baskets.
    dyn RandomMetric:
    support_error::SupportError,
    kept_instances::KeptInstances,
    added_instances::AddedInstances,
}

use sfumato_core::registry::Info;
use sfumato_core::transactions::Transactions;

use crate::algorithms::randomization::operator::Operator;
use crate::forms::randomized::RandomRead;

/// What a metric of randomized baskets sees.
#[derive(Clone, Copy)]
pub struct RandomView<'a> {
    /// The original records.
    pub original: &'a Transactions,
    /// What was published.
    pub read: &'a RandomRead,
    /// How it was drawn.
    pub operator: &'a Operator,
    /// Which record each row is made from.
    pub order: &'a [u32],
}

impl RandomView<'_> {
    /// The number of instances that are in a record and in what is published of it.
    fn kept(&self) -> u64 {
        let kept = |(row, record): (usize, &u32)| {
            let (own, published) = (self.original.set(*record as usize), self.read.rows.set(row));
            own.iter().filter(|item| published.binary_search(item).is_ok()).count() as u64
        };
        self.order.iter().enumerate().map(kept).sum()
    }
}

/// A metric of randomized baskets: an entry of the registry.
pub trait RandomMetric: Sync {
    /// The name and summary of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &RandomView<'_>) -> Option<f64>;
}

/// Whether a metric says how much is kept instead of lost.
pub fn more_is_better(metric: &str) -> bool {
    metric == "kept-instances"
}
