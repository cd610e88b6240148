//! A hash function that gives the same values in every run. No promise depends on it.

/// The value that hashing starts with.
pub const HASH_START: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mix a number into a hash.
#[inline]
pub fn mix(hash: u64, number: u64) -> u64 {
    // The number is spread over all bits first, or small ones would only touch the low bits.
    let spread = number.wrapping_add(1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let product = u128::from(hash ^ spread) * 0xA076_1D64_78BD_642F_u128;
    (product >> 64) as u64 ^ product as u64
}

/// The hash of a text, for estimates, and for telling names apart where a collision does no harm.
pub fn hash_text(text: &str) -> u64 {
    text.as_bytes().chunks(8).fold(mix(HASH_START, text.len() as u64), |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u64::from_le_bytes(word))
    })
}
