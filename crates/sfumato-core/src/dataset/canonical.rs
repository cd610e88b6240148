//! The canonical form of a text: what makes two spellings one person or one sensitive value.
//!
//! Algorithms, the verifier and audits count people and values by this form. `1`, `1.0` and `1.00`
//! are one person, and `HIV` and `HIV ` are one disease: counted apart, they would promise more
//! than is true. The form is for comparing only and is never published.

use std::borrow::Cow;

use crate::FastMap;
use crate::column::Dictionary;
use unicode_normalization::{UnicodeNormalization, is_nfc_quick};

/// What counts as the same text. Space around a text never matters, nor how an accent is composed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonical {
    /// Whether texts that are numbers are compared by value: `02`, `2` and `2.0` are the same.
    pub numbers: bool,
    /// Whether capital and small letters are the same.
    pub ignores_case: bool,
}

impl Default for Canonical {
    fn default() -> Self {
        Canonical { numbers: true, ignores_case: false }
    }
}

impl Canonical {
    /// The form of a text by which it is compared.
    pub fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let composed = match is_nfc_quick(text.chars()) {
            unicode_normalization::IsNormalized::Yes => Cow::Borrowed(text),
            _ => Cow::Owned(text.nfc().collect()),
        };
        let trimmed = match composed {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_string()),
        };
        if self.numbers
            && let Some(number) = number(&trimmed)
        {
            return match number {
                Number::AsWritten => trimmed,
                Number::Plain(plain) => Cow::Owned(plain),
            };
        }
        if self.ignores_case { Cow::Owned(fold(&trimmed)) } else { trimmed }
    }

    /// Number texts so that those with the same form have the same number. `None` if every text is
    /// its own form, which is the usual case and takes no memory: the numbers are the places then.
    pub fn number(&self, texts: &Dictionary) -> Option<Numbered> {
        if texts.iter().all(|text| self.of(text) == text) {
            return None;
        }
        let mut numbers: FastMap<Cow<'_, str>, u32> = FastMap::default();
        let mut numbered = Numbered { of_text: Vec::with_capacity(texts.len()), first: Vec::new() };
        for (at, text) in (0..).zip(texts.iter()) {
            let next = numbered.first.len() as u32;
            let number = *numbers.entry(self.of(text)).or_insert(next);
            if number == next {
                numbered.first.push(at);
            }
            numbered.of_text.push(number);
        }
        Some(numbered)
    }
}

/// Texts that are numbered by their canonical form, in the order in which forms are first seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// The number of each text.
    pub of_text: Vec<u32>,
    /// The place of the first text with each number.
    pub first: Vec<u32>,
}

/// What is left of a text without case, space, underscores and characters that nobody sees. Two
/// values that share it are probably one value in two spellings, which only a person can say.
/// Punctuation stays: `A+` and `A-` are two blood groups.
pub fn rough(text: &str) -> String {
    let is_unseen = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '_' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    let bare: String = text.nfkc().filter(|c| !is_unseen(*c)).collect();
    fold(&bare)
}

/// The text without case. By way of capitals, so that `ß` and `SS` become the same.
fn fold(text: &str) -> String {
    text.to_uppercase().to_lowercase().nfc().collect()
}

/// A text that is a number.
enum Number {
    /// It is written plainly.
    AsWritten,
    /// It isn't, and this is its plain form.
    Plain(String),
}

/// Numbers with more zeros than this are written with an exponent, so that `1e999999999` can't fill
/// the memory.
const MOST_ZEROS: i64 = 30;

