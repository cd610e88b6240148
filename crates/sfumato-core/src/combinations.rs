//! Combinations of items: what may be asked about how often they occur, and what is answered.
//!
//! A combination fails where too few records have it, or where too large a share of its records has
//! the same private item. Shares are compared as fractions of whole numbers, so that no promise
//! hangs on a rounding.

use std::cmp::Ordering;

use crate::error::{Error, Result};
use crate::facts::Least;

/// A share between 0 and 1 as a fraction of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    numerator: u64,
    denominator: u64,
}

impl Share {
    /// The share that a decimal number says: 0.8 is 8 of 10, exactly.
    pub fn of_decimal(number: f64) -> Result<Share> {
        // The shortest text that means the number is what a user wrote.
        let text = format!("{number}");
        let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
        let all = format!("{whole}{digits}").parse::<u64>().ok();
        let one = u32::try_from(digits.len()).ok().and_then(|digits| 10u64.checked_pow(digits));
        match (all, one) {
            (Some(numerator), Some(denominator)) if numerator <= denominator => {
                Ok(Share { numerator, denominator })
            }
            _ => Err(Error::params(format!("{number} is no share from 0 to 1 of few digits"))
                .hint("write it with at most 19 digits, as in 0.8")),
        }
    }

    /// Whether `part` of `whole` is more than this share.
    pub fn is_exceeded(self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(self.denominator)
            > u128::from(self.numerator) * u128::from(whole)
    }

    /// The share as a number, for reports.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// A question about all combinations of at most some number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedCombinations {
    /// The largest number of items of a combination.
    pub size: usize,
    /// How many records must have a combination that any record has.
    pub required: u64,
    /// The largest share of the records of a combination that may have the same private item.
    /// `None` if private items aren't asked about.
    pub most: Option<Share>,
}

/// A combination of items, and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    /// The codes of the items, ascending.
    pub items: Vec<u32>,
    /// The number of records that have all of them.
    pub support: u64,
    /// The private item that most of these records have, and how many have it. `None` if private
    /// items weren't asked about, or none of the records has one.
    pub private: Option<(u32, u64)>,
}

/// A part of a whole, compared exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartOf {
    /// The part.
    pub part: u64,
    /// The whole, above 0.
    pub whole: u64,
}

impl PartOf {
    /// The share as a number, for reports.
    pub fn value(self) -> f64 {
        self.part as f64 / self.whole as f64
    }
    /// The larger of two shares.
    pub fn max(self, other: PartOf) -> PartOf {
        let (a, b) = (u128::from(self.part) * u128::from(other.whole), u128::from(other.part));
        if a.cmp(&(b * u128::from(self.whole))) == Ordering::Less { other } else { self }
    }
}

/// The answer to a question about combinations. Combinations that contain a failing one aren't
/// looked at, and may be rarer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedCombinations {
    /// The smallest number of records that have a combination, and how many combinations too few
    /// records have.
    pub support: Least,
    /// The largest share of the records of a combination, that enough have, with the same private
    /// item. `None` if private items weren't asked about, or there are none.
    pub share: Option<PartOf>,
    /// How many combinations enough records have, of which too many have the same private item.
    pub breaches: u64,
    /// The smallest failing combination; of several the rarest, and of these the first.
    pub failing: Option<Combination>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        let share = |number: f64| Share::of_decimal(number).unwrap();
        // Binary fractions would get both wrong.
        assert!(!share(0.1).is_exceeded(3, 30) && share(0.1).is_exceeded(4, 39));
        assert!(!share(0.8).is_exceeded(4, 5) && share(0.8).is_exceeded(5, 6));
        assert!(!share(1.0).is_exceeded(7, 7) && share(0.0).is_exceeded(1, 7));
        assert!(!share(1.0).is_exceeded(u64::MAX, u64::MAX));
        assert_eq!(share(0.333333333333).value(), 0.333333333333);
        assert!(Share::of_decimal(1.5).is_err() && Share::of_decimal(-0.1).is_err());
        assert!(Share::of_decimal(1e-300).is_err() && Share::of_decimal(f64::NAN).is_err());
        let (third, half) = (PartOf { part: 1, whole: 3 }, PartOf { part: 2, whole: 4 });
        assert_eq!((third.max(half), half.max(third)), (half, half));
    }
}
