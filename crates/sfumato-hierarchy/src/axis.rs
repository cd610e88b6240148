//! The axis of intervals: maps values of an ordered kind to whole numbers, and bounds to texts.

use jiff::Timestamp;
use jiff::civil::Date;
use sfumato_core::dataset::{Domain, ValueKind};
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::Params;

use crate::exact::{Exact, LIMIT, format_at};

const SECOND: i128 = 1_000_000;
const DAY: i128 = 86_400 * SECOND;
/// The largest number of digits after the point in a parameter.
const MOST_DIGITS: u64 = 18;

/// An axis: positions are whole numbers of its unit (10^-scale, a day or a microsecond).
pub(crate) struct Axis {
    kind: ValueKind,
    /// The scale of positions. For times it is the scale of seconds.
    scale: u8,
}

impl Axis {
    /// The axis for a kind that isn't text, fine enough for the width and the points in the
    /// parameters.
    pub(crate) fn new(
        owner: &str,
        kind: ValueKind,
        params: &Params,
        points: &[&str],
    ) -> Result<Self> {
        let scale = match kind {
            ValueKind::Decimal { .. } | ValueKind::Float => {
                let own =
                    if let ValueKind::Decimal { scale } = kind { u64::from(scale) } else { 0 };
                let mut most = own;
                for name in points.iter().chain(&["width"]) {
                    let exact = params.text(name).and_then(Exact::parse);
                    let digits = exact.map_or(0, |exact| exact.scale());
                    if digits > MOST_DIGITS {
                        let message = format!(
                            "{owner}: {name} has more than {MOST_DIGITS} digits after the point"
                        );
                        return Err(Error::params(message));
                    }
                    most = most.max(digits);
                }
                most.min(MOST_DIGITS) as u8
            }
            ValueKind::DateTime | ValueKind::Time => 6,
            ValueKind::Integer | ValueKind::Date | ValueKind::Text => 0,
        };
        Ok(Axis { kind, scale })
    }

    /// The position of a number that a parameter gives.
    fn number(&self, text: &str) -> Option<i128> {
        let exact = Exact::parse(text).filter(|exact| exact.scale() <= u64::from(self.scale))?;
        Some(exact.floor_at(self.scale)).filter(|at| (-LIMIT..=LIMIT).contains(at))
    }

    /// The width that a parameter asks for.
    pub(crate) fn width(&self, text: &str) -> Result<i128> {
        self.number(text).filter(|width| *width > 0).ok_or_else(|| {
            let unit = match self.kind {
                ValueKind::Integer => "a whole number, as the column's values are",
                ValueKind::Date => "a whole number of days",
                ValueKind::DateTime | ValueKind::Time => {
                    "in seconds, with at most 6 digits after the point"
                }
                _ => "at most 10^37 divided by the column's precision",
            };
            Error::params(format!("interval: width must be {unit}, not '{text}'"))
        })
    }

    /// The position that a parameter names: a value as the column writes it, or a number.
    pub(crate) fn point(&self, owner: &str, name: &str, text: &str) -> Result<i128> {
        let own = match self.kind {
            ValueKind::Date | ValueKind::Time => self.kind.parse(text).map(i128::from),
            ValueKind::DateTime => {
                let midnight = || ValueKind::Date.parse(text).map(|day| i128::from(day) * DAY);
                self.kind.parse(text).map(i128::from).or_else(midnight)
            }
            _ => None,
        };
        own.or_else(|| self.number(text)).ok_or_else(|| {
            let like = match self.kind {
                ValueKind::Integer => "a whole number, as the column's values are",
                ValueKind::Date => "a date such as 2024-02-29",
                ValueKind::DateTime => "a date or a date with time such as 2024-02-29T10:00",
                ValueKind::Time => "a time such as 10:30",
                _ => "a number",
            };
            Error::params(format!("{owner}: {name} must be {like}, not '{text}'"))
        })
    }

    /// The position of a value. It is outside [`LIMIT`] if the axis doesn't reach that far.
    pub(crate) fn position(&self, domain: &Domain, code: u32) -> Result<i128> {
        let text = domain.label(code);
        let broken =
            || Error::internal(format!("a value of the kind {} has no key", self.kind.name()));
        if self.kind == ValueKind::Float {
            // The key of a float is the nearest one that exists; the text is what the user wrote.
            return Ok(Exact::parse(&text).ok_or_else(broken)?.floor_at(self.scale));
        }
        let key = domain.key(code).or_else(|| self.kind.parse(&text)).ok_or_else(broken)?;
        let own = if let ValueKind::Decimal { scale } = self.kind { scale } else { self.scale };
        Ok(i128::from(key) * 10i128.pow(u32::from(self.scale.saturating_sub(own))))
    }

    /// The text of a bound, or `None` if the calendar ends before it.
    fn text(&self, at: i128) -> Option<String> {
        match self.kind {
            ValueKind::Date => {
                let days = jiff::Span::new().try_days(i64::try_from(at).ok()?).ok()?;
                Some(Date::new(1970, 1, 1).ok()?.checked_add(days).ok()?.to_string())
            }
            ValueKind::DateTime => {
                let at = Timestamp::from_microsecond(i64::try_from(at).ok()?).ok()?;
                Some(at.to_zoned(jiff::tz::TimeZone::UTC).datetime().to_string())
            }
            ValueKind::Time => {
                let at = at.clamp(0, DAY);
                let (seconds, rest) = (at / SECOND, at % SECOND);
                let clock =
                    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
                let fraction = format!(".{rest:06}");
                Some(if rest == 0 { clock } else { clock + fraction.trim_end_matches('0') })
            }
            _ => Some(format_at(at, self.scale)),
        }
    }

    /// The text of a bound that the user named, and that therefore exists in the calendar.
    pub(crate) fn text_or_end(&self, at: i128) -> String {
        self.text(at).unwrap_or_else(|| at.to_string())
    }

    /// The label of the interval from `low` up to, not including, `high`.
    pub(crate) fn label(&self, low: i128, high: i128) -> String {
        if self.kind == ValueKind::Integer {
            return if high - low == 1 {
                low.to_string()
            } else {
                format!("[{low}..{}]", high - 1)
            };
        }
        match (self.text(low), self.text(high)) {
            (Some(low), Some(high)) => format!("[{low}..{high})"),
            (None, Some(high)) => format!("<{high}"),
            (Some(low), None) => format!(">={low}"),
            (None, None) => sfumato_core::dataset::ROOT_LABEL.to_string(),
        }
    }
}
