//! When a run stops looking for something better: at a time limit, or at an interrupt.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};

/// A time limit as it is written, such as `30s`, `500ms`, `5min` or `1.5h`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeLimit {
    text: String,
    duration: Duration,
}

/// Units by their names, in seconds.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
/// The longest limit, in seconds: nobody waits longer.
const MOST_SECONDS: f64 = 1e9;

impl TimeLimit {
    /// How long it is.
    pub fn duration(&self) -> Duration {
        self.duration
    }
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl std::str::FromStr for TimeLimit {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::params(format!("'{text}' isn't a time limit"))
                .hint("write a limit such as 500ms, 30s, 5min or 1.5h")
        };
        let trimmed = text.trim();
        let is_unit = |c: char| c.is_ascii_alphabetic();
        let (number, unit) = trimmed.split_at(trimmed.find(is_unit).ok_or_else(wrong)?);
        let (_, seconds) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        let number: f64 = number.trim().parse().map_err(|_| wrong())?;
        let seconds = number * seconds;
        if !(0.0..=MOST_SECONDS).contains(&seconds) {
            return Err(wrong());
        }
        Ok(TimeLimit { text: trimmed.into(), duration: Duration::from_secs_f64(seconds) })
    }
}

impl TryFrom<String> for TimeLimit {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<TimeLimit> for String {
    fn from(limit: TimeLimit) -> Self {
        limit.text
    }
}

/// What an interrupt does to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnInterrupt {
    /// It ends, and nothing is written.
    #[default]
    Stop,
    /// What there is is verified and published; a second interrupt ends the run.
    Publish,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let seconds = |text: &str| text.parse::<TimeLimit>().map(|l| l.duration().as_secs_f64());
        assert_eq!(seconds("500ms").unwrap(), 0.5);
        assert_eq!(seconds(" 30s ").unwrap(), 30.0);
        assert_eq!(seconds("1.5h").unwrap(), 5400.0);
        assert_eq!(seconds("2 min").unwrap(), 120.0);
        for wrong in ["", "30", "s", "-1s", "3 days", "1e99h", "nan s", "infs", "1m"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
