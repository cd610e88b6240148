//! How large a measured number must be for a sentence to hold.

use std::fmt;

use serde::Serialize;

use super::interval::Interval;

/// A bound on a number. It is kept by an interval as a whole, not by its mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// More than this.
    Above(f64),
    /// No less than this.
    AtLeast(f64),
    /// Less than this.
    Below(f64),
    /// No more than this.
    AtMost(f64),
    /// From one number to another, both included.
    Within(f64, f64),
}

impl Rule {
    /// Whether a number keeps the rule.
    pub fn allows(self, x: f64) -> bool {
        match self {
            Rule::Above(least) => x > least,
            Rule::AtLeast(least) => x >= least,
            Rule::Below(most) => x < most,
            Rule::AtMost(most) => x <= most,
            Rule::Within(least, most) => least <= x && x <= most,
        }
    }

    /// Whether all numbers of an interval keep the rule.
    pub fn allows_all(self, interval: &Interval) -> bool {
        self.allows(interval.low) && self.allows(interval.high)
    }

    /// Whether no number of an interval keeps the rule.
    pub fn allows_none(self, interval: &Interval) -> bool {
        let Interval { low, high, .. } = *interval;
        match self {
            Rule::Within(least, most) => high < least || low > most,
            _ => !self.allows(low) && !self.allows(high),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Above(x) => write!(out, "above {x}"),
            Rule::AtLeast(x) => write!(out, "at least {x}"),
            Rule::Below(x) => write!(out, "below {x}"),
            Rule::AtMost(x) => write!(out, "at most {x}"),
            Rule::Within(x, y) => write!(out, "from {x} to {y}"),
        }
    }
}
