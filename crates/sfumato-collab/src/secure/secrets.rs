//! The random numbers of a party in a session. All of them follow from one key, so that a party
//! that was killed says again what it said before.

use curve25519_dalek::scalar::Scalar;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::Result;
use sha2::{Digest, Sha256};

/// The key of a party in a session.
#[derive(Clone)]
pub struct Secrets {
    key: [u8; 32],
}

impl Secrets {
    /// From a key that was kept.
    pub fn of_key(key: [u8; 32]) -> Self {
        Secrets { key }
    }

    /// A key from the operating system or, for a dry run that shall be repeated, from a seed and
    /// the seat.
    pub fn new(seed: Option<u64>, seat: usize) -> Result<Self> {
        let base = sfumato_engine::random::key(seed)?;
        Ok(Secrets { key: derive(&base, "seat", seat as u64) })
    }

    /// The key, to keep it.
    pub fn key(&self) -> &[u8; 32] {
        &self.key
    }

    /// The random numbers of one purpose.
    pub fn stream(&self, purpose: &str, number: u64) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(derive(&self.key, purpose, number))
    }
}

fn derive(key: &[u8; 32], purpose: &str, number: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"sfumato collaborate key\0");
    hash.update(key);
    hash.update((purpose.len() as u64).to_le_bytes());
    hash.update(purpose.as_bytes());
    hash.update(number.to_le_bytes());
    hash.finalize().into()
}

/// A random scalar, zero with no probability that matters.
pub fn scalar(random: &mut ChaCha20Rng) -> Scalar {
    let mut bytes = [0; 64];
    random.fill_bytes(&mut bytes);
    Scalar::from_bytes_mod_order_wide(&bytes)
}
