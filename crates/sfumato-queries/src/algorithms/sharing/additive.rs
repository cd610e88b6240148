//! Additive sharing: k - 1 shares are random numbers, and the last is what is missing to the
//! secret, modulo a number (equations 13.4 and 13.5 of Fung, Wang, Fu and Yu).

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::{Error, Result};

/// The number of bytes of a chunk: each is a number below 2^64, and is shared by itself.
const CHUNK: usize = 8;

/// The share that is missing: the secret minus all others, modulo `modulus`.
pub fn last_share(secret: u128, others: &[u128], modulus: u128) -> u128 {
    let sum = others.iter().fold(0, |sum, share| (sum + share % modulus) % modulus);
    (secret % modulus + modulus - sum) % modulus
}

/// The secret of all shares: their sum modulo `modulus`.
pub fn secret_of(shares: &[u128], modulus: u128) -> u128 {
    shares.iter().fold(0, |sum, share| (sum + share % modulus) % modulus)
}

const MODULUS: u128 = 1 << 64;

/// All k shares of some bytes, which are as many as whole chunks.
pub fn shares(secret: &[u8], k: u8, random: &mut ChaCha20Rng) -> Result<Vec<Vec<u8>>> {
    if !secret.len().is_multiple_of(CHUNK) || k == 0 {
        return Err(Error::internal("a secret must be whole chunks, and have shares"));
    }
    let mut shares: Vec<Vec<u8>> = vec![Vec::with_capacity(secret.len()); usize::from(k)];
    for chunk in secret.chunks(CHUNK) {
        let mut others: Vec<u128> = (1..k).map(|_| u128::from(random.next_u64())).collect();
        others.push(last_share(number(chunk), &others, MODULUS));
        for (share, number) in shares.iter_mut().zip(others) {
            share.extend_from_slice(&(number as u64).to_be_bytes());
        }
    }
    Ok(shares)
}

/// The bytes whose k shares these are. None if one is missing.
pub fn recover(k: u8, shares: &[(u8, Vec<u8>)]) -> Result<Option<Vec<u8>>> {
    let all: Option<Vec<&Vec<u8>>> = (1..=k)
        .map(|place| shares.iter().find(|(share, _)| *share == place).map(|(_, bytes)| bytes))
        .collect();
    let Some(all) = all else { return Ok(None) };
    let length = all.first().map_or(0, |share| share.len());
    if all.iter().any(|share| share.len() != length) || !length.is_multiple_of(CHUNK) {
        return Err(Error::input("the shares of a query aren't equally long"));
    }
    let chunk = |at: usize| {
        let numbers: Vec<u128> = all.iter().map(|share| number(&share[at..at + CHUNK])).collect();
        (secret_of(&numbers, MODULUS) as u64).to_be_bytes()
    };
    Ok(Some((0..length).step_by(CHUNK).flat_map(chunk).collect()))
}

fn number(chunk: &[u8]) -> u128 {
    chunk.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}
