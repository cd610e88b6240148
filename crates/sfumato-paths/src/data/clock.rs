//! Times of points: numbers, or dates with a time of day, and their bins.

use sfumato_core::{Error, Result};

/// How the times of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// As numbers: seconds, or whatever the file counts in.
    Number,
    /// As a date and a time of day, without a zone.
    Civil,
    /// As a date and a time of day with their distance from UTC.
    Instant,
}

/// The seconds, or the number, that a text says.
fn parse(text: &str, written: Written) -> Option<f64> {
    let text = text.trim();
    match written {
        Written::Number => text.parse::<f64>().ok().filter(|number| number.is_finite()),
        Written::Civil => {
            let civil: jiff::civil::DateTime = text.parse().ok()?;
            // A text with a zone or an offset is no civil time: its meaning would be cut off.
            let has_zone = text.parse::<jiff::Timestamp>().is_ok();
            let instant = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
            (!has_zone).then(|| seconds(instant))
        }
        Written::Instant => Some(seconds(text.parse().ok()?)),
    }
}

fn seconds(instant: jiff::Timestamp) -> f64 {
    instant.as_microsecond() as f64 / 1e6
}

/// What each text of a column says. All must be written in the same way; the error says which text
/// isn't, by its place.
pub fn read_all<'a>(
    texts: impl Iterator<Item = &'a str> + Clone,
) -> std::result::Result<(Written, Vec<f64>), usize> {
    let mut first_wrong = 0;
    for written in [Written::Number, Written::Civil, Written::Instant] {
        let mut all = Vec::new();
        let wrong = texts.clone().position(|text| match parse(text, written) {
            Some(time) => {
                all.push(time);
                false
            }
            None => true,
        });
        match wrong {
            None => return Ok((written, all)),
            Some(place) => first_wrong = first_wrong.max(place),
        }
    }
    Err(first_wrong)
}

/// A time as it is published.
pub fn spell(time: f64, written: Written) -> String {
    match written {
        Written::Number => format!("{time}"),
        Written::Civil | Written::Instant => {
            let instant = jiff::Timestamp::from_microsecond((time * 1e6).round() as i64);
            let Ok(instant) = instant else { return format!("{time}") };
            let civil = instant.to_zoned(jiff::tz::TimeZone::UTC).datetime();
            match written {
                Written::Instant => format!("{instant}"),
                _ => civil.to_string().replace('T', " "),
            }
        }
    }
}

/// A length of time in seconds: `90`, `30s`, `15min`, `1h`, `1d`.
pub fn duration(text: &str) -> Result<f64> {
    let text = text.trim();
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "" | "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => f64::NAN,
    };
    let seconds = number.trim().parse::<f64>().unwrap_or(f64::NAN) * factor;
    match seconds.is_finite() && seconds > 0.0 {
        true => Ok(seconds),
        false => Err(Error::params(format!("'{text}' is no length of time"))
            .hint("write it as 90, 30s, 15min, 1h or 1d; a bare number is in units of the file")),
    }
}

/// The bin of a time: where it begins.
pub fn bin(time: f64, every: f64) -> f64 {
    (time / every).floor() * every
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_numbers_or_dates_and_never_both() {
        let read = |texts: &[&str]| read_all(texts.iter().copied());
        assert_eq!(read(&["2", " 7.5"]).unwrap(), (Written::Number, vec![2.0, 7.5]));
        let (written, times) = read(&["1970-01-02 00:00:05", "1970-01-01T00:00:00"]).unwrap();
        assert_eq!((written, times), (Written::Civil, vec![86405.0, 0.0]));
        let (written, times) =
            read(&["1970-01-01T01:00:00+01:00", "1970-01-01T00:00:01Z"]).unwrap();
        assert_eq!((written, times), (Written::Instant, vec![0.0, 1.0]));
        assert_eq!(read(&["2", "noon"]), Err(1));
        assert!(read(&["1970-01-02 00:00:05", "1970-01-01T00:00:01Z"]).is_err());
        assert_eq!(spell(86405.0, Written::Civil), "1970-01-02 00:00:05");
        assert_eq!(spell(7.5, Written::Number), "7.5");
        assert_eq!(spell(7.0, Written::Number), "7");
    }

    #[test]
    fn lengths_of_time_have_units() {
        assert_eq!(duration("15min").unwrap(), 900.0);
        assert_eq!((duration("90").unwrap(), duration("1.5h").unwrap()), (90.0, 5400.0));
        for wrong in ["", "0", "-5s", "3 weeks", "h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!((bin(-1.0, 60.0), bin(59.9, 60.0), bin(60.0, 60.0)), (-60.0, 0.0, 60.0));
    }
}
