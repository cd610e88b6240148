//! The patterns that baskets are put together from: items, weights and levels of corruption, all
//! from the seed.

use sfumato_core::FastSet;
use sfumato_core::registry::Params;

use crate::chances::Chances;
use crate::draw::Draw;
use crate::math::{ln, ln_of_word};

/// What all records of a run share.
pub(super) struct Patterns {
    pub(super) n_items: u32,
    /// Items that a record is meant to have beyond the first.
    pub(super) record_sizes: Chances,
    /// How probable each pattern is.
    pub(super) weights: Chances,
    /// How probable it is that a pattern loses an item, and then one more.
    pub(super) corruption: Vec<f64>,
    /// The items of all patterns, and where those of each begin.
    all_items: Vec<u32>,
    offsets: Vec<usize>,
}

impl Patterns {
    /// Draw them.
    pub(super) fn new(params: &Params, seed: u64) -> Self {
        let n_items = u32::try_from(params.integer("items")).unwrap_or(1).max(1);
        let n = usize::try_from(params.integer("patterns")).unwrap_or(1).max(1);
        let mut draw = Draw::shared(seed);
        let (all_items, offsets) = items(
            n,
            n_items,
            params.number("pattern_size"),
            params.number("correlation"),
            &mut draw,
        );
        let weights: Vec<f64> = (0..n).map(|_| -ln_of_word(draw.word())).collect();
        let sum: f64 = weights.iter().sum();
        let weights: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
        let (mean, deviation) =
            (params.number("corruption"), params.number("corruption_variance").sqrt());
        let corruption =
            (0..n).map(|_| (mean + deviation * normal(&mut draw)).clamp(0.0, 1.0)).collect();
        Patterns {
            n_items,
            record_sizes: Chances::poisson(params.number("size") - 1.0),
            weights: Chances::new(&weights),
            corruption,
            all_items,
            offsets,
        }
    }

    /// The items of a pattern.
    #[inline]
    pub(super) fn items(&self, pattern: usize) -> &[u32] {
        &self.all_items[self.offsets[pattern]..self.offsets[pattern + 1]]
    }

    /// How many patterns.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.corruption.len()
    }
}

/// The items of `n` patterns one after the other, and where each begins.
fn items(
    n: usize,
    n_items: u32,
    mean_size: f64,
    correlation: f64,
    draw: &mut Draw,
) -> (Vec<u32>, Vec<usize>) {
    let sizes = Chances::poisson(mean_size - 1.0);
    let mut all: Vec<u32> = Vec::new();
    let mut offsets = vec![0];
    let mut own: FastSet<u32> = FastSet::default();
    for pattern in 0..n {
        let size = (1 + sizes.of_word(draw.word())).min(n_items as usize);
        let start = all.len();
        own.clear();
        if pattern > 0 {
            let share = (-ln_of_word(draw.word()) * correlation).min(1.0);
            let mut before = all[offsets[pattern - 1]..].to_vec();
            let taken = ((share * size as f64 + 0.5) as usize).min(before.len());
            for place in 0..taken {
                let other = place + draw.below((before.len() - place) as u32) as usize;
                before.swap(place, other);
                own.insert(before[place]);
                all.push(before[place]);
            }
        }
        while all.len() - start < size {
            let item = draw.below(n_items);
            if own.insert(item) {
                all.push(item);
            }
        }
        offsets.push(all.len());
    }
    (all, offsets)
}

/// A standard normal number, by the polar method: a square root is the same on every machine, a
/// cosine isn't.
fn normal(draw: &mut Draw) -> f64 {
    loop {
        let (x, y) = (2.0 * draw.unit() - 1.0, 2.0 * draw.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_are_normal() {
        let mut draw = Draw::shared(11);
        let numbers: Vec<f64> = (0..40_000).map(|_| normal(&mut draw)).collect();
        let share = |below: f64| numbers.iter().filter(|x| **x < below).count() as f64 / 40_000.0;
        // The distribution function at -1, 0, 1 and 2; five standard errors are 0.0125.
        for (x, expected) in [(-1.0, 0.158_655), (0.0, 0.5), (1.0, 0.841_345), (2.0, 0.977_25)] {
            assert!((share(x) - expected).abs() < 0.0125, "{x}: {}", share(x));
        }
    }
}
