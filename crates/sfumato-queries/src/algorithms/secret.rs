//! What a secret key is used for: tags of queries, hashes of terms, and generators of shares. None
//! of them can be computed or predicted from another without the key.

use hmac::{Hmac, KeyInit as _, Mac as _};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use sha2::Sha256;

/// A key of 32 bytes. It comes from the operating system unless the job has a seed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl Secret {
    /// The keyed hash of a text for a purpose.
    pub fn hash(&self, purpose: &str, text: &str) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length is taken");
        mac.update(purpose.as_bytes());
        // No purpose contains this byte, so that no two pairs of purpose and text are alike.
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// The first bytes of a keyed hash, in hexadecimal.
    pub fn tag(&self, purpose: &str, text: &str, n_bytes: usize) -> String {
        hex(&self.hash(purpose, text)[..n_bytes.min(32)])
    }

    /// A generator for a purpose and a text.
    pub fn generator(&self, purpose: &str, text: &str) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(self.hash(purpose, text))
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a text in hexadecimal. None if it isn't one.
pub fn of_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    if !digits.len().is_multiple_of(2) || !digits.iter().all(is_digit) {
        return None;
    }
    let byte = |pair: &[u8]| {
        std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())
    };
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_depend_on_key_purpose_and_text() {
        let (one, other) = (Secret([1; 32]), Secret([2; 32]));
        let tag = one.tag("query", "dog", 16);
        assert_eq!((tag.len(), &tag), (32, &one.tag("query", "dog", 16)));
        let others = [
            one.tag("term", "dog", 16),
            one.tag("query", "dogs", 16),
            other.tag("query", "dog", 16),
        ];
        assert!(!others.contains(&tag));
    }

    #[test]
    fn hexadecimal_goes_both_ways() {
        assert_eq!(hex(&[0, 15, 255]), "000fff");
        assert_eq!(of_hex("000fff"), Some(vec![0, 15, 255]));
        for wrong in ["0", "0g", "0F", "é0"] {
            assert_eq!(of_hex(wrong), None, "{wrong}");
        }
    }
}
