//! Finds the kind that all texts of a column have, one text at a time: the same result as that of
//! `ValueKind::infer` for all of them at once, with the least and the largest key.

use sfumato_core::dataset::{ValueKind, has_offset};

/// The number of digits after the point with which bounds are stored: the most that a decimal may
/// have.
const DIGITS: u8 = 18;

/// The least and the largest key of a kind; `None` once a text isn't of the kind, or before the
/// first one.
#[derive(Debug, Clone, Copy)]
struct Track {
    kind: ValueKind,
    possible: bool,
    bounds: Option<(i64, i64)>,
}

impl Track {
    fn new(kind: ValueKind) -> Self {
        Track { kind, possible: true, bounds: None }
    }
    fn add(&mut self, text: &str) -> bool {
        if self.possible {
            match self.kind.parse(text) {
                Some(key) => self.bounds = Some(widened(self.bounds, key)),
                None => self.possible = false,
            }
        }
        self.possible
    }
}

fn widened<K: Copy + Ord>(bounds: Option<(K, K)>, key: K) -> (K, K) {
    bounds.map_or((key, key), |(least, most)| (least.min(key), most.max(key)))
}

/// What is known about the texts so far.
#[derive(Debug, Clone)]
pub struct Kinds {
    any: bool,
    integer: bool,
    /// Whole numbers times 10^-18, exactly.
    decimal: bool,
    numbers: Option<(i128, i128)>,
    /// The least and the most digits after the point, and whether some fraction ends in 0.
    digits: Option<(u8, u8)>,
    padded: bool,
    /// Whether some text is a number only together with fractions: `-0` is no whole number.
    minus_zero: bool,
    dates: [Track; 3],
    float: Track,
    offsets: (bool, bool),
    /// Whether every text is the plain form of its key.
    plain: bool,
}

/// The result for all texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// The kind.
    pub kind: ValueKind,
    /// The least and the largest key; `None` for words or without any text.
    pub bounds: Option<(i64, i64)>,
    /// The number of digits after the point of every text, if all have as many.
    pub digits: Option<u8>,
    /// Whether every text is how its key is written (with these digits).
    pub plain: bool,
}

impl Default for Kinds {
    fn default() -> Self {
        Kinds {
            any: false,
            integer: true,
            decimal: true,
            numbers: None,
            digits: None,
            padded: false,
            minus_zero: false,
            dates: [ValueKind::Date, ValueKind::DateTime, ValueKind::Time].map(Track::new),
            float: Track::new(ValueKind::Float),
            offsets: (false, false),
            plain: true,
        }
    }
}

impl Kinds {
    /// Learn from whole numbers of a typed column.
    pub fn add_integers(&mut self, least: i64, most: i64) {
        self.any = true;
        self.dates.iter_mut().for_each(|track| track.possible = false);
        self.float.possible = false;
        let unit = 10i128.pow(u32::from(DIGITS));
        for key in [least, most] {
            self.numbers = Some(widened(self.numbers, i128::from(key) * unit));
        }
        self.digits = Some(self.digits.map_or((0, 0), |(_, most)| (0, most)));
    }

    /// Learn from a text.
    pub fn add(&mut self, text: &str) {
        self.any = true;
        if self.decimal {
            self.add_number(text);
        }
        self.float.add(text);
        let [date, datetime, time] = &mut self.dates;
        if date.add(text) {
            self.plain &= date.kind.parse(text).is_some_and(|key| date.kind.format(key) == text);
        }
        if datetime.add(text) {
            let has_offset = has_offset(text);
            self.offsets = (self.offsets.0 | has_offset, self.offsets.1 | !has_offset);
        }
        time.add(text);
    }

    fn add_number(&mut self, text: &str) {
        let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let scale = u8::try_from(digits).ok().filter(|digits| *digits <= DIGITS);
        let mut key =
            scale.and_then(|scale| Some((scale, ValueKind::Decimal { scale }.parse(text)?)));
        let one_digit = ValueKind::Decimal { scale: 1 };
        if key.is_none() && scale == Some(0) && one_digit.parse(text) == Some(0) {
            self.minus_zero = true;
            key = Some((0, 0));
        }
        self.integer &= digits == 0 && ValueKind::Integer.parse(text).is_some();
        let Some((scale, key)) = key else {
            self.decimal = false;
            self.integer = false;
            return;
        };
        self.padded |= scale > 0 && text.ends_with('0');
        self.digits =
            Some(self.digits.map_or((scale, scale), |(a, b)| (a.min(scale), b.max(scale))));
        let unit = 10i128.pow(u32::from(DIGITS - scale));
        self.numbers = Some(widened(self.numbers, i128::from(key) * unit));
    }

