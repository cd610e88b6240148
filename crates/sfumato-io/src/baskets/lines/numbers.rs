//! Parses lines of small whole numbers, eight bytes at a time, without texts or tables.
//!
//! It gives up on a block that holds anything else: the slow parser finds out whether that is a
//! name or a mistake.

use sfumato_core::column::{Codes, Dictionary};

use crate::baskets::Separator;
use crate::baskets::lines::{Rules, is_blank, push_key};
use crate::baskets::pieces::{Meaning, Piece, SMALL};

/// The records of a block of whole lines.
pub(crate) fn parse(bytes: &[u8], rules: &Rules<'_>) -> Option<Piece> {
    if rules.odd_numbers {
        return None;
    }
    match rules.separator {
        Separator::Blank => Numbers::new(bytes.len(), rules).parse::<true>(bytes, b' '),
        Separator::Char(c) if c.is_ascii() && !c.is_ascii_digit() && !is_blank(c as u8) => {
            Numbers::new(bytes.len(), rules).parse::<false>(bytes, c as u8)
        }
        Separator::Char(_) => None,
    }
}

struct Numbers {
    key: bool,
    keep_keys: bool,
    codes: Vec<u16>,
    lengths: Vec<u32>,
    keys: Dictionary,
    seen: Vec<bool>,
    repeated: u64,
}

/// A token of a line.
enum Token {
    Number(u16),
    /// The end of the line.
    End,
}

impl Numbers {
    fn new(bytes: usize, rules: &Rules<'_>) -> Self {
        Numbers {
            key: rules.key,
            keep_keys: rules.keep_keys,
            codes: Vec::with_capacity(bytes / 4),
            lengths: Vec::with_capacity(bytes / 64),
            keys: Dictionary::new(),
            seen: vec![false; SMALL],
            repeated: 0,
        }
    }

    fn parse<const BLANK: bool>(mut self, bytes: &[u8], separator: u8) -> Option<Piece> {
        let mut at = 0;
        while at < bytes.len() {
            let start = self.codes.len();
            let mut ended = false;
            if self.key {
                ended = self.key::<BLANK>(bytes, &mut at, separator)?;
            }
            let (mut last, mut ascending) = (-1, true);
            while !ended {
                let Token::Number(number) = token(bytes, &mut at)? else {
                    // A line ends after an item or before any: between, an item is wanting.
                    if !BLANK && self.codes.len() > start {
                        return None;
                    }
                    break;
                };
                ascending &= i32::from(number) > last;
                last = i32::from(number);
                self.seen[number as usize] = true;
                self.codes.push(number);
                ended = after::<BLANK>(bytes, &mut at, separator)?;
            }
            if !ascending {
                self.sort(start);
            }
            self.lengths.push((self.codes.len() - start) as u32);
        }
        Some(self.finish())
    }

    /// Parse the key at the start of a line. Returns true if the line ends with it.
    fn key<const BLANK: bool>(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        separator: u8,
    ) -> Option<bool> {
        skip_blanks(bytes, at);
        let ends =
            |byte: u8| byte == b'\n' || if BLANK { is_blank(byte) } else { byte == separator };
        let length = bytes[*at..].iter().position(|byte| ends(*byte))?;
        let key = &bytes[*at..*at + length];
        *at += length;
        let ended = bytes[*at] == b'\n';
        let key = if ended { key.strip_suffix(b"\r").unwrap_or(key) } else { key };
        let blanks = key.iter().rev().take_while(|byte| is_blank(**byte)).count();
        let key = &key[..key.len() - blanks];
        // A quote or a carriage return is the slow way's business.
        if key.is_empty() || key[0] == b'"' || key.contains(&b'\r') {
            return None;
        }
        if self.keep_keys {
            push_key(&mut self.keys, key);
        }
        *at += 1;
        Some(ended)
    }

    #[cold]
    fn sort(&mut self, start: usize) {
        let set = &mut self.codes[start..];
        set.sort_unstable();
        let mut kept = 0;
        for i in 0..set.len() {
            if kept == 0 || set[i] != set[kept - 1] {
                set[kept] = set[i];
                kept += 1;
            }
        }
        self.repeated += (set.len() - kept) as u64;
        self.codes.truncate(start + kept);
    }

