//! Numbers as they are written, without rounding: the value of a text in decimal notation at a
//! given scale.
//!
//! Floating point is never used: 0.3 as a float lies below 0.3 and would fall into the interval
//! `[0.2..0.3)`.

/// A decimal number of any length: the digits times a power of ten.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Exact {
    negative: bool,
    /// The digits without zeros at either end, so that equal numbers are equal structures. Empty
    /// for zero.
    digits: String,
    exponent: i64,
}

/// Positions on an axis stay below this, so that a difference or a step can't leave `i128`.
pub(crate) const LIMIT: i128 = 10i128.pow(37);

impl Exact {
    /// Parse `-12.50`, `.5`, `1e-3` and the like.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !plain(whole) || !plain(fraction) {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let kept = all.trim_end_matches('0');
        let exponent = exponent - fraction.len() as i64 + (all.len() - kept.len()) as i64;
        let digits = kept.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Exact { negative: false, digits: String::new(), exponent: 0 });
        }
        Some(Exact { negative, digits: digits.to_string(), exponent })
    }

    /// How many digits after the point the number needs.
    pub(crate) fn scale(&self) -> u64 {
        self.exponent.min(0).unsigned_abs()
    }

    /// The largest whole number that isn't above this number times 10^scale. Numbers outside
    /// [`LIMIT`] are returned as some number far outside it.
    pub(crate) fn floor_at(&self, scale: u8) -> i128 {
        let shift = self.exponent + i64::from(scale);
        let length = self.digits.len() as i64 + shift;
        if self.digits.is_empty() {
            return 0;
        }
        if length > 38 {
            return if self.negative { i128::MIN } else { i128::MAX };
        }
        let kept = &self.digits[..length.clamp(0, self.digits.len() as i64) as usize];
        let mut floor = 0i128;
        for b in kept.bytes().chain(std::iter::repeat_n(b'0', shift.max(0) as usize)) {
            floor = floor * 10 + i128::from(b - b'0');
        }
        match (self.negative, kept.len() < self.digits.len()) {
            (false, _) => floor,
            (true, false) => -floor,
            // What was cut off isn't zero, so the floor of a negative number is one lower.
            (true, true) => -floor - 1,
        }
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Beyond nine digits the number is zero or too large at any scale.
    let size = digits.trim_start_matches('0');
    Some(sign * if size.len() > 9 { 1_000_000_000 } else { size.parse().unwrap_or(0) })
}

/// The plain text of a position at a scale, without trailing zeros.
pub(crate) fn format_at(position: i128, scale: u8) -> String {
    let unit = 10u128.pow(u32::from(scale));
    let (whole, fraction) = (position.unsigned_abs() / unit, position.unsigned_abs() % unit);
    let sign = if position < 0 { "-" } else { "" };
    if fraction == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{fraction:0width$}", width = usize::from(scale));
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_exactly() {
        let floor = |text: &str, scale| Exact::parse(text).unwrap().floor_at(scale);
        assert_eq!(floor("0.3", 1), 3);
        assert_eq!(floor("-0.35", 1), -4);
        assert_eq!(floor("-0.30", 1), -3);
        assert_eq!(floor("1.5e3", 0), 1500);
        assert_eq!(floor("12e-1", 0), 1);
        assert_eq!(floor("-1e-999999999999", 3), -1);
        assert_eq!(floor("1e400", 0), i128::MAX);
        assert_eq!(floor("-9223372036854775808", 18), -9223372036854775808 * 10i128.pow(18));
        assert_eq!(floor(".5", 1), 5);
        assert_eq!(floor("0e7", 3), 0);
        assert_eq!(Exact::parse("1.50"), Exact::parse("15e-1"));
        assert_eq!(Exact::parse("-0.0"), Exact::parse("0"));
        assert_eq!(Exact::parse("1.250").unwrap().scale(), 2);
        for wrong in ["", "-", ".", "e5", "1e", "1e+", "1x", "inf", "1.2.3", "--1", "٣"] {
            assert_eq!(Exact::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn agrees_with_integers(key in any::<i64>(), scale in 0u8..19) {
            let text = format_at(i128::from(key), scale);
            let exact = Exact::parse(&text).unwrap();
            prop_assert_eq!(exact.floor_at(scale), i128::from(key));
            prop_assert!(exact.scale() <= u64::from(scale));
            prop_assert_eq!(exact.floor_at(0),
                i128::from(key).div_euclid(10i128.pow(u32::from(scale))));
        }
        #[test]
        fn never_panics(text in "[-+0-9.eE]{0,60}", scale in 0u8..19) {
            if let Some(exact) = Exact::parse(&text) {
                let floor = exact.floor_at(scale);
                prop_assert!(exact.scale() > 0 || floor.abs_diff(0) >= 10u128.pow(u32::from(scale))
                    || floor == 0);
            }
        }
    }
}