    /// The most specific kind that all texts have, as `ValueKind::infer` finds it.
    pub fn inferred(&self) -> ValueKind {
        if !self.any {
            return ValueKind::Text;
        }
        if self.integer && self.decimal {
            return ValueKind::Integer;
        }
        let scale = self.digits.map_or(0, |(_, most)| most);
        if self.decimal && self.decimal_bounds(scale).is_some() {
            return ValueKind::Decimal { scale };
        }
        let mixed = self.offsets == (true, true);
        let possible =
            |track: &&Track| track.possible && !(mixed && track.kind == ValueKind::DateTime);
        let found = self.dates.iter().chain([&self.float]).find(possible);
        found.map_or(ValueKind::Text, |track| track.kind)
    }

    /// Whether all texts are of a kind.
    pub fn all(&self, kind: ValueKind) -> bool {
        match kind {
            ValueKind::Text => true,
            ValueKind::Integer => self.integer && self.decimal,
            ValueKind::Decimal { scale } => self.decimal && self.decimal_bounds(scale).is_some(),
            kind => self
                .dates
                .iter()
                .chain([&self.float])
                .any(|track| track.kind == kind && track.possible),
        }
    }

    fn decimal_bounds(&self, scale: u8) -> Option<(i64, i64)> {
        let unit = 10i128.pow(u32::from(DIGITS.checked_sub(scale)?));
        let (least, most) = self.numbers.filter(|_| scale > 0 || !self.minus_zero)?;
        Some((i64::try_from(least / unit).ok()?, i64::try_from(most / unit).ok()?))
    }

    /// The bounds and the spelling of a kind that all texts have.
    pub fn resolve(&self, kind: ValueKind) -> Resolved {
        let track = self.dates.iter().chain([&self.float]).find(|track| track.kind == kind);
        let (bounds, digits, plain) = match kind {
            ValueKind::Text => (None, None, false),
            ValueKind::Integer => (self.decimal_bounds(0), None, true),
            ValueKind::Decimal { scale } => {
                let (least, most) = self.digits.unwrap_or((0, 0));
                let fixed = (least == most && most == scale).then_some(scale);
                (self.decimal_bounds(scale), fixed, fixed.is_some() || !self.padded)
            }
            ValueKind::Date => (track.and_then(|t| t.bounds), None, self.plain),
            _ => (track.and_then(|t| t.bounds), None, false),
        };
        Resolved { kind, bounds, digits, plain }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn one_by_one_is_as_all_at_once(texts in prop::collection::vec(prop_oneof![
            "-?[0-9]{1,4}", "-?[0-9]{1,3}\\.[0-9]{1,3}", "0[0-9]", "[0-9]{15,19}(\\.[0-9]{1,4})?",
                "[0-9]e[0-9]", "20[0-9]{2}-0[1-9]-1[0-9]",
            "1[0-9]\\.0[1-9]\\.20[0-9]{2}", "2020-01-0[1-9]T1[0-9]:30:00",
                "2020-01-0[1-9]T1[0-9]:30:00Z", "1[0-9]:2[0-9](:30)?", "[a-c]{1,2}", "-0", "",
        ], 0..4), one_kind: bool) {
            let texts: Vec<&String> =
                if one_kind { texts.iter().take(1).collect() } else { texts.iter().collect() };
            let mut kinds = Kinds::default();
            texts.iter().for_each(|text| kinds.add(text));
            let expected = ValueKind::infer(texts.iter().map(|text| text.as_str()));
            prop_assert_eq!(kinds.inferred(), expected);
            let keys: Vec<i64> = texts.iter().filter_map(|text| expected.parse(text)).collect();
            let resolved = kinds.resolve(expected);
            let bounds = keys.iter().min().copied().zip(keys.iter().max().copied());
            prop_assert_eq!(resolved.bounds, bounds);
        }
    }

    #[test]
    fn fixed_digits_are_seen() {
        let mut kinds = Kinds::default();
        ["1.50", "20.25"].iter().for_each(|text| kinds.add(text));
        let resolved = kinds.resolve(kinds.inferred());
        assert_eq!((resolved.digits, resolved.plain), (Some(2), true));
        kinds.add("3.5");
        let resolved = kinds.resolve(kinds.inferred());
        assert_eq!((resolved.digits, resolved.plain), (None, false));
    }
}
