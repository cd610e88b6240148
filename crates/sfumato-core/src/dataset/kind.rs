//! What the texts of a column mean: numbers, dates, times or just words; and how they become
//! ordered keys.
//!
//! Keys are exact: a decimal is a whole number at a fixed scale, so that sums and variances hold in
//! integers.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};

/// The meaning of a column's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Whole numbers without leading zeros (`007` is a text: an identifier or a code).
    Integer,
    /// Decimal numbers, kept as whole numbers times 10^-scale.
    Decimal {
        /// The number of digits after the decimal point.
        scale: u8,
    },
    /// Other finite numbers (exponents, mixed scales) of at most 15 digits, or with exactly the
    /// digits with which programs print a number of double precision: ordered exactly, summed in
    /// floating point.
    Float,
    /// Calendar days, `YYYY-MM-DD` or `DD.MM.YYYY`.
    Date,
    /// A day and a time, with or without an offset, in microseconds.
    DateTime,
    /// A time of day, in microseconds.
    Time,
    /// Words, which have no order.
    Text,
}

impl ValueKind {
    /// The most specific kind that all texts have. Without any text it is [`ValueKind::Text`].
    pub fn infer<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> ValueKind {
        let all = |kind: ValueKind| texts.clone().all(|text| kind.parse(text).is_some());
        if texts.clone().next().is_none() {
            return ValueKind::Text;
        }
        if all(ValueKind::Integer) {
            return ValueKind::Integer;
        }
        let scale =
            texts.clone().map(fraction_digits).try_fold(0, |most, digits| Some(digits?.max(most)));
        if let Some(scale) = scale.filter(|s| all(ValueKind::Decimal { scale: *s })) {
            return ValueKind::Decimal { scale };
        }
        // A time with an offset and one without can't be compared: together they are texts.
        let offsets = texts.clone().filter(|text| has_offset(text)).count();
        let mixed = offsets > 0 && offsets < texts.clone().count();
        [ValueKind::Date, ValueKind::DateTime, ValueKind::Time, ValueKind::Float]
            .into_iter()
            .filter(|kind| !(mixed && *kind == ValueKind::DateTime))
            .find(|kind| all(*kind))
            .unwrap_or(ValueKind::Text)
    }

    /// Whether values have an order that means something.
    pub fn is_ordered(self) -> bool {
        self != ValueKind::Text
    }

