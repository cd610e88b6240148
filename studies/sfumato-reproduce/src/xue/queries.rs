//! Random COUNT queries: how far counts over base sets are from counts over the records.

use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

use crate::bench::RandomStream;

/// Queries of each type, as in the paper.
pub const QUERIES: usize = 500;

/// Queries of both types with their true answers.
pub struct Queries {
    /// Type I: all of some items are present.
    present: Vec<Vec<u32>>,
    /// Type II: none of some items is present.
    absent: Vec<Vec<u32>>,
    truth: [Vec<u64>; 2],
}

impl Queries {
    /// Queries with the given numbers of different items, drawn uniformly among the items of the
    /// records.
    pub fn draw(sets: &Transactions, [present, absent]: [usize; 2], seed: u64) -> Self {
        let mut random = RandomStream::new(seed);
        let mut draw = |size: usize| -> Vec<Vec<u32>> {
            let query =
                |order: Vec<usize>| order.into_iter().take(size).map(|item| item as u32).collect();
            (0..QUERIES).map(|_| query(random.order(sets.n_items()))).collect()
        };
        let mut queries =
            Queries { present: draw(present), absent: draw(absent), truth: [vec![], vec![]] };
        queries.truth = queries.answers(sets);
        queries
    }

    /// The mean error over all queries of each type, as a share of the records.
    pub fn errors(&self, base: &Transactions) -> [f64; 2] {
        let answers = self.answers(base);
        let error = |truth: &[u64], answers: &[u64]| {
            let sum: u64 =
                truth.iter().zip(answers).map(|(truth, answer)| truth.abs_diff(*answer)).sum();
            sum as f64 / truth.len().max(1) as f64 / base.len().max(1) as f64
        };
        [error(&self.truth[0], &answers[0]), error(&self.truth[1], &answers[1])]
    }

    fn answers(&self, sets: &Transactions) -> [Vec<u64>; 2] {
        let holders = Holders::new(sets);
        let present = self.present.iter().map(|items| holders.count(items, true));
        let absent = self.absent.iter().map(|items| holders.count(items, false));
        [present.collect(), absent.collect()]
    }
}

/// Which records have each item, a bit for each record: a thousand queries would read all records
/// as often.
struct Holders {
    words: usize,
    bits: Vec<u64>,
    n: usize,
}

impl Holders {
    fn new(sets: &Transactions) -> Self {
        let (n, words) = (sets.len(), sets.len().div_ceil(64));
        let mut bits = vec![0; words * sets.n_items()];
        with_sets!(sets, sets => for (record, set) in sets.iter().enumerate() {
            for item in set {
                bits[item.widen() as usize * words + record / 64] |= 1u64 << (record % 64);
            }
        });
        Holders { words, bits, n }
    }

    /// How many records have all of some items, or none of them.
    fn count(&self, items: &[u32], present: bool) -> u64 {
        let words = |item: &u32| &self.bits[*item as usize * self.words..][..self.words];
        let ones = |place: usize| {
            let of_items = items.iter().map(|item| words(item)[place]);
            match present {
                true => of_items.fold(u64::MAX, |all, word| all & word).count_ones(),
                false => of_items.fold(0, |any, word| any | word).count_ones(),
            }
        };
        let ones: u64 = (0..self.words).map(|place| u64::from(ones(place))).sum();
        if present { ones } else { self.n as u64 - ones }
    }
}

#[cfg(test)]
mod tests {
    use sfumato_sets::metrics::bitmaps::query_error::count;

    use super::*;

    #[test]
    fn counts_are_those_of_the_definition() {
        let mut random = RandomStream::new(1);
        let mut set = || (0..12u32).filter(|_| random.below(2) == 0).collect();
        let sets = Transactions::from_sets(12, (0..150).map(|_| set()));
        let base = Transactions::from_sets(12, (0..150).map(|_| set()));
        let queries = Queries::draw(&sets, [3, 4], 1);
        let (mut sums, mut asked) = ([0.0; 2], 0);
        for (place, (all, present)) in
            [(&queries.present, true), (&queries.absent, false)].into_iter().enumerate()
        {
            for (items, truth) in all.iter().zip(&queries.truth[place]) {
                assert_eq!(items.len(), if present { 3 } else { 4 });
                assert_eq!(*truth, count(&sets, items, present));
                sums[place] += truth.abs_diff(count(&base, items, present)) as f64 / 150.0 / 500.0;
                asked += 1;
            }
        }
        assert_eq!(asked, 1000);
        let errors = queries.errors(&base);
        assert!(sums.iter().zip(errors).all(|(a, b)| (a - b).abs() < 1e-12), "{sums:?} {errors:?}");
        assert_eq!(queries.errors(&sets), [0.0, 0.0]);
    }
}
