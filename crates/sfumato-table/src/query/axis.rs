//! The numbers of a column, exactly: texts of any number of digits as whole keys of one scale, in
//! the order of their values.

use sfumato_core::dataset::ValueKind;

/// Converts the texts of an ordered column to keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// What the values are.
    pub kind: ValueKind,
    /// Digits after the point of a key, for decimal numbers.
    digits: u8,
    /// The distance of neighbouring values, in keys. `None` for floats.
    pub step: Option<i128>,
}

/// The number of digits after the point of a plain decimal number; `None` for other texts.
fn digits_of(text: &str) -> Option<u8> {
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits = u8::try_from(digits).ok().filter(|digits| *digits <= 18)?;
    ValueKind::Decimal { scale: digits }.parse(text).map(|_| digits)
}

impl Axis {
    /// An axis for values of a kind, on which other texts with more digits (means, values of a
    /// predicate) must also fit.
    pub fn new<'a>(kind: ValueKind, others: impl Iterator<Item = &'a str>) -> Self {
        let own = match kind {
            ValueKind::Decimal { scale } => scale,
            _ => 0,
        };
        let digits = others.filter_map(digits_of).fold(own, u8::max);
        match kind {
            ValueKind::Integer | ValueKind::Decimal { .. } => {
                Axis { kind, digits, step: Some(10i128.pow(u32::from(digits - own))) }
            }
            ValueKind::Float | ValueKind::Text => Axis { kind, digits: 0, step: None },
            _ => Axis { kind, digits: 0, step: Some(1) },
        }
    }

    /// The key of a text, or `None` if it isn't of this kind.
    pub fn key(&self, text: &str) -> Option<i128> {
        match self.kind {
            ValueKind::Integer | ValueKind::Decimal { .. } => {
                let digits = digits_of(text).filter(|digits| *digits <= self.digits)?;
                let key = ValueKind::Decimal { scale: digits }.parse(text)?;
                Some(i128::from(key) * 10i128.pow(u32::from(self.digits - digits)))
            }
            kind => kind.parse(text).map(i128::from),
        }
    }

    /// The number of a key, in units in which sums are exact: keys for decimals and dates, the
    /// number itself for floats.
    pub fn units(&self, key: i128) -> f64 {
        match (key, self.kind) {
            (i128::MIN, _) => f64::NEG_INFINITY,
            (i128::MAX, _) => f64::INFINITY,
            (key, ValueKind::Float) => {
                i64::try_from(key).map_or(f64::NAN, |key| self.kind.number(key))
            }
            (key, _) => key as f64,
        }
    }

    /// A number of the column's own units (years, days, seconds), converted to units of the axis.
    pub fn width(&self, number: f64) -> f64 {
        match self.kind {
            ValueKind::Integer | ValueKind::Decimal { .. } => {
                number * 10f64.powi(i32::from(self.digits))
            }
            ValueKind::DateTime | ValueKind::Time => number * 1e6,
            _ => number,
        }
    }

    /// Units as they are shown: a number, or the text of a date or time. `None` if there is no
    /// bound.
    pub fn shown(&self, units: f64) -> Option<serde_json::Value> {
        if !units.is_finite() {
            return None;
        }
        match self.kind {
            ValueKind::Date | ValueKind::DateTime | ValueKind::Time => {
                Some(self.kind.format(units.round() as i64).into())
            }
            _ => Some(self.number(units).into()),
        }
    }

    /// Whether shares of a value have a meaning: dates have no natural zero.
    pub fn has_zero(&self) -> bool {
        self.kind.is_number()
    }

    /// Units as a number: days for dates, seconds for times.
    pub fn number(&self, units: f64) -> f64 {
        match self.kind {
            ValueKind::DateTime | ValueKind::Time => units / 1e6,
            ValueKind::Integer | ValueKind::Decimal { .. } => {
                units / 10f64.powi(i32::from(self.digits))
            }
            _ => units,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_more_digits_are_exact_too() {
        let axis = Axis::new(ValueKind::Integer, ["37.25", "x"].into_iter());
        assert_eq!(
            (axis.key("40"), axis.key("37.5"), axis.key("x")),
            (Some(4000), Some(3750), None)
        );
        assert_eq!(axis.key("1.125"), None);
        assert_eq!((axis.step, axis.number(3750.0)), (Some(100), 37.5));
        let date = Axis::new(ValueKind::Date, std::iter::empty());
        assert_eq!(date.shown(19_782.0), Some("2024-02-29".into()));
        let float = Axis::new(ValueKind::Float, std::iter::empty());
        assert_eq!(float.units(float.key("1e3").unwrap()), 1000.0);
        assert!(float.key("-1e3") < float.key("0.5"));
    }
}
