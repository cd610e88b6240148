//! Estimates the number of different values of a column without storing them, by the smallest of
//! their hashes.

use std::collections::BTreeSet;

/// The number of hashes that are kept. Up to this many different values the number is exact; beyond
/// that the error is about 1 %.
const KEPT: usize = 1 << 13;

/// The smallest hashes seen.
#[derive(Debug, Clone, Default)]
pub struct Distinct {
    smallest: BTreeSet<u64>,
    /// The bound from which on hashes aren't kept. `None` while all are.
    below: Option<u64>,
}

impl Distinct {
    /// Take the hash of a value into account.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        if self.below.is_some_and(|below| hash >= below) || !self.smallest.insert(hash) {
            return;
        }
        if self.smallest.len() > KEPT {
            self.below = self.smallest.pop_last();
        }
    }

    /// How many different values there are.
    pub fn estimate(&self) -> u64 {
        match self.below {
            None => self.smallest.len() as u64,
            Some(below) => (self.smallest.len() as f64 * (u64::MAX as f64 / below as f64)) as u64,
        }
    }

    /// Whether the number is exact.
    pub fn is_exact(&self) -> bool {
        self.below.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_engine::hash::{HASH_START, mix};

    #[test]
    fn few_values_are_counted_and_many_estimated() {
        let mut distinct = Distinct::default();
        (0..3000u64).chain(0..3000).for_each(|i| distinct.add(mix(HASH_START, i)));
        assert_eq!((distinct.estimate(), distinct.is_exact()), (3000, true));
        (0..500_000u64).for_each(|i| distinct.add(mix(HASH_START, i)));
        let estimate = distinct.estimate() as f64;
        assert!((475_000.0..525_000.0).contains(&estimate), "{estimate}");
        assert!(!distinct.is_exact());
    }
}
