//! How near a recipient who knows the noise comes to the original distribution of a column.

use sfumato_core::registry::{Info, Paper};
use statrs::distribution::{ContinuousCDF as _, Normal};

use super::{Pairs, PerturbedMetric};

/// The metric `distribution-rebuilt`, an entry of the registry.
pub struct DistributionRebuilt;

static INFO: Info = Info {
    name: "distribution-rebuilt",
    summary: "total variation of a column from what its noisy numbers give back of it",
    papers: &[
        Paper {
            authors: "Rakesh Agrawal, Ramakrishnan Srikant",
            title: "Privacy-preserving data mining",
            venue: "SIGMOD",
            year: 2000,
        },
        Paper {
            authors: "Dakshi Agrawal, Charu C. Aggarwal",
            title: "On the design and quantification of privacy preserving data mining algorithms",
            venue: "PODS",
            year: 2001,
        },
    ],
    params: &[],
    doc: "Who knows how noise was drawn can rebuild how a column is distributed, not who has which \
          number: by expectation and maximization over 20 ranges of the column, with normal noise \
          of the size that was added. 0 says that the shares of all ranges came back, 1 that none \
          did. It isn't measured where what was added goes along with the original numbers, as \
          with swaps, so that it is no noise.",
    ..Info::DEFAULT
};

/// In how many ranges the column is rebuilt, and in how many its noisy numbers are counted.
const RANGES: usize = 20;
const FINE: usize = 200;
/// How often shares are improved.
const ROUNDS: usize = 300;

/// The shares of numbers in equal ranges from `low` on.
fn shares(numbers: &[f64], (low, high): (f64, f64), ranges: usize) -> Vec<f64> {
    let mut shares = vec![0.0; ranges];
    let width = (high - low) / ranges as f64;
    for number in numbers {
        let at = ((number - low) / width).max(0.0) as usize;
        shares[at.min(ranges - 1)] += 1.0 / numbers.len() as f64;
    }
    shares
}

/// The shares of ranges of a column from its noisy numbers and the size of normal noise.
pub fn rebuild(noisy: &[f64], deviation: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let Ok(noise) = Normal::new(0.0, deviation) else { return shares(noisy, (low, high), RANGES) };
    let ends = noisy.iter().fold((low, high), |(a, b), x| (a.min(*x), b.max(*x)));
    let seen = shares(noisy, ends, FINE);
    let (wide, narrow) = ((high - low) / RANGES as f64, (ends.1 - ends.0) / FINE as f64);
    // How likely a number in the middle of a range is seen in a fine one.
    let likely = |fine: usize, range: usize| {
        let from = ends.0 + narrow * fine as f64 - (low + wide * (range as f64 + 0.5));
        noise.cdf(from + narrow) - noise.cdf(from)
    };
    let table: Vec<Vec<f64>> =
        (0..FINE).map(|fine| (0..RANGES).map(|range| likely(fine, range)).collect()).collect();
    let mut found = vec![1.0 / RANGES as f64; RANGES];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; RANGES];
        for (row, share) in table.iter().zip(&seen) {
            let all: f64 = row.iter().zip(&found).map(|(p, share)| p * share).sum();
            if all > 0.0 {
                let parts = next.iter_mut().zip(row.iter().zip(&found));
                parts.for_each(|(next, (p, before))| *next += share * p * before / all);
            }
        }
        let sum: f64 = next.iter().sum();
        found = next.into_iter().map(|share| share / sum.max(f64::MIN_POSITIVE)).collect();
    }
    found
}

impl PerturbedMetric for DistributionRebuilt {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, pairs: &Pairs) -> Option<f64> {
        let Pairs { original, published } = pairs;
        let added: Vec<f64> = published.iter().zip(original).map(|(new, old)| new - old).collect();
        let (mean, spread) = Pairs::moments(original);
        let (off, deviation) = Pairs::moments(&added);
        if spread <= 0.0 || deviation <= 0.0 {
            return None;
        }
        let both = original.iter().zip(&added).map(|(x, y)| (x - mean) * (y - off));
        let along = both.sum::<f64>() / original.len() as f64 / (spread * deviation);
        // Five standard errors of a correlation of columns that have nothing to do with each other.
        if along.abs() > 0.05 + 5.0 / (original.len() as f64).sqrt() {
            return None;
        }
        let ends = original
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
        let truth = shares(original, ends, RANGES);
        let found = rebuild(published, deviation, ends);
        Some(truth.iter().zip(&found).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::algorithms::perturbed::Draws;

    /// Two humps that noise makes one of: they come back, and better than without rebuilding.
    #[test]
    fn two_humps_come_back() {
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(7));
        let original: Vec<f64> = (0..20_000)
            .map(|row| if row % 3 == 0 { 20.0 } else { 60.0 } + 20.0 * draws.uniform())
            .collect();
        let published: Vec<f64> = original.iter().map(|x| x + 15.0 * draws.normal()).collect();
        let ends = (20.0, 80.0);
        let truth = shares(&original, ends, RANGES);
        let off = |found: &[f64]| -> f64 {
            truth.iter().zip(found).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
        };
        let raw = off(&shares(&published, ends, RANGES));
        let pairs = Pairs { original, published };
        let rebuilt = DistributionRebuilt.measure(&pairs).unwrap();
        assert!(rebuilt < 0.15 && raw > 0.25, "{rebuilt} {raw}");
        // What goes along with the numbers is no noise.
        let halved: Vec<f64> = pairs.original.iter().map(|x| x / 2.0).collect();
        assert_eq!(DistributionRebuilt.measure(&Pairs { published: halved, ..pairs }), None);
    }
}
