//! Random draws from ChaCha8 streams: one stream per block of rows, one aside for what all rows
//! share.
//!
//! Only integer operations and IEEE multiplication turn words into draws, never a library's
//! transcendental functions, so that a seed means the same bytes on every machine.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::{Error, Result};

use crate::BLOCK_ROWS;

/// A source of draws.
pub(crate) struct Draw {
    words: ChaCha8Rng,
}

impl Draw {
    /// The stream of the block that these rows begin.
    pub fn block(seed: u64, rows: &Range<u64>) -> Result<Self> {
        let long = rows.end.saturating_sub(rows.start) > BLOCK_ROWS;
        if !rows.start.is_multiple_of(BLOCK_ROWS) || long {
            return Err(Error::internal(format!(
                "rows {}..{} are not one block",
                rows.start, rows.end
            )));
        }
        Ok(Self::stream(seed, rows.start / BLOCK_ROWS))
    }

    /// What belongs to the whole data set and not to a row. Row numbers can't reach this stream.
    pub fn shared(seed: u64) -> Self {
        Self::stream(seed, u64::MAX)
    }

    fn stream(seed: u64, stream: u64) -> Self {
        let mut words = ChaCha8Rng::seed_from_u64(seed);
        words.set_stream(stream);
        Draw { words }
    }

    /// Uniform in `0..n`, exactly: multiply and shift; the few words that would favour some values
    /// are redrawn.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.words.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n.max(1);
            while (product as u32) < unfair {
                product = u64::from(self.words.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Uniform in `low..=high`.
    #[inline]
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// Uniform in `[0, 1)` in steps of 2^-32.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        f64::from(self.words.next_u32()) * (1.0 / 4_294_967_296.0)
    }

    /// 32 fair bits.
    #[inline]
    pub fn word(&mut self) -> u32 {
        self.words.next_u32()
    }

    /// 64 fair bits.
    #[inline]
    pub fn wide(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// An index with a probability proportional to its weight; weights must not all be 0.
    #[inline]
    pub fn weighted(&mut self, weights: &[u16]) -> usize {
        let total: u32 = weights.iter().map(|w| u32::from(*w)).sum();
        let mut left = self.below(total);
        for (index, weight) in weights.iter().enumerate() {
            match left.checked_sub(u32::from(*weight)) {
                Some(rest) => left = rest,
                None => return index,
            }
        }
        weights.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_even_and_in_range() {
        let mut draw = Draw::shared(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[draw.below(7) as usize] += 1;
        }
        // Six standard deviations of a binomial count with mean 10,000.
        assert!(counts.iter().all(|n| n.abs_diff(10_000) < 560), "{counts:?}");
        assert_eq!(draw.below(1), 0);
        assert_eq!(draw.between(5, 5), 5);
    }

    #[test]
    fn weights_are_followed() {
        let mut draw = Draw::shared(7);
        let mut counts = [0u32; 4];
        for _ in 0..60_000 {
            counts[draw.weighted(&[1, 0, 2, 3])] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, expected) in [(counts[0], 10_000), (counts[2], 20_000), (counts[3], 30_000)] {
            assert!(count.abs_diff(expected) < 800, "{counts:?}");
        }
    }

    #[test]
    fn blocks_have_their_own_streams_and_only_whole_ones() {
        let first = |block: u64| {
            let start = block * BLOCK_ROWS;
            Draw::block(1, &(start..start + 10)).unwrap().below(u32::MAX)
        };
        assert_ne!(first(0), first(1));
        assert_eq!(first(3), first(3));
        assert!(Draw::block(1, &(5..10)).is_err());
        assert!(Draw::block(1, &(0..BLOCK_ROWS + 1)).is_err());
    }
}
