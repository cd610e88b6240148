//! How a statistic is rounded and written.
//!
//! Numbers with a fixed scale, dates and times are whole numbers here, and everything about them is
//! exact. Floats are summed from the smallest to the largest value, so that the order of records
//! doesn't matter.

use sfumato_core::dataset::{Domain, ValueKind};

use super::{RegionStatistic, Snap};

/// How many more digits after the point a mean has than its column.
const MEAN_DIGITS: u8 = 2;
/// The number of significant digits of the mean of floats.
const FLOAT_DIGITS: usize = 10;
/// The largest whole number that is exact as a float.
const EXACT_FLOAT: i128 = 9_000_000_000_000_000;
/// 1970-01-01T00:00 minus the first day that a text can name, in days.
const FIRST_DAY: i128 = -719_528;
const LAST_DAY: i128 = 2_932_896;
const SECOND: i128 = 1_000_000;
/// The last microsecond that a date with a time can name.
const LAST_INSTANT: i128 = 253_402_207_200_999_999;

/// Formats the values of a class as the text of one statistic.
#[derive(Debug, Clone)]
pub struct Grid {
    kind: ValueKind,
    part: RegionStatistic,
    /// The number of units per key.
    factor: i128,
    /// The number of digits after the point of a unit.
    digits: u8,
    /// The distance of the grid's points in units. `None` leaves values as they are.
    step: Option<i128>,
    snap: Option<Snap>,
}

impl Grid {
    /// A grid for a statistic of values of a kind.
    pub fn new(kind: ValueKind, part: RegionStatistic, snap: Option<Snap>) -> Self {
        let mut grid = Grid { kind, part, factor: 1, digits: 0, step: None, snap };
        let rounds = part == RegionStatistic::Mean;
        match kind {
            ValueKind::Integer | ValueKind::Decimal { .. } => {
                let scale = if let ValueKind::Decimal { scale } = kind { scale } else { 0 };
                grid.digits = match snap {
                    Some(snap) => scale.max(snap.digits),
                    None => scale + if rounds { MEAN_DIGITS } else { 0 },
                };
                grid.factor = power(grid.digits - scale);
                grid.step = match snap {
                    Some(snap) => Some(snap.units * power(grid.digits - snap.digits)),
                    None => rounds.then_some(1),
                };
            }
            ValueKind::Date => grid.step = snap.map(|snap| snap.units).or(rounds.then_some(1)),
            ValueKind::DateTime | ValueKind::Time => {
                let micros = |snap: Snap| snap.units * power(6 - snap.digits);
                grid.step = snap.map(micros).or(rounds.then_some(SECOND));
            }
            ValueKind::Float | ValueKind::Text => {}
        }
        grid
    }

    /// The statistic of a class, given its keys in order, at least one.
    pub fn text(&self, keys: &[i64]) -> String {
        if self.kind == ValueKind::Float {
            return self.float_text(keys);
        }
        let (first, last) = (i128::from(keys[0]), i128::from(keys[keys.len() - 1]));
        let at = match self.part {
            RegionStatistic::Min => self.clamp(down(first * self.factor, self.step.unwrap_or(1))),
            RegionStatistic::Max => self.clamp(-down(-last * self.factor, self.step.unwrap_or(1))),
            RegionStatistic::Mean => {
                let sum: i128 = keys.iter().map(|key| i128::from(*key)).sum();
                let (n, step) = (keys.len() as i128, self.step.unwrap_or(1));
                // The nearest point; in the middle between two the upper one.
                let nearest = (2 * sum * self.factor + n * step).div_euclid(2 * n * step) * step;
                // The calendar ends somewhere: there the nearest point is the last one.
                match self.clamp(nearest) - nearest {
                    0 => nearest,
                    beyond => nearest + beyond.signum() * step,
                }
            }
        };
        self.written(at)
    }

    fn clamp(&self, at: i128) -> i128 {
        let day = 86_400 * SECOND;
        match self.kind {
            ValueKind::Date => at.clamp(FIRST_DAY, LAST_DAY),
            ValueKind::DateTime => at.clamp(FIRST_DAY * day, LAST_INSTANT),
            ValueKind::Time => at.clamp(0, day - 1),
            _ => at,
        }
    }