    fn finish(self) -> Piece {
        let Numbers { mut codes, mut lengths, keys, seen, repeated, .. } = self;
        codes.shrink_to_fit();
        lengths.shrink_to_fit();
        let seen = (0..SMALL).filter(|number| seen[*number]).map(|number| number as u16).collect();
        Piece {
            codes: Codes::U16(codes),
            lengths,
            meaning: Meaning::Numbers(seen),
            keys,
            repeated,
            missing: 0,
        }
    }
}

#[inline(always)]
fn skip_blanks(bytes: &[u8], at: &mut usize) {
    while *at < bytes.len() && is_blank(bytes[*at]) {
        *at += 1;
    }
}

/// Parse a line end, if there is one. Blocks end in a newline, so every other byte is followed by
/// another one.
#[inline(always)]
fn line_end(bytes: &[u8], at: &mut usize) -> bool {
    match bytes[*at] {
        b'\n' => *at += 1,
        b'\r' if bytes[*at + 1] == b'\n' => *at += 2,
        _ => return false,
    }
    true
}

/// Parse what is between two items. Returns true if the line ends here.
#[inline(always)]
fn after<const BLANK: bool>(bytes: &[u8], at: &mut usize, separator: u8) -> Option<bool> {
    if BLANK {
        if bytes[*at] == b' ' {
            *at += 1;
            return Some(false);
        }
        if is_blank(bytes[*at]) {
            return Some(false);
        }
        return line_end(bytes, at).then_some(true);
    }
    if bytes[*at] != separator {
        skip_blanks(bytes, at);
    }
    if bytes[*at] == separator {
        *at += 1;
        return Some(false);
    }
    line_end(bytes, at).then_some(true)
}

/// Parse blanks and the number after them, or the end of the line.
#[inline(always)]
fn token(bytes: &[u8], at: &mut usize) -> Option<Token> {
    loop {
        let word = word_at(bytes, *at);
        let digits = leading_digits(word);
        if digits == 0 {
            if is_blank(bytes[*at]) {
                *at += 1;
                continue;
            }
            return line_end(bytes, at).then_some(Token::End);
        }
        if digits > 5 || (word as u8 == b'0' && digits > 1) {
            return None;
        }
        *at += digits;
        let number = value(word, digits);
        return u16::try_from(number).ok().map(Token::Number);
    }
}

#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + 8).map(<[u8; 8]>::try_from) {
        Some(Ok(word)) => u64::from_le_bytes(word),
        _ => {
            let rest = &bytes[at..];
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(word)
        }
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// How many of the first bytes are digits.
#[inline(always)]
fn leading_digits(word: u64) -> usize {
    // The top bit of a byte is set by the first sum above '9' and by the difference below '0';
    // carries only reach bytes after the first that is no digit.
    let others = (word.wrapping_add(0x46 * ONES) | word.wrapping_sub(0x30 * ONES)) & (0x80 * ONES);
    (others.trailing_zeros() / 8) as usize
}

/// The number that the first `digits` bytes (one to eight) stand for.
#[inline(always)]
fn value(word: u64, digits: usize) -> u64 {
    // Digits move to the top, zeros before them: then pairs, fours and eights are added up.
    let padded = word.wrapping_sub(0x30 * ONES) << (64 - 8 * digits);
    let pairs = padded.wrapping_mul(10).wrapping_add(padded >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn digits_are_counted_and_added_up(number in 0u64..100_000_000, next in any::<u8>()) {
            prop_assume!(!next.is_ascii_digit());
            let text = number.to_string();
            let mut bytes = text.clone().into_bytes();
            bytes.extend([next, b'7', 0xFF, 0, b'1', b'\n', 0x80, b'/']);
            let word = word_at(&bytes, 0);
            prop_assert_eq!(leading_digits(word), text.len());
            prop_assert_eq!(value(word, text.len()), number);
        }
    }
}
