//! The best threshold of one column in one node, by information. Rows are counted per rank where
//! ranks are dense in the node and sorted where they aren't, so a node costs about its rows,
//! however long the table is.

/// A threshold and what it gains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// Bits per row of the node.
    pub gain: f64,
    /// Largest rank of the left side.
    pub below: u32,
    /// Smallest rank of the right side.
    pub above: u32,
    /// Rows of the left side.
    pub n_left: u32,
    /// How many thresholds were allowed.
    pub candidates: u32,
}

/// Working memory, and n log2 n for each n.
pub(super) struct Cutter {
    n_classes: usize,
    n_log_n: Vec<f64>,
    counts: Vec<u32>,
    keys: Vec<u64>,
    left: Vec<u32>,
}

impl Cutter {
    pub fn new(n_classes: usize, most_rows: usize) -> Self {
        let n_log_n = (0..=most_rows)
            .map(|n| if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() })
            .collect();
        Cutter { n_classes, n_log_n, counts: Vec::new(), keys: Vec::new(), left: Vec::new() }
    }

    /// Entropy of a node times its rows.
    pub fn bits(&self, counts: &[u32]) -> f64 {
        let total: u32 = counts.iter().sum();
        self.n_log_n[total as usize]
            - counts.iter().map(|count| self.n_log_n[*count as usize]).sum::<f64>()
    }

    /// The best threshold that leaves `min_leaf` rows on both sides; of equal ones the lowest.
    pub fn best(
        &mut self,
        codes: &[u32],
        classes: &[u32],
        rows: &[u32],
        node: &[u32],
        min_leaf: u32,
    ) -> Option<Cut> {
        let (mut low, mut high) = (u32::MAX, 0);
        for row in rows {
            let code = codes[*row as usize];
            (low, high) = (low.min(code), high.max(code));
        }
        if low >= high {
            return None;
        }
        let n_classes = self.n_classes;
        let width = (high - low) as usize + 1;
        let mut scan = Scan::new(self.bits(node), node, min_leaf, std::mem::take(&mut self.left));
        if width.saturating_mul(n_classes) <= 4 * rows.len() + 64 {
            self.counts.clear();
            self.counts.resize(width * n_classes, 0);
            for row in rows {
                let (code, class) = (codes[*row as usize], classes[*row as usize]);
                self.counts[(code - low) as usize * n_classes + class as usize] += 1;
            }
            for (rank, counts) in (low..).zip(self.counts.chunks_exact(n_classes)) {
                if counts.iter().any(|count| *count > 0) {
                    scan.at(self, rank);
                    scan.left.iter_mut().zip(counts).for_each(|(left, count)| *left += count);
                    scan.n_left += counts.iter().sum::<u32>();
                }
            }
        } else {
            let mut keys = std::mem::take(&mut self.keys);
            keys.clear();
            let key = |row: &u32| {
                u64::from(codes[*row as usize]) << 32 | u64::from(classes[*row as usize])
            };
            keys.extend(rows.iter().map(key));
            keys.sort_unstable();
            for key in &keys {
                scan.at(self, (key >> 32) as u32);
                scan.left[(key & 0xffff_ffff) as usize] += 1;
                scan.n_left += 1;
            }
            self.keys = keys;
        }
        self.left = scan.left;
        let candidates = scan.candidates;
        scan.best.map(|cut| Cut { candidates, ..cut })
    }
}

/// A walk over the ranks of a node from below.
struct Scan<'a> {
    bits: f64,
    node: &'a [u32],
    n: u32,
    min_leaf: u32,
    left: Vec<u32>,
    n_left: u32,
    last: u32,
    candidates: u32,
    best: Option<Cut>,
}

impl<'a> Scan<'a> {
    fn new(bits: f64, node: &'a [u32], min_leaf: u32, mut left: Vec<u32>) -> Self {
        left.clear();
        left.resize(node.len(), 0);
        let n = node.iter().sum();
        Scan { bits, node, n, min_leaf, left, n_left: 0, last: 0, candidates: 0, best: None }
    }

    /// Before rows of `rank` go to the left: weigh the threshold below it, if it is one.
    fn at(&mut self, cutter: &Cutter, rank: u32) {
        let is_new = self.n_left > 0 && rank != self.last;
        let below = std::mem::replace(&mut self.last, rank);
        let n_right = self.n - self.n_left;
        if !is_new || self.n_left < self.min_leaf || n_right < self.min_leaf {
            return;
        }
        self.candidates += 1;
        let table = &cutter.n_log_n;
        let mut rest = table[self.n_left as usize] + table[n_right as usize];
        for (left, all) in self.left.iter().zip(self.node) {
            rest -= table[*left as usize] + table[(all - left) as usize];
        }
        let gain = (self.bits - rest) / f64::from(self.n);
        if self.best.is_none_or(|best| gain > best.gain) {
            self.best = Some(Cut { gain, below, above: rank, n_left: self.n_left, candidates: 0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entropy(classes: &[u32]) -> f64 {
        let share =
            |c: u32| classes.iter().filter(|d| **d == c).count() as f64 / classes.len() as f64;
        (0..3).map(share).filter(|p| *p > 0.0).map(|p| -p * p.log2()).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn is_the_best_of_all_thresholds(
            cells in prop::collection::vec((0u32..40, 0u32..3), 1..40),
            spread in prop::sample::select(vec![1u32, 1000]),
            min_leaf in 1u32..4,
        ) {
            // Spread out, the same ranks are sorted instead of counted.
            let codes: Vec<u32> = cells.iter().map(|(code, _)| code * spread).collect();
            let classes: Vec<u32> = cells.iter().map(|(_, class)| *class).collect();
            let rows: Vec<u32> = (0..cells.len() as u32).collect();
            let node: Vec<u32> =
                (0..3).map(|c| classes.iter().filter(|d| **d == c).count() as u32).collect();
            let cut = Cutter::new(3, cells.len()).best(&codes, &classes, &rows, &node, min_leaf);
            let mut thresholds = codes.clone();
            thresholds.sort_unstable();
            thresholds.dedup();
            let (mut best, mut candidates) = (f64::MIN, 0);
            for t in &thresholds {
                let side = |left: bool| -> Vec<u32> {
                    (0..codes.len()).filter(|i| (codes[*i] <= *t) == left).map(|i| classes[i])
                        .collect()
                };
                let (l, r) = (side(true), side(false));
                if l.len() as u32 >= min_leaf && r.len() as u32 >= min_leaf {
                    let mean = l.len() as f64 * entropy(&l) + r.len() as f64 * entropy(&r);
                    best = best.max(entropy(&classes) - mean / classes.len() as f64);
                    candidates += 1;
                }
            }
            match cut {
                None => prop_assert_eq!(candidates, 0),
                Some(cut) => {
                    prop_assert!((cut.gain - best).abs() < 1e-9);
                    prop_assert_eq!(cut.candidates, candidates);
                    prop_assert!(thresholds.windows(2).any(|w| w == [cut.below, cut.above]));
                    prop_assert_eq!(cut.n_left as usize,
                        codes.iter().filter(|c| **c <= cut.below).count());
                }
            }
        }
    }
}
