//! The numbers of a sensitive column: keys that compare and subtract exactly, and their relation to
//! the user's units.
//!
//! Missing values are no numbers: they don't count here, and each model says what that means for
//! it.

use std::cmp::Ordering;

use sfumato_core::dataset::{Domain, ValueKind};
use sfumato_core::group::Histogram;
use sfumato_core::registry::Info;
use sfumato_core::traits::{Bind, TOLERANCE};
use sfumato_core::{Error, Result};

use crate::models::exact::Ratio;

/// The numbers behind the codes of a column.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    kind: ValueKind,
    keys: Vec<i64>,
}

impl Numbers {
    /// The numbers of a sensitive column, or an error that says what the column holds instead.
    /// Dates and times are numbers too: days and seconds.
    pub(crate) fn of_column(info: &Info, bind: &Bind<'_>, column: usize) -> Result<Self> {
        let domain = bind.sensitive[column].domain;
        let Domain { kind, keys, .. } = domain;
        if !kind.is_ordered() || keys.len() != domain.len() {
            let name = bind.sensitive[column].name;
            return Err(Error::params(format!(
                "{} needs numbers; column '{name}' holds {}",
                info.name,
                kind.name()
            ))
            .hint("name a column of numbers or dates with on=COLUMN"));
        }
        Ok(Numbers { kind: *kind, keys: keys.clone() })
    }

    /// The numbers of a group as `(key, count)`, smallest first, each number once (two texts may be
    /// one number).
    pub(crate) fn sorted(&self, histogram: &Histogram) -> Vec<(i64, u64)> {
        let known =
            |(code, count): &(u32, u64)| self.keys.get(*code as usize).map(|key| (*key, *count));
        let mut pairs: Vec<(i64, u64)> = histogram.entries().iter().filter_map(known).collect();
        // Codes follow the order of numbers unless the column has a hierarchy.
        pairs.sort_unstable();
        pairs.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        pairs
    }

    /// How many people or records of a group have no number.
    pub(crate) fn missing(&self, histogram: &Histogram) -> u64 {
        histogram
            .entries()
            .iter()
            .filter(|(code, _)| *code as usize >= self.keys.len())
            .map(|(_, n)| n)
            .sum()
    }

    /// Whether sums are made in floating point.
    pub(crate) fn is_float(&self) -> bool {
        self.kind == ValueKind::Float
    }

    /// The number of a key in the user's unit.
    pub(crate) fn value(&self, key: i64) -> f64 {
        self.kind.number(key)
    }

    /// How many key steps are one unit of the user.
    pub(crate) fn unit(&self) -> u128 {
        match self.kind {
            ValueKind::Decimal { scale } => 10u128.pow(u32::from(scale)),
            ValueKind::DateTime | ValueKind::Time => 1_000_000,
            ValueKind::Integer | ValueKind::Date | ValueKind::Float | ValueKind::Text => 1,
        }
    }

    /// The distance of two keys, `low <= high`, in the user's unit.
    pub(crate) fn distance(&self, low: i64, high: i64) -> f64 {
        if self.is_float() {
            self.value(high) - self.value(low)
        } else {
            low.abs_diff(high) as f64 / self.unit() as f64
        }
    }

    /// How the distance of two keys, `low <= high`, compares with a bound. The comparison is exact,
    /// except for floats, where distances that differ from the bound only by rounding are equal to
    /// it.
    pub(crate) fn compare_distance(&self, low: i64, high: i64, bound: Ratio) -> Ordering {
        if !self.is_float() {
            return bound.compare(&[u128::from(low.abs_diff(high))], &[self.unit()]);
        }
        let (a, b, bound) = (self.value(low), self.value(high), bound.to_f64());
        let slack = TOLERANCE * bound + 4.0 * f64::EPSILON * a.abs().max(b.abs());
        if (b - a - bound).abs() <= slack { Ordering::Equal } else { (b - a).total_cmp(&bound) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(kind: ValueKind, texts: &[&str]) -> Numbers {
        Numbers { kind, keys: texts.iter().map(|text| kind.parse(text).unwrap()).collect() }
    }

    #[test]
    fn distances_are_exact_in_the_users_unit() {
        let decimal = numbers(ValueKind::Decimal { scale: 1 }, &["0.1", "0.3"]);
        let bound = |text: &str| Ratio::from_decimal(text).unwrap();
        assert_eq!(decimal.compare_distance(1, 3, bound("0.2")), Ordering::Equal);
        assert_eq!(decimal.compare_distance(1, 3, bound("0.2000001")), Ordering::Less);
        let float = numbers(ValueKind::Float, &["1e-1", "3e-1"]);
        assert_eq!(
            float.compare_distance(float.keys[0], float.keys[1], bound("0.2")),
            Ordering::Equal
        );
        assert_eq!(
            float.compare_distance(float.keys[0], float.keys[1], bound("0.19999")),
            Ordering::Greater
        );
        let extremes =
            numbers(ValueKind::Integer, &["-9223372036854775807", "9223372036854775807"]);
        assert_eq!(
            extremes.compare_distance(i64::MIN, i64::MAX, bound("18446744073709551615")),
            Ordering::Equal
        );
        let times = numbers(ValueKind::Time, &["10:00:00", "10:00:30"]);
        assert_eq!(
            times.compare_distance(times.keys[0], times.keys[1], bound("30")),
            Ordering::Equal
        );
    }

    #[test]
    fn a_distance_is_told_in_the_users_unit() {
        let decimal = numbers(ValueKind::Decimal { scale: 1 }, &["0.1", "0.3"]);
        assert_eq!(decimal.distance(1, 3), 0.2);
        let times = numbers(ValueKind::Time, &["10:00:00", "10:00:30"]);
        assert_eq!(times.distance(times.keys[0], times.keys[1]), 30.0);
        let float = numbers(ValueKind::Float, &["-1.5", "2e0"]);
        assert_eq!(float.distance(float.keys[0], float.keys[1]), 3.5);
    }

    #[test]
    fn floats_are_equal_as_far_as_rounding_goes_and_no_further() {
        let compare = |low: &str, high: &str, bound: &str| {
            let float = numbers(ValueKind::Float, &[low, high]);
            let bound = Ratio::from_decimal(bound).unwrap();
            float.compare_distance(float.keys[0], float.keys[1], bound)
        };
        // Near a thousand million a tenth is rounded to seven digits.
        assert_eq!(compare("1000000000", "1000000000.1", "0.1"), Ordering::Equal);
        assert_eq!(compare("1000000000", "1000000000.1", "0.09"), Ordering::Greater);
        assert_eq!(compare("1", "1.5", "1"), Ordering::Less);
        // Near zero nothing is rounded, however small the bound is.
        assert_eq!(compare("0", "0.0010001", "0.001"), Ordering::Greater);
        assert_eq!(compare("0", "0.0009999", "0.001"), Ordering::Less);
    }

    #[test]
    fn numbers_are_sorted_and_equal_ones_counted_together() {
        let column = numbers(ValueKind::Decimal { scale: 2 }, &["2", "1.0", "1", "1.00"]);
        let histogram = Histogram::from_counts([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
        assert_eq!(column.sorted(&histogram), [(100, 9), (200, 1)]);
        assert_eq!(column.missing(&histogram), 5);
    }
}
