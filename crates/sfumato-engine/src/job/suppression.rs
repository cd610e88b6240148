//! How many records may be suppressed: a share (`2%`) or a number of records (`150`).

use sfumato_core::{Error, Result};

/// A limit on suppressed records.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum MaxSuppression {
    /// The job sets no limit: then no record of a table may be suppressed, but any record of
    /// baskets, since some records can only be published as an empty set.
    #[default]
    Unsaid,
    /// A share of all records, in percent.
    Percent(f64),
    /// A number of records.
    Records(u64),
}

impl MaxSuppression {
    /// The limit for a table of `n_rows` records. A share is rounded down, so that never more
    /// records are suppressed than allowed.
    pub fn of(self, n_rows: usize) -> u64 {
        match self {
            MaxSuppression::Unsaid => 0,
            MaxSuppression::Percent(percent) => {
                (n_rows as f64 * percent / 100.0 + 1e-9).floor() as u64
            }
            MaxSuppression::Records(records) => records.min(n_rows as u64),
        }
    }
    /// Whether the job sets no limit.
    pub fn is_unsaid(&self) -> bool {
        *self == MaxSuppression::Unsaid
    }
}

impl std::fmt::Display for MaxSuppression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MaxSuppression::Unsaid => write!(f, "0"),
            MaxSuppression::Percent(percent) => write!(f, "{percent}%"),
            MaxSuppression::Records(records) => write!(f, "{records}"),
        }
    }
}

impl std::str::FromStr for MaxSuppression {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::params(format!(
                "max-suppression must be a share such as 2% or a number of records, not '{text}'"
            ))
        };
        match text.trim().strip_suffix('%') {
            Some(percent) => match percent.trim().parse::<f64>() {
                Ok(percent) if (0.0..=100.0).contains(&percent) => {
                    Ok(MaxSuppression::Percent(percent))
                }
                _ => Err(wrong()),
            },
            None => text.trim().parse().map(MaxSuppression::Records).map_err(|_| wrong()),
        }
    }
}

impl<'de> serde::Deserialize<'de> for MaxSuppression {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(
            untagged,
            expecting = "max-suppression must be a share such as \"2%\" or a number of records"
        )]
        enum Raw {
            Records(u64),
            Text(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Records(records) => Ok(MaxSuppression::Records(records)),
            Raw::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

impl serde::Serialize for MaxSuppression {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_round_down_and_numbers_are_capped() {
        let of = |text: &str, n| text.parse::<MaxSuppression>().unwrap().of(n);
        assert_eq!((of("2%", 149), of("2%", 150), of("0.1%", 1000)), (2, 3, 1));
        assert_eq!((of("7", 100), of("700", 100), of("100%", 30_162)), (7, 100, 30_162));
        for wrong in ["", "x", "-1", "101%", "-1%", "0.5", "nan%"] {
            assert!(wrong.parse::<MaxSuppression>().is_err(), "{wrong}");
        }
    }
}
