//! A keyed hash: HMAC with SHA-256 (RFC 2104), and a stream of numbers made from it.

use sha2::{Digest as _, Sha256};

/// The length of a block of SHA-256.
const BLOCK: usize = 64;

/// The keyed hash of parts, one after the other. Each part is preceded by its length, so that no
/// two lists of parts are the same text.
pub fn keyed_hash(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut text = Vec::new();
    for part in parts {
        text.extend((part.len() as u64).to_be_bytes());
        text.extend(*part);
    }
    hmac(key, &text)
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut padded = [0_u8; BLOCK];
    match key.len() > BLOCK {
        true => padded[..32].copy_from_slice(&Sha256::digest(key)),
        false => padded[..key.len()].copy_from_slice(key),
    }
    let with = |pad: u8, text: &[u8]| -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(padded.map(|byte| byte ^ pad));
        hash.update(text);
        hash.finalize().into()
    };
    with(0x5c, &with(0x36, text))
}

/// Numbers that follow from a key and a text: bytes of keyed hashes that are counted on.
pub struct Stream<'a> {
    key: &'a [u8; 32],
    text: Vec<u8>,
    block: [u8; 32],
    used: usize,
    blocks: u64,
}

impl<'a> Stream<'a> {
    /// The stream of a text.
    pub fn new(key: &'a [u8; 32], text: Vec<u8>) -> Self {
        Stream { key, text, block: [0; 32], used: 32, blocks: 0 }
    }

    fn byte(&mut self) -> u8 {
        if self.used == self.block.len() {
            self.block = keyed_hash(self.key, &[&self.text, &self.blocks.to_be_bytes()]);
            self.blocks += 1;
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// A number below a bound of at most 256, each equally likely.
    pub fn below(&mut self, bound: u16) -> u16 {
        // Bytes that would favour small numbers are drawn again.
        let fair = 256 - 256 % bound;
        loop {
            let byte = u16::from(self.byte());
            if byte < fair {
                return byte % bound;
            }
        }
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_rfc_4231() {
        let of = |key: &[u8], text: &[u8]| hex(&hmac(key, text));
        assert_eq!(
            of(&[0x0b; 20], b"Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            of(b"Jefe", b"what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        let long = b"Test Using Larger Than Block-Size Key - Hash Key First";
        assert_eq!(
            of(&[0xaa; 131], long),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
    }

    #[test]
    fn parts_are_told_apart_and_numbers_are_fair() {
        let key = [7; 32];
        assert_ne!(keyed_hash(&key, &[b"ab", b"c"]), keyed_hash(&key, &[b"a", b"bc"]));
        let mut stream = Stream::new(&key, b"x".to_vec());
        let mut counts = [0_u32; 10];
        (0..20_000).for_each(|_| counts[stream.below(10) as usize] += 1);
        assert!(counts.iter().all(|count| (1_800..2_200).contains(count)), "{counts:?}");
    }
}
