//! Query error: how far counts over base sets are from counts over the records.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::registry::Info;
use sfumato_core::transactions::Transactions;

use crate::traits::{BitmapMetric, BitmapView};

/// The metric `query-error`, an entry of the registry.
pub struct QueryError;

/// The number of queries, as in the paper for its larger data.
const QUERIES: usize = 500;
const ITEMS: usize = 1;

static INFO: Info = Info {
    name: "query-error",
    summary: "how far the number of records with an item is from that of base sets with it, as a \
        share of all records",
    papers: &[super::PAPER],
    params: &[],
    doc: "\
500 random items among those that occur; for each the number of records that have it and of base \
sets that do, their difference divided by the number of records; the mean. 0 is
exact. The paper asks for one item on its larger data and for three on its smaller, and for items \
that are absent; `reproduce xue` does that.
",
    ..Info::DEFAULT
};

impl BitmapMetric for QueryError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &BitmapView<'_>) -> Option<f64> {
        let (original, base) = (view.original, &view.bitmaps.base);
        let (truth, counts) = (original.counts(), base.counts());
        let items: Vec<usize> =
            (0..truth.len()).filter(|item| truth[*item] + counts[*item] > 0).collect();
        if items.len() < ITEMS || original.is_empty() {
            return None;
        }
        let mut random = ChaCha20Rng::seed_from_u64(view.seed);
        let differences = (0..QUERIES).map(|_| {
            let item = items[(random.next_u64() % items.len() as u64) as usize];
            truth[item].abs_diff(counts[item])
        });
        let sum: u64 = differences.sum();
        Some(sum as f64 / QUERIES as f64 / original.len() as f64)
    }
}

/// The number of records that have all of some items, or none of them.
pub fn count(sets: &Transactions, items: &[u32], present: bool) -> u64 {
    let holds = |record: &usize| {
        let set = sets.set(*record);
        items.iter().all(|item| set.binary_search(item).is_ok() == present)
    };
    (0..sets.len()).filter(holds).count() as u64
}

#[cfg(test)]
mod tests {
    use crate::data::Bitmaps;

    use super::*;

    #[test]
    fn counts_are_compared() {
        let original = Transactions::from_sets(3, [vec![0], vec![0], vec![0, 1], vec![0]]);
        let bitmaps = Bitmaps {
            base: Transactions::from_sets(3, [vec![], vec![], vec![], vec![]]),
            distance: Transactions::from_sets(3, [vec![0], vec![0], vec![0, 1], vec![0]]),
            threshold: vec![1, 1, 2, 1],
            label_of: vec![0, 1, 2, 3],
        };
        let view = BitmapView { original: &original, bitmaps: &bitmaps, seed: 1 };
        // One item is wrong in all records, the other in one of four: about half of the queries ask
        // for each.
        let error = QueryError.measure(&view).unwrap();
        assert!((0.55..0.70).contains(&error), "{error}");
        let exact = Bitmaps { base: original.clone(), ..bitmaps.clone() };
        assert_eq!(QueryError.measure(&BitmapView { bitmaps: &exact, ..view }), Some(0.0));
        assert_eq!((count(&original, &[0, 1], true), count(&original, &[1, 2], false)), (1, 3));
    }
}