    fn written(&self, at: i128) -> String {
        match self.kind {
            ValueKind::Date | ValueKind::DateTime | ValueKind::Time => {
                self.kind.format(i64::try_from(at).expect("the calendar's keys are small"))
            }
            _ => decimal(at, self.digits),
        }
    }

    fn float_text(&self, keys: &[i64]) -> String {
        let number = |key: &i64| self.kind.number(*key);
        let (first, last) = (number(&keys[0]), number(&keys[keys.len() - 1]));
        let n = keys.len() as f64;
        let mean = || keys.iter().map(|key| number(key) / n).sum::<f64>().clamp(first, last);
        let Some(snap) = self.snap else {
            return match self.part {
                RegionStatistic::Min => plain(first),
                RegionStatistic::Max => plain(last),
                RegionStatistic::Mean => plain(rounded(mean())),
            };
        };
        // The point as it will be read: a multiple of 0.1 isn't three times the float nearest to
        // 0.1.
        let text = |point: f64| {
            let text = format!("{:.*}", usize::from(snap.digits), point * snap.number);
            let text = if snap.digits > 0 {
                text.trim_end_matches('0').trim_end_matches('.')
            } else {
                &text
            };
            if text == "-0" { "0".to_string() } else { text.to_string() }
        };
        let value = |point: f64| text(point).parse::<f64>().unwrap_or(f64::NAN);
        let below = |x: f64| {
            let near = (x / snap.number).floor();
            [near + 1.0, near, near - 1.0]
                .into_iter()
                .find(|point| value(*point) <= x)
                .unwrap_or(near - 1.0)
        };
        match self.part {
            RegionStatistic::Min => text(below(first)),
            RegionStatistic::Max => {
                let point = below(last);
                text(if value(point) == last { point } else { point + 1.0 })
            }
            RegionStatistic::Mean => {
                let (mean, point) = (mean(), below(mean()));
                text(if value(point + 1.0) - mean <= mean - value(point) {
                    point + 1.0
                } else {
                    point
                })
            }
        }
    }

    /// The type of the statistic's column, if the format has types.
    pub fn native_type(&self, domain: &Domain) -> String {
        let digits = self.snap.map_or(self.digits, |snap| snap.digits);
        // A snapped maximum may lie a step further out.
        let furthest =
            domain.keys.iter().map(|key| i128::from(*key).abs() * self.factor).max().unwrap_or(0)
                + self.step.unwrap_or(0);
        match self.kind {
            ValueKind::Date => "Date32".into(),
            ValueKind::DateTime => "Timestamp(µs)".into(),
            ValueKind::Time => "Time64(µs)".into(),
            ValueKind::Float => "Float64".into(),
            ValueKind::Text => "Utf8".into(),
            _ if digits == 0 && furthest / power(self.digits) < i128::from(i64::MAX) => {
                "Int64".into()
            }
            _ if digits > 0 && furthest < EXACT_FLOAT => "Float64".into(),
            _ => format!("Decimal128(38, {digits})"),
        }
    }
}

fn power(digits: u8) -> i128 {
    10i128.pow(u32::from(digits))
}

/// The next multiple of a step at or below a value.
fn down(at: i128, step: i128) -> i128 {
    at.div_euclid(step) * step
}

