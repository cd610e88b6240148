//! The order of items, and which of them are numbers.

use sfumato_core::column::Dictionary;

/// The number that a text stands for, if it is a plain whole number: digits without a leading zero.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let plain = matches!(text, [b'0'] | [b'1'..=b'9', ..]) && text.iter().all(u8::is_ascii_digit);
    if !plain {
        return None;
    }
    text.iter().try_fold(0u64, |n, digit| n.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

/// The codes of different texts in the order of items: by number if all are numbers, or else by
/// their bytes.
pub(crate) fn in_order(texts: &Dictionary) -> Vec<u32> {
    let mut codes: Vec<u32> = (0..texts.len() as u32).collect();
    let numbers: Option<Vec<u64>> = texts.iter().map(|text| number(text.as_bytes())).collect();
    match numbers {
        Some(numbers) => codes.sort_unstable_by_key(|code| numbers[*code as usize]),
        None => codes.sort_unstable_by_key(|code| texts.get_bytes(*code)),
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers() {
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        for text in ["", "00", "01", "-1", "+1", "1.0", "1e3", "18446744073709551616", " 1", "a"] {
            assert_eq!(number(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn numbers_by_size_and_names_by_bytes() {
        let order = |texts: &[&str]| {
            let texts: Dictionary = texts.iter().collect();
            in_order(&texts).into_iter().map(|code| texts.get(code).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(order(&["10", "9", "100"]), ["9", "10", "100"]);
        assert_eq!(order(&["10", "9", "x"]), ["10", "9", "x"]);
        assert_eq!(order(&["é", "z", "B"]), ["B", "z", "é"]);
        assert!(order(&[]).is_empty());
    }
}
