//! Counts how often each code of a column occurs, alone and with each class of the target, which is
//! all that information gain needs.

use sfumato_core::column::Codes;
use sfumato_core::dataset::Column;

/// The counts of one column.
pub struct Marginal {
    rows: Vec<u64>,
    /// For each code the counts of the classes that occur with it, and where each code's begin.
    classes: Vec<(u32, u32)>,
    starts: Vec<u32>,
    n_classes: usize,
}

/// The classes of a table that occur, numbered without gaps.
pub struct Target {
    codes: Vec<u32>,
    n_classes: usize,
}

impl Target {
    /// The classes of a target column.
    pub fn new(column: &Column) -> Self {
        let counts = column.codes.counts(column.domain.len() + 1);
        let mut number = vec![0u32; counts.len()];
        let mut n_classes = 0;
        for (code, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            number[code] = n_classes;
            n_classes += 1;
        }
        let codes = column.codes.iter().map(|code| number[code as usize]).collect();
        Target { codes, n_classes: n_classes as usize }
    }
}

impl Marginal {
    /// Count a column of `n_codes` codes, missing included.
    pub fn new(codes: &Codes, n_codes: usize, target: Option<&Target>) -> Self {
        let rows = codes.counts(n_codes);
        let mut marginal =
            Marginal { rows, classes: Vec::new(), starts: vec![0; n_codes + 1], n_classes: 0 };
        let Some(target) = target else { return marginal };
        marginal.n_classes = target.n_classes;
        let pair = |(code, class): (u32, &u32)| {
            u64::from(code) * target.n_classes as u64 + u64::from(*class)
        };
        let pairs = codes.iter().zip(&target.codes).map(pair);
        let mut add = |pair: u64, count: u32| {
            marginal.classes.push(((pair % target.n_classes as u64) as u32, count));
            marginal.starts[(pair / target.n_classes as u64) as usize + 1] =
                marginal.classes.len() as u32;
        };
        if n_codes.saturating_mul(target.n_classes) <= (1 << 16).max(4 * target.codes.len()) {
            let mut counts = vec![0u32; n_codes * target.n_classes];
            pairs.for_each(|pair| counts[pair as usize] += 1);
            let occurring = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            occurring.for_each(|(pair, &count)| add(pair as u64, count));
        } else {
            let mut pairs: Vec<u64> = pairs.collect();
            pairs.sort_unstable();
            pairs.chunk_by(|a, b| a == b).for_each(|run| add(run[0], run.len() as u32));
        }
        for code in 0..n_codes {
            marginal.starts[code + 1] = marginal.starts[code + 1].max(marginal.starts[code]);
        }
        marginal
    }

    /// From how often each code occurs and, for a target of so many classes (those that occur), the
    /// counts of `(code, class, rows)` by code and then by class.
    pub fn of_counts(rows: Vec<u64>, n_classes: usize, pairs: &[(u32, u32, u32)]) -> Self {
        let mut starts = vec![0u32; rows.len() + 1];
        pairs.iter().for_each(|(code, _, _)| starts[*code as usize + 1] += 1);
        (0..rows.len()).for_each(|code| starts[code + 1] += starts[code]);
        let classes = pairs.iter().map(|&(_, class, rows)| (class, rows)).collect();
        Marginal { rows, classes, starts, n_classes }
    }

    /// Whether there is a target.
    pub fn has_classes(&self) -> bool {
        self.n_classes > 0
    }
    /// How many rows have a code.
    pub fn rows_of(&self, code: u32) -> u64 {
        self.rows[code as usize]
    }
    /// How many rows have one of the codes `lo..hi`.
    pub fn rows(&self, lo: u32, hi: u32) -> u64 {
        self.rows[lo as usize..hi as usize].iter().sum()
    }
    /// How many codes there are.
    pub fn n_codes(&self) -> usize {
        self.rows.len()
    }

    /// The class counts of the codes `lo..hi`.
    pub fn classes(&self, lo: u32, hi: u32) -> Vec<u64> {
        let mut counts = vec![0u64; self.n_classes];
        let range = self.starts[lo as usize] as usize..self.starts[hi as usize] as usize;
        self.classes[range]
            .iter()
            .for_each(|&(class, count)| counts[class as usize] += u64::from(count));
        counts
    }

