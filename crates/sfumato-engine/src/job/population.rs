//! The population that data were drawn from: its size (`120000`), or which share of it the data are
//! (`2%`). Risks in a population are estimated only where one is said.

use sfumato_core::{Error, Result};

/// The population that data were drawn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Population {
    /// The share of the population that is in the data, in percent.
    Sampled(f64),
    /// The number of people.
    People(u64),
}

impl Population {
    /// The size of the population of so many people in the data. It is never smaller than these.
    pub fn of(self, people: u64) -> u64 {
        match self {
            Population::Sampled(percent) => {
                (people as f64 * 100.0 / percent).round().min(1e18) as u64
            }
            Population::People(size) => size,
        }
        .max(people)
    }
}

impl std::fmt::Display for Population {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Population::Sampled(percent) => write!(f, "{percent}%"),
            Population::People(size) => write!(f, "{size}"),
        }
    }
}

impl std::str::FromStr for Population {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::params(format!(
                "a population is a number of people such as 120000, or the share of it that is in \
                 the data such as 2%, not '{text}'"
            ))
        };
        match text.trim().strip_suffix('%') {
            Some(percent) => match percent.trim().parse::<f64>() {
                Ok(percent) if percent > 0.0 && percent <= 100.0 => {
                    Ok(Population::Sampled(percent))
                }
                _ => Err(wrong()),
            },
            None => match text.trim().parse() {
                Ok(size) if size > 0 => Ok(Population::People(size)),
                _ => Err(wrong()),
            },
        }
    }
}

impl<'de> serde::Deserialize<'de> for Population {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(
            untagged,
            expecting = "a population is a number of people, or a share such as \"2%\""
        )]
        enum Raw {
            People(u64),
            Text(String),
        }
        let text = match Raw::deserialize(deserializer)? {
            Raw::People(size) => size.to_string(),
            Raw::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl serde::Serialize for Population {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_population_is_a_size_or_a_share() {
        let of = |text: &str, people| text.parse::<Population>().unwrap().of(people);
        assert_eq!((of("2%", 30), of("120000", 30), of("100%", 30)), (1500, 120_000, 30));
        assert_eq!(of("10", 30), 30, "a population isn't smaller than what was drawn from it");
        for wrong in ["", "0", "-1", "0%", "101%", "x", "nan%", "1.5"] {
            assert!(wrong.parse::<Population>().is_err(), "{wrong}");
        }
    }
}
