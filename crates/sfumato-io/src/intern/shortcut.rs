//! Finds codes of very short cells without hashing: numbers of few digits and texts of at most two
//! bytes are their own index in a table.
//!
//! This is only a faster way to codes that are known already; texts that aren't found here are
//! looked up in the hash table. Texts contain no NUL: blocks with one are refused, so that padding
//! with NUL can't make two texts equal.

use sfumato_core::column::Dictionary;

/// The largest number of digits.
const DIGITS: usize = 5;
/// The entry of a text without a code.
const UNKNOWN: u32 = u32::MAX;
/// How many texts with fewer digits there are, by number of digits.
const OFFSETS: [u32; DIGITS + 1] = [0, 1, 11, 111, 1_111, 11_111];

/// A table from cells to codes.
pub(crate) enum Shortcut {
    /// A table indexed by number, for each number of digits.
    Digits(Vec<u32>),
    /// A table indexed by one or two bytes.
    Pairs(Vec<u32>),
}

impl Shortcut {
    /// The kind of table that fits most of the first `n` texts of a dictionary, if there is one.
    pub(crate) fn new(dictionary: &Dictionary, n: usize, null: Option<u32>) -> Option<Shortcut> {
        let texts =
            || (0..n as u32).filter(|&c| null != Some(c)).map(|c| (c, dictionary.get_bytes(c)));
        let most = |count: usize| count * 4 >= n * 3 && n > 0;
        let fill = |size: usize, place: &dyn Fn(&[u8]) -> Option<usize>| {
            let mut table = vec![UNKNOWN; size];
            for (code, text) in texts() {
                if let Some(place) = place(text) {
                    table[place] = code;
                }
            }
            table
        };
        let number = |text: &[u8]| digits(text, 0, text.len());
        if most(texts().filter(|(_, text)| number(text).is_some()).count()) {
            return Some(Shortcut::Digits(fill(OFFSETS[DIGITS] as usize + 100_000, &number)));
        }
        if most(texts().filter(|(_, text)| text.len() <= 2).count()) {
            return Some(Shortcut::Pairs(fill(1 << 16, &|text| pair(text, 0, text.len()))));
        }
        None
    }
}

/// The code of a cell in a table of numbers.
#[inline(always)]
pub(crate) fn digits_code(table: &[u32], bytes: &[u8], start: usize, end: usize) -> Option<u32> {
    let place = digits(bytes, start, end)?;
    table.get(place).copied().filter(|&code| code != UNKNOWN)
}

/// The code of a cell in a table of pairs.
#[inline(always)]
pub(crate) fn pair_code(table: &[u32], bytes: &[u8], start: usize, end: usize) -> Option<u32> {
    let place = pair(bytes, start, end)?;
    table.get(place).copied().filter(|&code| code != UNKNOWN)
}

/// The index of a number of at most five digits: its value, after all numbers with fewer digits.
/// `007` isn't `7`.
#[inline(always)]
fn digits(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    const TENS: u64 = 0x0A0A_0A0A_0A0A_0A0A;
    let len = end - start;
    if len > DIGITS {
        return None;
    }
    let word = match bytes.get(start..start + 8).map(<[u8; 8]>::try_from) {
        Some(Ok(word)) => u64::from_le_bytes(word),
        _ => {
            let mut word = [0; 8];
            word[..len].copy_from_slice(&bytes[start..end]);
            u64::from_le_bytes(word)
        }
    };
    // The digits go to the top bytes, zeros in front of them. A shift by 64 would be for the empty
    // text: in two steps.
    let shift = 8 * (7 - len as u32);
    let mut value = (word << shift << 8) ^ (0x3030_3030_3030_3030 << shift << 8);
    // Every byte must be below ten: adding 118 sets the top bit of all others.
    let over = (value.wrapping_add(0x8080_8080_8080_8080 - TENS)) | value;
    if over & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    value = value.wrapping_mul(2561) >> 8;
    value = (value & 0x00FF_00FF_00FF_00FF).wrapping_mul(6_553_601) >> 16;
    value = (value & 0x0000_FFFF_0000_FFFF).wrapping_mul(42_949_672_960_001) >> 32;
    Some((value as u32 + OFFSETS[len]) as usize)
}

/// The index of a text of at most two bytes: these bytes.
#[inline(always)]
fn pair(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let word = bytes.get(start..start + 2).map(|w| u16::from_le_bytes([w[0], w[1]]));
    match (end - start, word) {
        (2, Some(word)) => Some(word as usize),
        (1, _) => bytes.get(start).map(|&byte| byte as usize),
        (0, _) => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let mut taken = vec![false; OFFSETS[DIGITS] as usize + 100_000];
        for len in 0..=DIGITS {
            for value in 0..10usize.pow(len as u32) {
                let text = if len == 0 { String::new() } else { format!("{value:0len$}") };
                let place = digits(text.as_bytes(), 0, len).unwrap();
                // With other bytes behind it.
                let longer = format!("{text},123456789");
                assert_eq!(digits(longer.as_bytes(), 0, len), Some(place));
                assert!(!std::mem::replace(&mut taken[place], true), "{text}");
            }
        }
        assert!(taken.iter().all(|&taken| taken));
    }

    #[test]
    fn what_is_no_number_has_no_place() {
        for text in [
            "a", "1a", "-1", "1.5", "/", ":", "12:4", " 1", "\u{e9}", "\u{b2}", "123456", "9\u{80}",
        ] {
            assert_eq!(digits(text.as_bytes(), 0, text.len()), None, "{text}");
        }
        for byte in (0..=255u8).filter(|b| !b.is_ascii_digit()) {
            for text in [[b'1', byte, b'9'], [byte, b'0', b'0'], [b'0', b'0', byte]] {
                assert_eq!(digits(&text, 0, 3), None, "{byte}");
            }
        }
    }

    #[test]
    fn tables() {
        let numbers: Dictionary = ["17", "", "99999", "?", "017"].into_iter().collect();
        let Some(Shortcut::Digits(table)) = Shortcut::new(&numbers, 5, None) else {
            panic!("digits")
        };
        let of = |text: &str| digits_code(&table, text.as_bytes(), 0, text.len());
        assert_eq!(
            (of("17"), of(""), of("99999"), of("?"), of("017"), of("18")),
            (Some(0), Some(1), Some(2), None, Some(4), None)
        );
        let pairs: Dictionary = ["M", "F", "", "NA", "\u{e9}"].into_iter().collect();
        let Some(Shortcut::Pairs(table)) = Shortcut::new(&pairs, 5, Some(2)) else {
            panic!("pairs")
        };
        let of = |text: &str| pair_code(&table, text.as_bytes(), 0, text.len());
        assert_eq!(
            (of("M"), of("F"), of(""), of("NA"), of("\u{e9}"), of("X")),
            (Some(0), Some(1), None, Some(3), Some(4), None)
        );
        let words: Dictionary = ["red", "green", "1"].into_iter().collect();
        assert!(Shortcut::new(&words, 3, None).is_none());
        assert!(Shortcut::new(&words, 0, None).is_none());
    }
}