    /// Where to split the codes `lo..hi` into two parts that both occur: by the information gain of
    /// the split or, without a target, by how many pairs of records it separates. The first of
    /// equal ones; the right part begins at a code that occurs.
    pub fn best_split(&self, lo: u32, hi: u32) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        let mut offer = |gain: f64, at: u32| {
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, at));
            }
        };
        let total = self.classes(lo, hi);
        let n_total = self.rows(lo, hi);
        let mut left = vec![0u64; self.n_classes];
        let mut n_left = 0;
        for code in lo..hi {
            if self.rows_of(code) == 0 {
                continue;
            }
            if n_left > 0 {
                let gain = match self.n_classes {
                    0 => (n_left * (n_total - n_left)) as f64,
                    _ => {
                        let right = total.iter().zip(&left).map(|(all, left)| all - left);
                        -(bits(left.iter().copied()) + bits(right))
                    }
                };
                offer(gain, code);
            }
            n_left += self.rows_of(code);
            let range =
                self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize;
            self.classes[range].iter().for_each(|&(class, n)| left[class as usize] += u64::from(n));
        }
        best.map(|(_, at)| at)
    }
}

/// The entropy of a group's classes in bits, times its size.
pub fn bits(counts: impl Iterator<Item = u64>) -> f64 {
    let (mut total, mut sum) = (0u64, 0.0);
    for count in counts.filter(|&count| count > 0) {
        total += count;
        sum += count as f64 * (count as f64).log2();
    }
    // A group of one class has none: rounding must not make it something.
    match total {
        0 => 0.0,
        n => (n as f64 * (n as f64).log2() - sum).max(0.0),
    }
}

/// The information gain of splitting a group, in bits per record.
pub fn info_gain(whole: &[u64], parts: &[Vec<u64>]) -> f64 {
    let n: u64 = whole.iter().sum();
    if n == 0 {
        return 0.0;
    }
    let inside: f64 = parts.iter().map(|part| bits(part.iter().copied())).sum();
    ((bits(whole.iter().copied()) - inside) / n as f64).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimal_split_of_the_textbook() {
        // Table 6.8: hours 30, 32, 35, 37, 42, 44 with Y and N.
        let counts = [(0, 3), (0, 4), (2, 3), (3, 1), (4, 2), (12, 0)];
        let (mut codes, mut classes) = (Vec::new(), Vec::new());
        for (code, &(yes, no)) in counts.iter().enumerate() {
            codes.extend(vec![code as u8; yes + no]);
            classes.extend((0..yes + no).map(|i| u32::from(i >= yes)));
        }
        let target = Target { codes: classes, n_classes: 2 };
        let marginal = Marginal::new(&Codes::U8(codes), 7, Some(&target));
        assert_eq!(marginal.best_split(0, 6), Some(3));
        let gain = |at: u32| {
            let parts = [marginal.classes(0, at), marginal.classes(at, 6)];
            info_gain(&marginal.classes(0, 6), &parts)
        };
        for (at, expected) in [(1, 0.1326), (2, 0.3528), (3, 0.3584), (4, 0.2716), (5, 0.3281)] {
            assert!((gain(at) - expected).abs() < 5e-5, "split {at}: {}", gain(at));
        }
        let entropy = |lo, hi| {
            let counts = marginal.classes(lo, hi);
            bits(counts.iter().copied()) / counts.iter().sum::<u64>() as f64
        };
        for ((lo, hi), expected) in [((0, 6), 0.9597), ((0, 3), 0.6500), ((3, 6), 0.5746)] {
            assert!((entropy(lo, hi) - expected).abs() < 5e-5);
        }
        assert_eq!((marginal.rows(0, 3), marginal.rows(3, 6)), (12, 22));
    }

    #[test]
    fn without_a_target_the_split_is_the_most_even_one() {
        let marginal = Marginal::new(&Codes::U8(vec![0, 0, 0, 2, 3, 3, 5]), 7, None);
        assert_eq!(marginal.best_split(0, 6), Some(2));
        assert_eq!(marginal.best_split(3, 6), Some(5));
        assert_eq!(marginal.best_split(4, 6), None);
    }

    #[test]
    fn many_classes_are_counted_like_few() {
        let codes = Codes::U16((0..300u16).collect());
        let target = Target { codes: (0..300u32).map(|i| i / 2).collect(), n_classes: 150 };
        let dense = Marginal::new(&codes, 301, Some(&target));
        let sparse = Marginal::new(&codes, 300_001, Some(&target));
        assert_eq!(dense.classes(10, 20), sparse.classes(10, 20));
        assert_eq!(dense.classes(0, 300).iter().sum::<u64>(), 300);
    }
}