    /// Whether values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, ValueKind::Integer | ValueKind::Decimal { .. } | ValueKind::Float)
    }

    /// The name of the kind, for messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            ValueKind::Integer => "integer",
            ValueKind::Decimal { .. } => "decimal",
            ValueKind::Float => "float",
            ValueKind::Date => "date",
            ValueKind::DateTime => "datetime",
            ValueKind::Time => "time",
            ValueKind::Text => "text",
        }
    }

    /// The order-preserving key of a text, or `None` if it isn't of this kind.
    pub fn parse(self, text: &str) -> Option<i64> {
        match self {
            ValueKind::Integer => parse_decimal(text, 0),
            ValueKind::Decimal { scale } => parse_decimal(text, scale),
            ValueKind::Float => parse_float(text).map(float_key),
            ValueKind::Date => parse_date(text),
            ValueKind::DateTime => parse_datetime(text),
            ValueKind::Time => {
                (text.contains(':') && text.len() >= 5 && !is_leap_second(text)).then_some(())?;
                let time: Time = text.parse().ok()?;
                (time.subsec_nanosecond() % 1000 == 0).then_some(())?;
                let midnight = Time::midnight();
                Some(midnight.until(time).ok()?.total(jiff::Unit::Microsecond).ok()? as i64)
            }
            ValueKind::Text => None,
        }
    }

    /// The number a key stands for, in the unit of the text (days for dates, seconds for times).
    pub fn number(self, key: i64) -> f64 {
        match self {
            ValueKind::Integer | ValueKind::Date => key as f64,
            ValueKind::Decimal { scale } => key as f64 / 10f64.powi(i32::from(scale)),
            ValueKind::Float => key_float(key),
            ValueKind::DateTime | ValueKind::Time => key as f64 / 1e6,
            ValueKind::Text => f64::NAN,
        }
    }

    /// The text of a key. Decimals get `digits` digits after the point, or with `None` as many as
    /// they need. Only for keys that [`ValueKind::parse`] can return, and with no fewer digits than
    /// the key has.
    pub fn spell(self, key: i64, digits: Option<u8>) -> String {
        match (self, digits) {
            (ValueKind::Decimal { scale }, Some(digits)) => fixed_decimal(key, scale, digits),
            _ => self.format(key),
        }
    }

    /// The text of a key in its plain form. Only for keys that [`ValueKind::parse`] can return.
    pub fn format(self, key: i64) -> String {
        match self {
            ValueKind::Integer => key.to_string(),
            ValueKind::Decimal { scale } => format_decimal(key, scale),
            ValueKind::Float => key_float(key).to_string(),
            ValueKind::Date => match Date::new(1970, 1, 1)
                .and_then(|epoch| epoch.checked_add(jiff::Span::new().try_days(key)?))
            {
                Ok(date) => date.to_string(),
                Err(_) => key.to_string(),
            },
            ValueKind::DateTime => match Timestamp::from_microsecond(key) {
                Ok(at) => at.to_zoned(jiff::tz::TimeZone::UTC).datetime().to_string(),
                Err(_) => key.to_string(),
            },
            ValueKind::Time => {
                let (seconds, rest) = (key.div_euclid(1_000_000), key.rem_euclid(1_000_000));
                let clock =
                    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
                let fraction = format!(".{rest:06}");
                if rest == 0 { clock } else { clock + fraction.trim_end_matches('0') }
            }
            ValueKind::Text => String::new(),
        }
    }
}

/// The number of digits after the point of a plain decimal, or `None` if the text isn't one.
fn fraction_digits(text: &str) -> Option<u8> {
    let digits = match text.split_once('.') {
        Some((_, fraction)) => fraction.len(),
        None => 0,
    };
    parse_decimal(text, 18).or_else(|| parse_decimal(text, digits.min(18) as u8))?;
    u8::try_from(digits).ok().filter(|d| *d <= 18)
}

fn parse_decimal(text: &str, scale: u8) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty()
        || leading_zero
        || !plain(whole)
        || !plain(fraction)
        || fraction.len() > usize::from(scale)
        || (digits.contains('.') && fraction.is_empty())
    {
        return None;
    }
    let mut key: i64 = 0;
    for b in whole.bytes().chain(fraction.bytes()) {
        key = key.checked_mul(10)?.checked_add(i64::from(b - b'0'))?;
    }
    for _ in fraction.len()..usize::from(scale) {
        key = key.checked_mul(10)?;
    }
    // "-0" would be a second text for 0 that reads as an identifier rather than a number.
    if negative && key == 0 && scale == 0 {
        return None;
    }
    Some(if negative { -key } else { key })
}

fn format_decimal(key: i64, scale: u8) -> String {
    let unit = 10u64.pow(u32::from(scale));
    let (whole, fraction) = (key.unsigned_abs() / unit, key.unsigned_abs() % unit);
    let sign = if key < 0 { "-" } else { "" };
    if fraction == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{fraction:0width$}", width = usize::from(scale));
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

fn fixed_decimal(key: i64, scale: u8, digits: u8) -> String {
    let mut text = format_decimal(key, scale);
    let there = match text.find('.') {
        Some(point) => text.len() - point - 1,
        None => 0,
    };
    if there == 0 && digits > 0 {
        text.push('.');
    }
    text.extend(std::iter::repeat_n('0', usize::from(digits).saturating_sub(there)));
    text
}

fn parse_float(text: &str) -> Option<f64> {
    // Rust also reads "inf", "nan" and "infinity": words, not measurements.
    let looks_numeric =
        text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) && !text.ends_with('.');
    // Beyond 15 digits two different texts can be one float: they'd be published as the same value,
    // unless a text is the shortest one.
    let mantissa = text.split(['e', 'E']).next().unwrap_or("");
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|b| *b == b'0').count();
    let leading_zero = {
        let digits = text.trim_start_matches('-').as_bytes();
        digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit()
    };
    (looks_numeric && !leading_zero && digits <= 17)
        .then(|| text.parse::<f64>().ok())
        .flatten()
        .filter(|x| x.is_finite() && (digits <= 15 || has_shortest_digits(mantissa, *x)))
}

