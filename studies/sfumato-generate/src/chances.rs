//! A random choice with given probabilities, made from one 32-bit word.

/// Chances of the numbers `0..n`, rounded to 32 bits.
pub(crate) struct Chances {
    /// For each number the end of its share of all words.
    ends: Vec<u64>,
    /// For the upper bits of a word, the first number that it may mean.
    starts: Vec<u32>,
    /// How far to shift a word to get its upper bits.
    shift: u32,
}

impl Chances {
    /// A choice by shares, at least one, whose sum is 1 up to rounding.
    pub fn new(shares: &[f64]) -> Self {
        let mut sum = 0.0;
        let mut ends: Vec<u64> = Vec::with_capacity(shares.len());
        for share in shares {
            sum += share;
            ends.push(((sum * 4_294_967_296.0 + 0.5) as u64).min(1 << 32));
        }
        if let Some(last) = ends.last_mut() {
            *last = 1 << 32;
        }
        // About as many slots as numbers: a few steps from a slot's first number to the right one.
        let bits = usize::BITS - shares.len().saturating_sub(1).leading_zeros();
        let shift = 32 - bits.clamp(9, 20);
        let first = |slot: u64| ends.partition_point(|end| *end <= slot << shift) as u32;
        let starts = (0..1 << (32 - shift)).map(first).collect();
        Chances { ends, starts, shift }
    }

    /// A Poisson variable with a mean from 0 to 600. Probabilities beyond 32 bits belong to the
    /// last number.
    pub fn poisson(mean: f64) -> Self {
        let mut shares = vec![crate::math::exp(-mean)];
        let mut share = shares[0];
        let mut sum = share;
        for n in 1.. {
            share *= mean / f64::from(n);
            sum += share;
            shares.push(share);
            if f64::from(n) > mean && (1.0 - sum < 1e-11 || share < 1e-13) {
                break;
            }
        }
        Chances::new(&shares)
    }

    /// The number that a word means.
    #[inline]
    pub fn of_word(&self, word: u32) -> usize {
        let mut number = self.starts[(word >> self.shift) as usize] as usize;
        while self.ends[number] <= u64::from(word) {
            number += 1;
        }
        number
    }

    /// The chance of a number.
    #[cfg(test)]
    pub fn share(&self, number: usize) -> f64 {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        (self.ends[number] - start) as f64 / 4_294_967_296.0
    }

    /// How many numbers.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_the_number_whose_share_it_is_in() {
        for n in [1usize, 2, 7, 600, 5_000] {
            let total = (n * (n + 1) / 2) as f64;
            let shares: Vec<f64> = (1..=n).map(|i| i as f64 / total).collect();
            let chances = Chances::new(&shares);
            assert_eq!(chances.len(), n);
            let words = (0..=u32::MAX).step_by(999_983).chain([0, 1, u32::MAX]);
            for word in words {
                let expected = chances.ends.partition_point(|end| *end <= u64::from(word));
                assert_eq!(chances.of_word(word), expected);
            }
            assert!((0..n).all(|i| (chances.share(i) - shares[i]).abs() < 1e-9));
        }
    }

    #[test]
    fn poisson_has_its_mean_and_variance() {
        for mean in [0.0, 0.5, 3.0, 19.0, 600.0] {
            let chances = Chances::poisson(mean);
            let moment = |power: i32| {
                (0..chances.len())
                    .map(|n| chances.share(n) * (n as f64 - mean).powi(power))
                    .sum::<f64>()
            };
            assert!(moment(1).abs() < 1e-5, "{mean}: {}", moment(1));
            assert!((moment(2) - mean).abs() < 1e-3 * (1.0 + mean), "{mean}: {}", moment(2));
        }
    }
}
