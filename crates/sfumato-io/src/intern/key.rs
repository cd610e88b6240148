//! Keys and hashes of texts.
//!
//! A text of at most 7 bytes is its own key in a u64 (bytes plus length), so that a typical cell
//! costs one load and one multiplication, and its text isn't read again. The seeds of the hashes
//! are fixed: runs repeat.

/// The longest text that is its own key.
pub(super) const SHORT: usize = 7;
/// The longest text that is compared in one piece.
pub(super) const MIDDLE: usize = 16;
/// The bit that is set in the keys of longer texts, which are hashes. The top byte of short keys is
/// their length plus one.
pub(super) const HASHED: u64 = 1 << 63;
const SEED_LO: u64 = 0x9E37_79B9_7F4A_7C15;
const SEED_HI: u64 = 0xD6E8_FEB8_6659_FD93;

/// Masks and length tags of short keys, by length.
const SHORT_MASKS: [(u64, u64); SHORT + 1] = {
    let mut masks = [(0, 0); SHORT + 1];
    let mut len = 0;
    while len <= SHORT {
        masks[len] = ((1 << (8 * len)) - 1, ((len as u64) + 1) << 56);
        len += 1;
    }
    masks
};

/// Masks of texts of at most 16 bytes, by length.
const MIDDLE_MASKS: [u128; MIDDLE + 1] = {
    let mut masks = [u128::MAX; MIDDLE + 1];
    let mut len = 0;
    while len < MIDDLE {
        masks[len] = (1 << (8 * len)) - 1;
        len += 1;
    }
    masks
};

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// A text of at most 16 bytes as one number. Near the end of the bytes this takes longer.
#[inline(always)]
pub(super) fn middle(bytes: &[u8], start: usize, end: usize) -> u128 {
    match bytes.get(start..start + 16).map(<[u8; 16]>::try_from) {
        Some(Ok(word)) => u128::from_le_bytes(word) & MIDDLE_MASKS[end - start],
        _ => {
            let mut word = [0; 16];
            word[..end - start].copy_from_slice(&bytes[start..end]);
            u128::from_le_bytes(word)
        }
    }
}

/// The key of a text: the text itself if it is short, a hash if it is long. Never 0, which marks an
/// empty slot. With `MIXED` the same key is found without a branch on the length, for columns where
/// that branch can't be predicted.
#[inline(always)]
pub(super) fn key_at<const MIXED: bool>(bytes: &[u8], start: usize, end: usize) -> u64 {
    let len = end - start;
    if MIXED && len <= MIDDLE {
        let text = middle(bytes, start, end);
        let (mask, tag) = SHORT_MASKS[len & SHORT];
        let short = (text as u64 & mask) | tag;
        let hashed = middle_key(text, len);
        std::hint::select_unpredictable(len <= SHORT, short, hashed)
    } else if len <= SHORT {
        let (mask, tag) = SHORT_MASKS[len];
        let word = match bytes.get(start..start + 8).map(<[u8; 8]>::try_from) {
            Some(Ok(word)) => u64::from_le_bytes(word),
            _ => middle(bytes, start, end) as u64,
        };
        (word & mask) | tag
    } else if len <= MIDDLE {
        middle_key(middle(bytes, start, end), len)
    } else {
        long_key(&bytes[start..end])
    }
}

#[inline(always)]
fn middle_key(text: u128, len: usize) -> u64 {
    fold(text as u64 ^ SEED_LO, (text >> 64) as u64 ^ SEED_HI ^ ((len as u64) << 56)) | HASHED
}

#[inline(never)]
fn long_key(text: &[u8]) -> u64 {
    let word = |at: usize| u64::from_le_bytes(text[at..at + 8].try_into().expect("eight bytes"));
    let mut hash = text.len() as u64;
    let mut at = 0;
    while at + 16 <= text.len() {
        hash = fold(hash ^ word(at) ^ SEED_LO, word(at + 8) ^ SEED_HI);
        at += 16;
    }
    // The last 16 bytes overlap the ones before: no tail loop.
    at = text.len() - 16;
    fold(hash ^ word(at) ^ SEED_HI, word(at + 8) ^ SEED_LO) | HASHED
}

#[inline(always)]
pub(super) fn hash_of(key: u64) -> u64 {
    fold(key ^ SEED_LO, SEED_HI)
}

/// The hash of a text, as [`Index::intern`] needs it.
pub(crate) fn hash_text(text: &[u8]) -> u64 {
    hash_of(key_at::<false>(text, 0, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_a_key_agree() {
        let bytes = b"a text of some forty bytes, not too short";
        for start in 0..bytes.len() {
            for end in start..bytes.len() {
                assert_eq!(key_at::<true>(bytes, start, end), key_at::<false>(bytes, start, end));
                assert_ne!(key_at::<true>(bytes, start, end), 0);
            }
        }
    }
}
