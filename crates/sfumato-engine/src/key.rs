//! The key that protecting choices come from: those that say which published record is whose.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sfumato_core::{Error, Result};

/// The key of a seed, or one that the operating system gives.
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
