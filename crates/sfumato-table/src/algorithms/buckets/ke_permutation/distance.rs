//! Whether two keys are far enough apart. The comparison is exact if the bound is a decimal number.

use sfumato_core::dataset::ValueKind;
use sfumato_core::traits::TOLERANCE;

/// The requirement of a minimal distance, in the unit of a column.
pub(super) struct AtLeast {
    kind: ValueKind,
    /// The bound as a fraction of whole numbers, in steps of keys.
    steps: Option<(u128, u128)>,
    bound: f64,
}

impl AtLeast {
    /// A distance with a bound that was checked to be a number.
    pub(super) fn new(kind: ValueKind, bound: &str) -> Self {
        let unit = match kind {
            ValueKind::Decimal { scale } => 10u128.pow(u32::from(scale)),
            ValueKind::DateTime | ValueKind::Time => 1_000_000,
            ValueKind::Integer | ValueKind::Date | ValueKind::Float | ValueKind::Text => 1,
        };
        let steps = decimal(bound).and_then(|(over, under)| Some((over.checked_mul(unit)?, under)));
        AtLeast { kind, steps, bound: bound.parse().unwrap_or(f64::INFINITY) }
    }

    /// Whether two keys, the lower one first, are at least that far apart.
    pub(super) fn holds(&self, low: i64, high: i64) -> bool {
        if self.kind != ValueKind::Float
            && let Some((over, under)) = self.steps
            && let Some(distance) = u128::from(low.abs_diff(high)).checked_mul(under)
        {
            return distance >= over;
        }
        let (a, b) = (self.kind.number(low), self.kind.number(high));
        let slack = match self.kind {
            ValueKind::Float => TOLERANCE * self.bound + 4.0 * f64::EPSILON * a.abs().max(b.abs()),
            _ => 0.0,
        };
        b - a >= self.bound - slack
    }
}

/// A decimal number, with or without an exponent, as a fraction. `None` if it doesn't fit.
fn decimal(text: &str) -> Option<(u128, u128)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: u128 = format!("{}{fraction}", whole.trim_start_matches('+')).parse().ok()?;
    let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    let ten = 10u128.checked_pow(scale.unsigned_abs())?;
    if scale >= 0 { Some((digits, ten)) } else { Some((digits.checked_mul(ten)?, 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_exact() {
        assert_eq!(decimal("12.50"), Some((1250, 100)));
        assert_eq!(
            (decimal("1e3"), decimal("2.5E-2"), decimal("+7")),
            (Some((1000, 1)), Some((25, 1000)), Some((7, 1)))
        );
        assert_eq!((decimal("1e400"), decimal("x")), (None, None));
        let tenth = AtLeast::new(ValueKind::Decimal { scale: 1 }, "0.1");
        assert!(tenth.holds(2, 3) && !tenth.holds(2, 2));
        let float = AtLeast::new(ValueKind::Float, "0.1");
        let key = |x: &str| ValueKind::Float.parse(x).unwrap();
        assert!(float.holds(key("0.2"), key("0.3")) && !float.holds(key("0.2"), key("0.29")));
        let far = AtLeast::new(ValueKind::Integer, "18446744073709551615");
        assert!(far.holds(i64::MIN, i64::MAX) && !far.holds(i64::MIN + 1, i64::MAX));
        assert!(!AtLeast::new(ValueKind::Integer, "1e300").holds(i64::MIN, i64::MAX));
        assert!(AtLeast::new(ValueKind::Time, "30").holds(0, 30_000_000));
    }
}
