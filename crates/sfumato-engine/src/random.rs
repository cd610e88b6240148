//! The source of random choices: the operating system, or a seed that makes a run repeatable.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::{Error, Result};

/// The key that belongs to a seed, or without a seed one from the operating system.
pub fn key(seed: Option<u64>) -> Result<[u8; 32]> {
    let mut key = [0; 32];
    match seed {
        Some(seed) => ChaCha20Rng::seed_from_u64(seed).fill_bytes(&mut key),
        None => getrandom::fill(&mut key).map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?,
    }
    Ok(key)
}

/// The generator of the randomness that protects a release. It is seeded by the operating system
/// unless the job gives a seed.
pub fn generator(seed: Option<u64>) -> Result<ChaCha20Rng> {
    if let Some(seed) = seed {
        return Ok(ChaCha20Rng::seed_from_u64(seed));
    }
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::resources(format!("the operating system gave no random numbers: {error}"))
    })?;
    Ok(ChaCha20Rng::from_seed(bytes))
}

/// The shuffle of Fisher and Yates, with our own rejection sampling, so that a seed gives the same
/// order with every version of the library.
pub fn shuffle(rows: &mut [u32], generator: &mut ChaCha20Rng) {
    for i in (1..rows.len()).rev() {
        let bound = i as u64 + 1;
        // The high part of a product is a number below `bound`; low parts that would favour some
        // numbers are drawn again.
        let j = loop {
            let product = u64::from(generator.next_u32()) * bound;
            let low = u64::from(product as u32);
            if low >= bound || low >= (1u64 << 32) % bound {
                break product >> 32;
            }
        };
        rows.swap(i, j as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_is_a_permutation_that_a_seed_repeats() {
        let shuffled = |seed| {
            let mut rows: Vec<u32> = (0..1000).collect();
            shuffle(&mut rows, &mut generator(Some(seed)).unwrap());
            rows
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<u32>>());
    }

    #[test]
    fn every_place_is_equally_likely() {
        // 6 orders of 3 rows, 6,000 draws: each about 1,000 times (5 standard deviations are 145).
        let mut random = generator(Some(1)).unwrap();
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut rows = [0, 1, 2];
            shuffle(&mut rows, &mut random);
            *counts.entry(rows).or_insert(0i32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|n| (n - 1000).abs() < 145), "{counts:?}");
    }
}
