//! Computes the probabilities from which records are drawn from the parameters.

use std::ops::Range;

use sfumato_core::registry::Params;
use sfumato_core::{Error, Result};

use super::activity::Activity;
use crate::math::{exp, ln};

/// The share of themes that are active, and how much more probable their items are at most.
const ACTIVE: f64 = 0.25;

/// The parameters of the generator.
pub(super) struct Facts {
    pub(super) items: u32,
    highest: f64,
    lowest: f64,
    mean: f64,
    deviation: f64,
    correlation: f64,
}

impl Facts {
    /// What was given, and the preset for what wasn't.
    pub(super) fn of(params: &Params) -> Result<Self> {
        let (items, highest) = match params.text("preset") {
            Some("targeting") => (1987, 0.125),
            _ => (1000, 0.5),
        };
        let number = |name, preset| params.optional_number(name).unwrap_or(preset);
        let facts = Facts {
            items: params
                .optional_integer("items")
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(items),
            highest: number("highest", highest),
            lowest: number("lowest", 0.001),
            mean: number("mean", 40.0),
            deviation: number("deviation", 24.0),
            correlation: params.number("correlation"),
        };
        if facts.lowest > facts.highest {
            return Err(Error::params("longtail: lowest must not be above highest"));
        }
        Ok(facts)
    }

    /// The frequency of every item.
    fn frequencies(&self) -> Result<Vec<f64>> {
        let d = self.items as usize;
        let others = (d - 1) as f64;
        let (least, most) =
            (self.highest + others * self.lowest, self.lowest + others * self.highest);
        let flat = self.lowest == self.highest && (self.mean - least).abs() < 1e-9;
        if !(least < self.mean && self.mean < most || flat) {
            let message =
                format!("longtail: with {d} items from {} to {}", self.highest, self.lowest);
            return Err(Error::params(format!(
                "{message} the mean is between {least} and {most}, not {}",
                self.mean
            )));
        }
        // The logarithm of what is raised to a power, but for the last item, where that is 0.
        let whole = ln(f64::from(self.items));
        let base: Vec<f64> = (1..self.items)
            .map(|rank| ln((1.0 - ln(f64::from(rank)) / whole).max(1e-300)))
            .collect();
        let of = |power: f64| {
            let spread = self.highest - self.lowest;
            base.iter()
                .map(move |base| self.lowest + spread * exp(power * base))
                .chain([self.lowest])
        };
        let (mut low, mut high) = (0.0, 1.0);
        while of(high).sum::<f64>() > self.mean && high < 1e6 {
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if of(middle).sum::<f64>() > self.mean { low = middle } else { high = middle }
        }
        Ok(of(0.5 * (low + high)).collect())
    }
}

/// An item.
pub(super) struct Item {
    /// The theme to which the item belongs.
    pub(super) theme: u32,
    /// How many of the 32-bit words accept it as a candidate: where its theme isn't active and
    /// where it is.
    pub(super) accepted: [u64; 2],
    /// The number of the item, followed by a blank.
    pub(super) text: [u8; 8],
    /// How many bytes these are.
    pub(super) length: u8,
}

/// Items whose probabilities are so close that candidates are drawn for all alike.
pub(super) struct Group {
    pub(super) items: Range<usize>,
    bound: f64,
}

/// What records are drawn from.
pub(super) struct Shape {
    pub(super) items: Vec<Item>,
    pub(super) groups: Vec<Group>,
    pub(super) themes: u32,
    activity: Activity,
    /// For each activity and group, what turns the logarithm of a uniform number into a number of
    /// failures.
    factors: Vec<f64>,
}

