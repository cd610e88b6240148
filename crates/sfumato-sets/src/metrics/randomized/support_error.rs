//! Support error: how far recovered supports of frequent items are from the truth.

use sfumato_core::registry::Info;

use super::{RandomMetric, RandomView};
use crate::algorithms::randomization::recovery::recover;

/// The metric.
pub struct SupportError;

static INFO: Info = Info {
    name: "support-error",
    summary: "mean relative error of the recovered supports of the most frequent items",
    doc: "Of the 20 most frequent items of the original that at least one in a hundred records \
          has, the supports that a recipient recovers are compared with the true ones: the mean of \
          the absolute differences, each as a share of the true support. Undefined where no item \
          is that frequent.",
    ..Info::DEFAULT
};

/// The number of items that are looked at.
const ITEMS: usize = 20;

impl RandomMetric for SupportError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &RandomView<'_>) -> Option<f64> {
        let counts = view.original.counts();
        let least = view.original.len().div_ceil(100) as u64;
        let mut items: Vec<u32> =
            (0..counts.len() as u32).filter(|item| counts[*item as usize] >= least).collect();
        items.sort_by_key(|item| (std::cmp::Reverse(counts[*item as usize]), *item));
        items.truncate(ITEMS);
        let error = |item: &u32| {
            let truth = counts[*item as usize] as f64;
            let found = recover(view.operator, &view.read.rows, &view.read.sizes, &[*item]).ok()?;
            Some((found.count - truth).abs() / truth)
        };
        let errors: Vec<f64> = items.iter().map(error).collect::<Option<_>>()?;
        (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64)
    }
}
