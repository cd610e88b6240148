//! Which splits a group may make, and which of them it makes.

use super::table::Split;

/// How splits are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// By their sizes alone, as Mondrian does.
    Even,
    Slack,
    Spread,
    EvenSpread,
    Both,
}

/// Whether both sides have degree p.
pub fn is_allowed(split: &Split<'_>, p: u64) -> bool {
    let most_with = split.facts_with.iter().copied().max().unwrap_or(0);
    let without = split.facts.iter().zip(split.facts_with).map(|(all, with)| all - with);
    let most_without = without.max().unwrap_or(0);
    u64::from(most_with) * p <= u64::from(split.with)
        && u64::from(most_without) * p <= u64::from(split.size - split.with)
}

impl Rule {
    /// How good a split is; more is better.
    pub fn score(self, split: &Split<'_>) -> f64 {
        let (with, without) = (f64::from(split.with), f64::from(split.size - split.with));
        let size = with + without;
        let even = with.min(without);
        let pairs = || split.facts.iter().zip(split.facts_with).map(|(all, with)| (f64::from(*all), f64::from(*with)));
        match self {
            Rule::Even => even,
            // least degree of the two sides
            Rule::Slack => {
                let most_with = pairs().fold(0.0, |m: f64, (_, w)| m.max(w));
                let most_without = pairs().fold(0.0, |m: f64, (a, w)| m.max(a - w));
                (with / most_with.max(1e-9)).min(without / most_without.max(1e-9))
            }
            // how evenly occurrences are on both sides
            Rule::Spread => pairs().fold(0.0, |s, (a, w)| s + w.min(a - w)) + 1e-6 * even / size,
            // distance to proportional
            Rule::EvenSpread => -pairs().fold(0.0, |s, (a, w)| s + (w / with - (a - w) / without).abs()),
            Rule::Both => {
                let n = pairs().fold(0.0, |s, (a, _)| s + a);
                let off = pairs().fold(0.0, |s, (a, w)| s + (w - a * with / size).abs());
                even * (1.0 - off / n)
            }
        }
    }
}