impl Shape {
    pub(super) fn new(facts: &Facts) -> Result<Self> {
        let frequencies = facts.frequencies()?;
        let themes = if facts.correlation == 0.0 { 1 } else { (facts.items / 8).clamp(1, 64) };
        let active: Vec<f64> = frequencies.iter().map(|f| facts.factor_where_active(*f)).collect();
        let inactive: Vec<f64> =
            active.iter().map(|a| (1.0 - ACTIVE * a) / (1.0 - ACTIVE)).collect();
        // The variance of sizes is mean - (1 + v) squares + mean^2 v + (1 + v) themed, where v is
        // that of activities.
        let squares: f64 = (0..frequencies.len())
            .map(|i| {
                let square =
                    ACTIVE * active[i] * active[i] + (1.0 - ACTIVE) * inactive[i] * inactive[i];
                frequencies[i] * frequencies[i] * square
            })
            .sum();
        let themed: f64 = (0..themes as usize)
            .map(|theme| {
                let members = (theme..frequencies.len()).step_by(themes as usize);
                let gap: f64 = members.map(|i| frequencies[i] * (active[i] - inactive[i])).sum();
                ACTIVE * (1.0 - ACTIVE) * gap * gap
            })
            .sum();
        let fixed = facts.mean - squares + themed;
        let mean_square = facts.mean * facts.mean;
        let variance =
            (facts.deviation * facts.deviation - fixed) / (mean_square - squares + themed);
        let impossible = |most: String| {
            let message =
                format!("longtail: a deviation of {} isn't possible here", facts.deviation);
            Error::params(message)
                .hint(format!("it is at least {:.2}{most}", fixed.max(0.0).sqrt()))
        };
        if variance < 0.0 {
            return Err(impossible(String::new()));
        }
        let highest = 1.0 / facts.highest;
        let activity = Activity::new(variance, highest).ok_or_else(|| {
            let most = fixed + 0.95 * (highest - 1.0) * (mean_square - squares + themed);
            impossible(format!(" and below {:.2}", most.max(0.0).sqrt()))
        })?;
        let groups = groups(frequencies.iter().zip(&active).map(|(f, a)| f * a));
        let items = items(&frequencies, &groups, themes, &active, &inactive);
        let factor = |level: &f64, group: &Group| {
            // What has a probability of 1 never fails.
            match (group.bound * level).min(1.0) {
                1.0 => 0.0,
                p => 1.0 / ln_1m(p),
            }
        };
        let factors = activity
            .levels
            .iter()
            .flat_map(|level| groups.iter().map(move |group| factor(level, group)));
        let factors = factors.collect();
        Ok(Shape { items, groups, themes, activity, factors })
    }

    /// The activity that a word means.
    #[inline]
    pub(super) fn activity(&self, word: u32) -> usize {
        self.activity.of_word(word)
    }

    /// The factors of an activity, one for each group.
    #[inline]
    pub(super) fn factors(&self, activity: usize) -> &[f64] {
        &self.factors[activity * self.groups.len()..][..self.groups.len()]
    }
}

/// ln(1 - p) for a probability below 1, also for one near 0.
fn ln_1m(p: f64) -> f64 {
    if p > 1e-4 { ln(1.0 - p) } else { -p * (1.0 + p * (0.5 + p * (1.0 / 3.0 + p * 0.25))) }
}

impl Facts {
    /// How many times as probable an item is where its theme is active. Activities reach 1 /
    /// highest, and no probability exceeds 1.
    fn factor_where_active(&self, frequency: f64) -> f64 {
        (1.0 + self.correlation * (1.0 / ACTIVE - 1.0)).min(self.highest / frequency).max(1.0)
    }
}

/// Neighbours whose largest probabilities differ by no more than a factor of 2.
fn groups(bounds: impl Iterator<Item = f64>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut least = 0.0;
    for (i, bound) in bounds.enumerate() {
        match groups.last_mut() {
            Some(group) if 2.0 * bound >= group.bound && bound <= 2.0 * least => {
                group.items.end = i + 1;
                group.bound = group.bound.max(bound);
                least = bound.min(least);
            }
            _ => {
                groups.push(Group { items: i..i + 1, bound });
                least = bound;
            }
        }
    }
    groups
}

fn items(
    frequencies: &[f64],
    groups: &[Group],
    themes: u32,
    active: &[f64],
    inactive: &[f64],
) -> Vec<Item> {
    let mut items = Vec::with_capacity(frequencies.len());
    for group in groups {
        for i in group.items.clone() {
            let accepted = |factor: f64| {
                (frequencies[i] * factor / group.bound * 4_294_967_296.0 + 0.5) as u64
            };
            let accepted = match themes {
                1 => [accepted(1.0); 2],
                _ => [accepted(inactive[i]), accepted(active[i])],
            };
            let digits = format!("{} ", i + 1);
            let mut text = [0; 8];
            text[..digits.len()].copy_from_slice(digits.as_bytes());
            items.push(Item {
                theme: i as u32 % themes,
                accepted,
                text,
                length: digits.len() as u8,
            });
        }
    }
    items
}