/// Whether a text has the digits of the shortest text that stands for a number. No other text with
/// these digits stands for it, so that it can't be published as another value.
fn has_shortest_digits(mantissa: &str, x: f64) -> bool {
    let significant = |text: &str| -> Vec<u8> {
        let digits = text.bytes().filter(u8::is_ascii_digit);
        let mut digits: Vec<u8> = digits.skip_while(|b| *b == b'0').collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        digits
    };
    let shortest = format!("{x:e}");
    significant(mantissa) == significant(shortest.split('e').next().unwrap_or(""))
}

/// Map a float to an integer so that the order of floats is kept.
fn float_key(x: f64) -> i64 {
    let bits = (if x == 0.0 { 0.0 } else { x }).to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

fn key_float(key: i64) -> f64 {
    f64::from_bits((key ^ ((key >> 63) as u64 >> 1) as i64) as u64)
}

fn parse_date(text: &str) -> Option<i64> {
    let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let date: Date = match (bytes[2], bytes[4], bytes[5], bytes[7]) {
        (_, b'-', _, b'-') => text.parse().ok()?,
        // Day first, as dots say; with slashes nobody can tell days from months.
        (b'.', _, b'.', _) => {
            let part = |range: std::ops::Range<usize>| -> Option<i16> {
                let digits = text.get(range)?;
                digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
            };
            Date::new(part(6..10)?, part(3..5)? as i8, part(0..2)? as i8).ok()?
        }
        _ => return None,
    };
    let epoch = Date::new(1970, 1, 1).ok()?;
    Some(i64::from(epoch.until(date).ok()?.get_days()))
}

/// Whether a time is in a leap second, as in `23:59:60`. The clock here has none: it would be read
/// as the second before, and published as a value that nobody had.
fn is_leap_second(text: &str) -> bool {
    text.contains(":60")
}

/// Whether a text is an instant: a time with its offset from Greenwich.
pub fn has_offset(text: &str) -> bool {
    text.len() >= 16 && text.parse::<Timestamp>().is_ok()
}

fn parse_datetime(text: &str) -> Option<i64> {
    let looks_alike = text.len() >= 16 && text.as_bytes()[4] == b'-';
    (looks_alike && !is_leap_second(text)).then_some(())?;
    if let Ok(at) = text.parse::<Timestamp>() {
        return (at.subsec_nanosecond() % 1000 == 0).then(|| at.as_microsecond());
    }
    let at: DateTime = text.parse().ok()?;
    (at.subsec_nanosecond() % 1000 == 0).then_some(())?;
    Some(at.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_microsecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer(texts: &[&str]) -> ValueKind {
        ValueKind::infer(texts.iter().copied())
    }

    #[test]
    fn infers_the_narrowest_kind() {
        assert_eq!(infer(&["1", "-20", "0"]), ValueKind::Integer);
        assert_eq!(infer(&["1", "2.50"]), ValueKind::Decimal { scale: 2 });
        assert_eq!(infer(&["1e9", "2"]), ValueKind::Float);
        // Random doubles as programs print them, but not one with a digit more or another last one.
        assert_eq!(infer(&["0.13436424411240122", "7.6e-05"]), ValueKind::Float);
        assert_eq!(infer(&["0.134364244112401221", "7.6e-05"]), ValueKind::Text);
        assert_eq!(infer(&["0.13436424411240121", "7.6e-05"]), ValueKind::Text);
        assert_eq!(infer(&["847.4337369372327", "-0.25506902573942170", "1e-7"]), ValueKind::Float);
        assert_eq!(infer(&["12345678901234567890123", "2"]), ValueKind::Text);
        assert_eq!(infer(&["1.", "2."]), ValueKind::Text);
        assert_eq!(infer(&["2020-02-29T10:00:00Z", "2020-02-29T10:00:00"]), ValueKind::Text);
        assert_eq!(infer(&["2020-02-29T10:00:00.000000001"]), ValueKind::Text);
        assert_eq!(infer(&["2020-02-29", "1969-12-31"]), ValueKind::Date);
        assert_eq!(infer(&["2020-02-29T10:00", "2020-02-29 10:00:01"]), ValueKind::DateTime);
        assert_eq!(infer(&["10:00", "23:59:59"]), ValueKind::Time);
        assert_eq!(infer(&["23:59:60", "23:59:59"]), ValueKind::Text);
        assert_eq!(infer(&["2016-12-31T23:59:60Z"]), ValueKind::Text);
        assert_eq!(infer(&["2016-12-31T23:59:60", "2016-12-31T23:59:59"]), ValueKind::Text);
        assert_eq!(infer(&["31.12.2024", "01.02.1999"]), ValueKind::Date);
        assert_eq!(infer(&["31.13.2024"]), ValueKind::Text);
        assert_eq!(infer(&["é1.12.202"]), ValueKind::Text);
        assert_eq!(infer(&["2020-02-30"]), ValueKind::Text);
        assert_eq!(infer(&["007", "12"]), ValueKind::Text);
        assert_eq!(infer(&["1", "x"]), ValueKind::Text);
        assert_eq!(infer(&["nan"]), ValueKind::Text);
        assert_eq!(infer(&[]), ValueKind::Text);
    }

    #[test]
    fn decimals_with_fixed_digits() {
        let kind = ValueKind::Decimal { scale: 2 };
        let spell = |key, digits| kind.spell(key, digits);
        assert_eq!(
            [250, -5, 0, 300].map(|key| spell(key, Some(2))),
            ["2.50", "-0.05", "0.00", "3.00"]
        );
        assert_eq!([250, -5, 0, 300].map(|key| spell(key, None)), ["2.5", "-0.05", "0", "3"]);
        assert_eq!(spell(300, Some(0)), "3");
        assert_eq!(spell(300, Some(4)), "3.0000");
        assert_eq!(ValueKind::Integer.spell(7, Some(2)), "7");
        for key in [250, -5, 0, 300] {
            assert_eq!(kind.parse(&spell(key, Some(2))), Some(key));
        }
    }

    #[test]
    fn keys_keep_order_and_format_back() {
        for (kind, sorted) in [
            (ValueKind::Integer, vec!["-7", "0", "12"]),
            (ValueKind::Decimal { scale: 2 }, vec!["-0.5", "0", "0.25", "3"]),
            (ValueKind::Float, vec!["-100000", "-0.001", "0", "0.5", "1000000000000"]),
            (ValueKind::Date, vec!["1969-12-31", "1970-01-01", "2024-02-29"]),
            (ValueKind::DateTime, vec!["1969-12-31T23:59:59", "2024-02-29T00:00:01"]),
            (ValueKind::Time, vec!["00:00:01", "23:59:00", "23:59:59.25"]),
        ] {
            let keys: Vec<i64> = sorted.iter().map(|t| kind.parse(t).unwrap()).collect();
            assert!(keys.is_sorted(), "{kind:?} {keys:?}");
            let back: Vec<String> = keys.iter().map(|k| kind.format(*k)).collect();
            assert_eq!(back, sorted, "{kind:?}");
        }
    }
}
