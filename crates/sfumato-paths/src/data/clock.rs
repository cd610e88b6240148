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

/// A zone whose local time is published.
enum Zone {
    Offset(f64),
    Named(jiff::tz::TimeZone),
}

impl Zone {
    fn parse(text: &str) -> Result<Zone> {
        let text = text.trim();
        let sign = match text.as_bytes().first() {
            Some(b'+') => 1.0,
            Some(b'-') => -1.0,
            _ if text == "UTC" => return Ok(Zone::Offset(0.0)),
            _ => {
                return jiff::tz::TimeZone::get(text).map(Zone::Named).map_err(|_| {
                    Error::params(format!("'{text}' is no time zone that this machine knows"))
                        .hint("write it as Europe/Vienna, or as a distance from UTC such as +02:00")
                });
            }
        };
        let (hours, minutes) = text[1..].split_once(':').unwrap_or((&text[1..], "0"));
        match (hours.parse::<u8>(), minutes.parse::<u8>()) {
            (Ok(hours), Ok(minutes)) if hours < 24 && minutes < 60 => {
                let seconds = f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0;
                Ok(Zone::Offset(sign * seconds))
            }
            _ => Err(Error::params(format!("'{text}' is no distance from UTC"))
                .hint("write it as +02:00")),
        }
    }

    /// The local time at an instant, as if it were UTC.
    fn local(&self, instant: f64) -> f64 {
        match self {
            Zone::Offset(seconds) => instant + seconds,
            Zone::Named(zone) => {
                let stamp = jiff::Timestamp::from_microsecond((instant * 1e6).round() as i64);
                stamp.map_or(instant, |stamp| instant + f64::from(zone.to_offset(stamp).seconds()))
            }
        }
    }
}

/// Times in the local time of a zone, if one is said. Times without a zone of their own have
/// nothing
/// to begin with.
pub fn in_zone(
    zone: Option<&str>,
    written: Written,
    keys: Vec<f64>,
) -> Result<(Written, Vec<f64>)> {
    let Some(zone) = zone else { return Ok((written, keys)) };
    if written == Written::Civil {
        return Err(Error::params("a zone is said, and times don't say their distance from UTC")
            .hint("leave zone=.. away: times are published as they are"));
    }
    let zone = Zone::parse(zone)?;
    Ok((Written::Civil, keys.into_iter().map(|key| zone.local(key)).collect()))
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

/// A length of time for people. Nobody knows in what numbers count.
pub fn spell_duration(seconds: f64, written: Written) -> String {
    if written == Written::Number {
        return format!("{} units of time", sfumato_report::numbers::quantity(seconds));
    }
    let units = [(86400.0, "d"), (3600.0, "h"), (60.0, "min")];
    let unit = units.into_iter().find(|(length, _)| seconds >= 2.0 * length);
    let (length, name) = unit.unwrap_or((1.0, "s"));
    format!("{} {name}", sfumato_report::numbers::quantity(seconds / length))
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
    fn times_are_put_into_a_zone() {
        let local = |zone: &str, time: f64| {
            in_zone(Some(zone), Written::Instant, vec![time]).map(|(_, times)| times[0])
        };
        assert_eq!(local("+02:00", 0.0).unwrap(), 7200.0);
        assert_eq!(local("-05:30", 0.0).unwrap(), -19_800.0);
        assert_eq!(local("UTC", 5.0).unwrap(), 5.0);
        for wrong in ["+25:00", "+x", "Middle/Earth"] {
            assert!(local(wrong, 0.0).is_err(), "{wrong}");
        }
        // Where the machine knows zones, summer has another distance than winter.
        if let Ok(winter) = local("Europe/Vienna", 0.0) {
            let summer = 15_552_000.0;
            assert_eq!(
                (winter, local("Europe/Vienna", summer).unwrap()),
                (3600.0, summer + 3600.0)
            );
            assert_eq!(local("Europe/Vienna", 1_594_000_000.0).unwrap(), 1_594_007_200.0);
        }
        assert!(in_zone(Some("UTC"), Written::Civil, vec![0.0]).is_err());
        assert_eq!(in_zone(None, Written::Civil, vec![0.0]), Ok((Written::Civil, vec![0.0])));
    }

    #[test]
    fn lengths_of_time_have_units() {
        assert_eq!(duration("15min").unwrap(), 900.0);
        assert_eq!((duration("90").unwrap(), duration("1.5h").unwrap()), (90.0, 5400.0));
        for wrong in ["", "0", "-5s", "3 weeks", "h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        let spelled = |seconds| spell_duration(seconds, Written::Instant);
        assert_eq!([90.0, 150.0, 7200.0].map(spelled), ["90 s", "2.5 min", "2 h"]);
        assert_eq!((bin(-1.0, 60.0), bin(59.9, 60.0), bin(60.0, 60.0)), (-60.0, 0.0, 60.0));
    }
}