/// The plain form of a text that is a decimal number: sign, digits, point, digits, exponent.
fn number(text: &str) -> Option<Number> {
    let (is_negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => {
            let exponent = &rest[at + 1..];
            // Rust reads a sign before the digits, and nothing but digits behind it.
            exponent.ends_with(|c: char| c.is_ascii_digit()).then_some(())?;
            (&rest[..at], exponent.parse::<i64>().ok()?)
        }
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let is_plain = text.len() <= MOST_ZEROS as usize
        && rest.len() == whole.len()
        && !text.starts_with('+')
        && (whole == "0" && !is_negative || !whole.starts_with('0'));
    if is_plain {
        return Some(Number::AsWritten);
    }
    let digits: String = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some(Number::Plain("0".into()));
    }
    let n_behind = digits.len() - digits.trim_end_matches('0').len();
    let exponent = exponent.checked_sub(fraction.len() as i64)?.checked_add(n_behind as i64)?;
    let sign = if is_negative { "-" } else { "" };
    let plain = match exponent {
        0..=MOST_ZEROS => format!("{sign}{significant}{}", "0".repeat(exponent as usize)),
        _ => format!("{sign}{significant}e{exponent}"),
    };
    Some(Number::Plain(plain))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(canonical: Canonical, texts: &[&str]) {
        let first = canonical.of(texts[0]);
        for text in texts {
            assert_eq!(canonical.of(text), first, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let by_value = Canonical::default();
        same(by_value, &["1", "1.0", "1.00", "01", "+1", "1e0", "10E-1", " 1 ", "1."]);
        same(by_value, &["0", "-0", "0.0", "00", "0e9", "-.0"]);
        same(by_value, &["-2.5", "-02.50", "-25e-1", "-2.5e+0"]);
        same(by_value, &["1e29", "100000000000000000000000000000"]);
        same(by_value, &["1e40", "10000000000000000000000000000000000000000", "0.1e41"]);
        let forms = ["1", "-1", "0.1", "10", "1e-1000000000000", "1e1000000000000", "x1", "1 0"]
            .map(|text| by_value.of(text).to_string());
        let distinct: std::collections::BTreeSet<&String> = forms.iter().collect();
        assert_eq!(distinct.len(), forms.len(), "{forms:?}");
    }

    #[test]
    fn what_is_no_number_stays_a_text() {
        let by_value = Canonical::default();
        for text in ["", "-", ".", "e5", "1e", "1e+", "1e5.0", "1.2.3", "0x10", "1_000", "nan"] {
            assert_eq!(by_value.of(text), text);
        }
        // An exponent that no number of this program can have.
        assert_eq!(by_value.of("1e99999999999999999999"), "1e99999999999999999999");
        let words = Canonical { numbers: false, ..by_value };
        assert_ne!(words.of("250.1"), words.of("250.10"));
    }

    #[test]
    fn texts_are_trimmed_and_composed() {
        same(Canonical::default(), &["HIV", "HIV ", "\tHIV", "\u{a0}HIV\u{2003}"]);
        same(Canonical::default(), &["caf\u{e9}", "cafe\u{301}", " cafe\u{301} "]);
        assert_ne!(Canonical::default().of("HIV"), Canonical::default().of("hiv"));
        let ignoring = Canonical { ignores_case: true, ..Canonical::default() };
        same(ignoring, &["HIV", "hiv", "Hiv "]);
        same(ignoring, &["Stra\u{df}e", "STRASSE", "strasse"]);
        same(ignoring, &["\u{3a3}\u{3a3}", "\u{3c3}\u{3c2}"]);
    }

    #[test]
    fn spellings_get_one_number() {
        let texts = |texts: &[&str]| texts.iter().collect::<Dictionary>();
        let numbered = Canonical::default().number(&texts(&["1", "2", "1.0", "x ", "2.0", "x"]));
        let expected = Numbered { of_text: vec![0, 1, 0, 2, 1, 2], first: vec![0, 1, 3] };
        assert_eq!(numbered, Some(expected));
        assert_eq!(Canonical::default().number(&texts(&["1", "2", "x"])), None);
    }

    #[test]
    fn near_values_share_their_rough_form() {
        for pair in [("HIV", "hiv"), ("H I V", "hiv"), ("type_2", "Type 2"), ("a\u{200b}b", "ab")] {
            assert_eq!(rough(pair.0), rough(pair.1), "{pair:?}");
        }
        assert_ne!(rough("flu"), rough("flue"));
        assert_ne!(rough("A+"), rough("A-"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        /// Taking the form twice changes nothing, and a number with zeros added is the same.
        #[test]
        fn the_form_is_stable(
            text in "\\PC{0,8}",
            value in -99_999i64..99_999,
            zeros in 0usize..6,
        ) {
            for ignores_case in [false, true] {
                let canonical = Canonical { numbers: true, ignores_case };
                let once = canonical.of(&text).to_string();
                prop_assert_eq!(canonical.of(&once), once.as_str());
            }
            let canonical = Canonical::default();
            let zeros = "0".repeat(zeros);
            let longer = format!("{value}.{zeros}");
            prop_assert_eq!(canonical.of(&longer), value.to_string());
            let (sign, digits) = if value < 0 { ("-", -value) } else { ("", value) };
            let longer = format!("{sign}{zeros}{digits}");
            prop_assert_eq!(canonical.of(&longer), value.to_string());
        }
    }
}
