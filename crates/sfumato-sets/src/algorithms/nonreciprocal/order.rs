//! The Gray-TSP order: Gray rank, segments at small gaps, and a shorter tour inside each.

use sfumato_core::transactions::Transactions;

use super::{gray, hamming, tour};
use sfumato_kernels::nonreciprocal::segments::{SegmentSizes, segments};

/// The default number of kicks per set in the local search.
pub const KICKS: usize = 2;

/// An order, and the cyclic sums of distances of the steps to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrayTsp {
    /// The records in a cycle, in which the last is next to the first.
    pub order: Vec<u32>,
    /// The number of segments.
    pub segments: usize,
    /// The sum of distances in the order of the input.
    pub sum_given: u64,
    /// The sum in Gray order.
    pub sum_gray: u64,
    /// The sum in this order, which is never above that in Gray order.
    pub sum: u64,
}

/// Records in Gray-TSP order; without `sizes`, in Gray order only.
pub fn gray_tsp(transactions: &Transactions, sizes: Option<SegmentSizes>, kicks: usize) -> GrayTsp {
    let given: Vec<u32> = (0..transactions.len() as u32).collect();
    let sum_given = hamming::cyclic_sum(transactions, &given);
    let mut order = gray::order(transactions);
    let sum_gray = hamming::cyclic_sum(transactions, &order);
    let Some(sizes) = sizes else {
        return GrayTsp { order, segments: 0, sum_given, sum_gray, sum: sum_gray };
    };
    let segments = segments(&hamming::gaps(transactions, &order), sizes);
    tour::improve(transactions, &mut order, &segments, kicks);
    let sum = hamming::cyclic_sum(transactions, &order);
    GrayTsp { order, segments: segments.len(), sum_given, sum_gray, sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_order_has_all_records_and_is_no_longer_than_gray(
            lists in prop::collection::vec(prop::collection::vec(0u32..12, 0..6), 0..60),
            min in 1usize..20,
        ) {
            let sets = Transactions::from_sets(12, lists);
            let found = gray_tsp(&sets, Some(SegmentSizes::new(min, min + 3).unwrap()), KICKS);
            let gray = gray_tsp(&sets, None, KICKS);
            prop_assert_eq!((gray.sum, gray.sum_given), (found.sum_gray, found.sum_given));
            prop_assert!(found.sum <= gray.sum);
            let mut records = found.order;
            records.sort_unstable();
            prop_assert_eq!(records, (0..sets.len() as u32).collect::<Vec<_>>());
        }
    }
}
