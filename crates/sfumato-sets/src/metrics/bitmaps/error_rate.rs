//! Error rate: the share of a record that is wrong in the base set that stands for it.

use sfumato_core::registry::Info;
use sfumato_core::transactions::Transactions;

use crate::traits::{BitmapMetric, BitmapView};

/// The metric `error-rate`, an entry of the registry.
pub struct ErrorRate;

static INFO: Info = Info {
    name: "error-rate",
    summary: "items that the base set of a record has wrong, for each item of the record, on \
        average",
    papers: &[super::PAPER],
    params: &[],
    doc: "\
The items that are in the record or in the base set of its row, and not in both, divided by the \
items of the record; the mean over all records that have items. 0 is exact; it may be
above 1. Lower is better.
",
    ..Info::DEFAULT
};

impl BitmapMetric for ErrorRate {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &BitmapView<'_>) -> Option<f64> {
        error_rate(view.original, &view.bitmaps.base, &view.bitmaps.label_of)
    }
}

/// The error rate of base sets, each of which stands for the original record at its place in
/// `record_of`. `None` if no record has items.
pub fn error_rate(original: &Transactions, base: &Transactions, record_of: &[u32]) -> Option<f64> {
    let (mut sum, mut records) = (0.0, 0u64);
    for (row, record) in record_of.iter().enumerate() {
        let (set, base) = (original.set(*record as usize), base.set(row));
        if !set.is_empty() {
            let common = base.iter().filter(|item| set.binary_search(item).is_ok()).count();
            sum += (set.len() + base.len() - 2 * common) as f64 / set.len() as f64;
            records += 1;
        }
    }
    (records > 0).then(|| sum / records as f64)
}

#[cfg(test)]
mod tests {
    use crate::data::Bitmaps;

    use super::*;

    #[test]
    fn flipped_items_are_counted_both_ways() {
        let original = Transactions::from_sets(4, [vec![0, 1], vec![2], vec![]]);
        let bitmaps = Bitmaps {
            base: Transactions::from_sets(4, [vec![2, 3], vec![0, 1, 2], vec![0]]),
            distance: Transactions::from_sets(4, [vec![3], vec![2], vec![0]]),
            threshold: vec![1, 1, 1],
            label_of: vec![1, 0, 2],
        };
        let view = BitmapView { original: &original, bitmaps: &bitmaps, seed: 0 };
        // Record 1 has item 2 and gets 2 and 3: 1 wrong of 1. Record 0 has 0 and 1 and gets 2
        // besides: 1 of 2.
        assert_eq!(ErrorRate.measure(&view), Some(0.75));
        let empty = Transactions::from_sets(4, [vec![], vec![], vec![]]);
        assert_eq!(ErrorRate.measure(&BitmapView { original: &empty, ..view }), None);
    }
}
