//! The threshold scheme of Shamir: shares are points of a polynomial whose value at 0 is the
//! secret, byte by byte, over the field of 256 elements.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::{Error, Result};

use super::gf256::{inverse, times};

/// The first `n` shares of a secret, at most 255. Any k of them give it.
pub fn shares(secret: &[u8], k: u8, n: usize, random: &mut ChaCha20Rng) -> Vec<Vec<u8>> {
    // The coefficients of x, x^2, ... x^(k - 1), for each byte of the secret.
    let mut coefficients = vec![0; secret.len() * usize::from(k.saturating_sub(1))];
    random.fill_bytes(&mut coefficients);
    let degree = usize::from(k.saturating_sub(1));
    let value = |x: u8| {
        let of_byte = |(at, byte): (usize, &u8)| {
            let own = &coefficients[at * degree..(at + 1) * degree];
            times(own.iter().rev().fold(0, |sum, c| times(sum, x) ^ c), x) ^ byte
        };
        secret.iter().enumerate().map(of_byte).collect()
    };
    (1..=u8::MAX).take(n).map(value).collect()
}

/// The secret of shares with their numbers, each number once. None if there are fewer than k.
pub fn recover(k: u8, shares: &[(u8, Vec<u8>)]) -> Result<Option<Vec<u8>>> {
    if shares.len() < usize::from(k) || shares.is_empty() || k == 0 {
        return Ok(None);
    }
    let length = shares[0].1.len();
    if shares.iter().any(|(number, value)| value.len() != length || *number == 0) {
        return Err(Error::input("the shares of a query aren't equally long, or have no number"));
    }
    // The first and the last of them, so that one that doesn't belong to the others is likely to be
    // seen without using all.
    let k = usize::from(k);
    let secret = at_zero(&shares[..k]);
    match secret == at_zero(&shares[shares.len() - k..]) {
        true => Ok(Some(secret)),
        false => Err(Error::input("the shares of a query don't belong together")),
    }
}

/// The value at 0 of the polynomial through some points (Lagrange).
fn at_zero(points: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut secret = vec![0; points.first().map_or(0, |(_, value)| value.len())];
    for (x, value) in points {
        let others = points.iter().map(|(other, _)| *other).filter(|other| other != x);
        let weight =
            others.fold(1, |product, other| times(product, times(other, inverse(other ^ x))));
        secret.iter_mut().zip(value).for_each(|(sum, y)| *sum ^= times(*y, weight));
    }
    secret
}
