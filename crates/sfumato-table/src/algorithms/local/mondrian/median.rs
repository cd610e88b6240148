//! Counts codes: finds the median of a node's column, and how many rows each part of a split has.
//!
//! The median is found by histograms that are refined around it: one pass where the codes span at
//! most 256 values, two where they span 65,536. Nothing is sorted or copied, so the cost is the
//! same for tied and for distinct values.

use super::cells::Cells;

/// The number of buckets of one pass.
const BUCKETS: usize = 256;
/// The number of rows from which on four tables are used for counting, so that equal neighbours
/// don't wait for each other.
const FOUR_TABLES: usize = 2048;

/// A code at some rank, with how many lie below it and how many equal it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranked {
    /// The code.
    pub code: u32,
    /// The number of rows with smaller codes.
    pub below: usize,
    /// The number of rows with this code.
    pub equal: usize,
}

/// Tables for counting, kept from node to node. The last bucket takes codes outside the range of a
/// pass.
#[derive(Debug)]
pub struct Counter {
    tables: [[u32; BUCKETS + 1]; 4],
}

impl Counter {
    /// Empty tables.
    pub fn new() -> Self {
        Counter { tables: [[0; BUCKETS + 1]; 4] }
    }

    /// How often each code of `min..=max` occurs; the span must be below 256.
    pub fn count(&mut self, cells: impl Cells, min: u32, max: u32) -> &[u32] {
        let n_buckets = (max - min) as usize + 1;
        self.pass(cells, min, 0, n_buckets);
        &self.tables[0][..n_buckets]
    }

    /// The code of a rank, counted from 0, of codes that all lie in `min..=max`. Rank `n / 2` is
    /// the upper median.
    pub fn at_rank(
        &mut self,
        cells: impl Cells,
        mut min: u32,
        mut max: u32,
        mut rank: usize,
    ) -> Ranked {
        let mut below = 0;
        loop {
            let bits = u32::BITS - (max - min).leading_zeros();
            let shift = bits.saturating_sub(BUCKETS.ilog2());
            let n_buckets = ((max - min) >> shift) as usize + 1;
            self.pass(cells, min, shift, n_buckets);
            let mut bucket = 0;
            while self.tables[0][bucket] as usize <= rank && bucket + 1 < n_buckets {
                rank -= self.tables[0][bucket] as usize;
                below += self.tables[0][bucket] as usize;
                bucket += 1;
            }
            min += (bucket as u32) << shift;
            if shift == 0 {
                return Ranked { code: min, below, equal: self.tables[0][bucket] as usize };
            }
            max = max.min(min.saturating_add((1 << shift) - 1));
        }
    }

    fn pass(&mut self, cells: impl Cells, min: u32, shift: u32, n_buckets: usize) {
        let bucket = |code: u32| ((code.wrapping_sub(min) >> shift) as usize).min(BUCKETS);
        let n = cells.len();
        let [a, b, c, d] = &mut self.tables;
        a[..n_buckets].fill(0);
        if n < FOUR_TABLES {
            cells.codes().for_each(|code| a[bucket(code)] += 1);
            return;
        }
        [&mut *b, c, d].into_iter().for_each(|table| table[..n_buckets].fill(0));
        let quarter = n / 4;
        let part = |i: usize| cells.slice(i * quarter..(i + 1) * quarter).codes();
        for (((first, second), third), fourth) in part(0).zip(part(1)).zip(part(2)).zip(part(3)) {
            a[bucket(first)] += 1;
            b[bucket(second)] += 1;
            c[bucket(third)] += 1;
            d[bucket(fourth)] += 1;
        }
        cells.slice(4 * quarter..n).codes().for_each(|code| a[bucket(code)] += 1);
        for i in 0..n_buckets {
            a[i] += b[i] + c[i] + d[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(codes: &[u32], rank: usize) -> Ranked {
        let mut sorted = codes.to_vec();
        sorted.sort_unstable();
        let code = sorted[rank];
        let count = |keep: &dyn Fn(u32) -> bool| codes.iter().filter(|&&c| keep(c)).count();
        Ranked { code, below: count(&|c| c < code), equal: count(&|c| c == code) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn equals_the_code_of_a_sorted_copy(
            codes in prop::collection::vec(any::<u32>(), 1..300), shift in 0u32..32,
                repeat in 1usize..20,
            eighths in 0usize..8,
        ) {
            let codes: Vec<u32> =
                codes.iter().map(|c| c >> shift).cycle().take(codes.len() * repeat).collect();
            let (min, max) = (*codes.iter().min().unwrap(), *codes.iter().max().unwrap());
            let rank = codes.len() * eighths / 8;
            prop_assert_eq!(Counter::new().at_rank(codes.as_slice(), min, max, rank),
                sorted(&codes, rank));
        }
    }

    #[test]
    fn the_whole_range_of_codes_is_covered() {
        let codes = [u32::MAX, 0, u32::MAX - 1, 7, u32::MAX];
        assert_eq!(Counter::new().at_rank(codes.as_slice(), 0, u32::MAX, 2), sorted(&codes, 2));
    }

    #[test]
    fn counts_are_those_of_the_codes() {
        let codes: Vec<u8> = (0..5000u32).map(|i| 10 + (i % 7) as u8).collect();
        let mut counter = Counter::new();
        assert_eq!(counter.count(codes.as_slice(), 10, 16), [715, 715, 714, 714, 714, 714, 714]);
        assert_eq!(counter.count(&codes[..3], 9, 12), [0, 1, 1, 1]);
    }
}