fn decimal(at: i128, digits: u8) -> String {
    let unit = power(digits).unsigned_abs();
    let (whole, fraction) = (at.unsigned_abs() / unit, at.unsigned_abs() % unit);
    let sign = if at < 0 { "-" } else { "" };
    if fraction == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{fraction:0width$}", width = usize::from(digits));
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

fn rounded(x: f64) -> f64 {
    format!("{x:.*e}", FLOAT_DIGITS - 1).parse().unwrap_or(x)
}

/// A float in the shorter of its two notations.
fn plain(x: f64) -> String {
    let (long, short) = (x.to_string(), format!("{x:e}"));
    if long.len() > short.len() + 4 { short } else { long }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: ValueKind, part: RegionStatistic, snap: Option<f64>, texts: &[&str]) -> String {
        let mut keys: Vec<i64> = texts.iter().map(|text| kind.parse(text).unwrap()).collect();
        keys.sort_unstable();
        Grid::new(kind, part, snap.map(|snap| Snap::new(snap).unwrap())).text(&keys)
    }
    fn all(kind: ValueKind, snap: Option<f64>, texts: &[&str]) -> String {
        RegionStatistic::ALL.map(|part| text(kind, part, snap, texts)).join(" ")
    }

    #[test]
    fn whole_and_decimal_numbers() {
        assert_eq!(all(ValueKind::Integer, None, &["31", "38", "44"]), "31 44 37.67");
        assert_eq!(all(ValueKind::Integer, Some(5.0), &["31", "38", "44"]), "30 45 40");
        assert_eq!(all(ValueKind::Integer, Some(0.5), &["31", "38", "44"]), "31 44 37.5");
        assert_eq!(all(ValueKind::Integer, Some(5.0), &["-31", "-38", "-44"]), "-45 -30 -40");
        // In the middle the upper point is taken, on both sides of zero.
        assert_eq!(text(ValueKind::Integer, RegionStatistic::Mean, Some(5.0), &["2", "3"]), "5");
        assert_eq!(text(ValueKind::Integer, RegionStatistic::Mean, Some(5.0), &["-2", "-3"]), "0");
        let decimal = ValueKind::Decimal { scale: 2 };
        assert_eq!(all(decimal, None, &["0.25", "1.5", "-3"]), "-3 1.5 -0.4167");
        assert_eq!(all(decimal, Some(0.1), &["0.25", "1.5", "-3"]), "-3 1.5 -0.4");
        let large = i64::MAX.to_string();
        assert_eq!(
            all(ValueKind::Integer, None, &[&large, &large]),
            format!("{large} {large} {large}")
        );
    }

    #[test]
    fn dates_and_times() {
        let days = ["2024-02-27", "2024-03-01", "2024-03-01"];
        assert_eq!(all(ValueKind::Date, None, &days), "2024-02-27 2024-03-01 2024-02-29");
        assert_eq!(all(ValueKind::Date, Some(7.0), &days), "2024-02-22 2024-03-07 2024-02-29");
        assert_eq!(
            text(ValueKind::Date, RegionStatistic::Max, Some(7.0), &["9999-12-31"]),
            "9999-12-31"
        );
        assert_eq!(
            text(ValueKind::Date, RegionStatistic::Mean, Some(10.0), &["9999-12-31"]),
            "9999-12-25"
        );
        let times = ["22:10:00", "23:59:30"];
        assert_eq!(all(ValueKind::Time, None, &times), "22:10:00 23:59:30 23:04:45");
        assert_eq!(all(ValueKind::Time, Some(3600.0), &times), "22:00:00 23:59:59.999999 23:00:00");
        let instants = ["2024-02-29T10:00:00.5", "2024-02-29T10:00:02"];
        assert_eq!(
            text(ValueKind::DateTime, RegionStatistic::Min, Some(1.0), &instants),
            "2024-02-29T10:00:00"
        );
        assert_eq!(
            text(ValueKind::DateTime, RegionStatistic::Mean, None, &instants),
            "2024-02-29T10:00:01"
        );
    }

    #[test]
    fn floats() {
        assert_eq!(all(ValueKind::Float, None, &["1e3", "0.3", "2"]), "0.3 1000 334.1");
        assert_eq!(all(ValueKind::Float, Some(0.1), &["0.3", "0.31"]), "0.3 0.4 0.3");
        assert_eq!(all(ValueKind::Float, Some(0.1), &["-0.3", "-0.31"]), "-0.4 -0.3 -0.3");
        assert_eq!(all(ValueKind::Float, Some(5.0), &["-1", "1"]), "-5 5 0");
        assert_eq!(all(ValueKind::Float, None, &["1e300", "1e300"]), "1e300 1e300 1e300");
    }
}
