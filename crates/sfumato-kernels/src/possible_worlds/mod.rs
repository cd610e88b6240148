//! Possible worlds: who can have a permanent value, by releases that say how many of each group
//! have it, for somebody who knows who is in which group.
//!
//! A world says of each person since which of the releases that the person is in the value is the
//! person's, if it ever is: once somebody has it, it stays. It fits if in every group of every
//! release as many of its members have the value as the release says. All worlds are taken to be
//! equally likely. Where they can't be counted, they are drawn, and figures have an interval.

mod search;
#[cfg(test)]
mod tests;

use sfumato_core::{Error, Result};

use search::{Component, Search, components};

/// How many steps are taken to count the worlds of people who share groups.
const MOST_STEPS: u64 = 3_000_000;
/// Worlds are drawn in so many parts, whose spread gives the interval.
const PARTS: usize = 20;
/// How many tries a part has.
const TRIES: usize = 400;
/// How many worlds must have been drawn at least in each part.
const FEWEST: usize = 20;
/// The quantile of Student's distribution with `PARTS - 1` degrees of freedom for 99 %.
const QUANTILE: f64 = 2.861;

/// A group of a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// The people who are known to be in it.
    pub members: Vec<u32>,
    /// How many of its records have the value.
    pub holders: u64,
    /// How many of its records are nobody's. Each of them may be one of those.
    pub made_up: u64,
}

/// How likely a person has the value in some release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Likely {
    /// In so many of so many worlds.
    Counted {
        /// Worlds in which the person has it.
        with: u128,
        /// All worlds.
        of: u128,
    },
    /// Between these shares of the worlds, as far as those that were drawn tell.
    Drawn {
        /// The lower end of the interval.
        low: f64,
        /// The estimate.
        estimate: f64,
        /// The upper end of the interval.
        high: f64,
    },
}

impl Likely {
    /// The share, or the upper end of its interval.
    pub fn most(self) -> f64 {
        match self {
            Likely::Counted { with, of } => with as f64 / of as f64,
            Likely::Drawn { high, .. } => high,
        }
    }
    /// Whether it is at most one of `l`: exactly where worlds were counted, and else only if the
    /// whole interval is.
    pub fn is_at_most_one_of(self, l: u64) -> bool {
        match self {
            Likely::Counted { with, of } => {
                with.checked_mul(u128::from(l)).is_some_and(|with| with <= of)
            }
            Likely::Drawn { high, .. } => high <= 1.0 / l as f64,
        }
    }
}

/// How likely each of `n` people has the value. `None` for people who are in no group. An error if
/// no world fits, or if too few could be drawn to tell.
pub fn likely(n: usize, releases: &[Vec<Group>], seed: u64) -> Result<Vec<Option<Likely>>> {
    likely_within(n, releases, seed, MOST_STEPS)
}

fn likely_within(
    n: usize,
    releases: &[Vec<Group>],
    seed: u64,
    most_steps: u64,
) -> Result<Vec<Option<Likely>>> {
    let mut found = vec![None; n];
    for component in components(n, releases) {
        let of_people = match counted(&component, most_steps)? {
            Some(counted) => counted,
            None => drawn(&component, seed)?,
        };
        for (person, likely) in component.people.iter().zip(of_people) {
            found[*person as usize] = Some(likely);
        }
    }
    Ok(found)
}

/// Count all worlds. `None` if there are too many.
fn counted(component: &Component, most_steps: u64) -> Result<Option<Vec<Likely>>> {
    let mut search = Search::new(component);
    let Some(of) = search.count(most_steps) else { return Ok(None) };
    match of {
        0 => Err(nobody()),
        of => {
            let likely = search.with.iter().map(|with| Likely::Counted { with: *with, of });
            Ok(Some(likely.collect()))
        }
    }
}

/// Draw worlds, each with a weight that makes up for how likely it was to be drawn.
fn drawn(component: &Component, seed: u64) -> Result<Vec<Likely>> {
    let mut random = crate::seeded::Seeded::new(seed);
    let n = component.people.len();
    let mut shares: Vec<Vec<f64>> = vec![Vec::with_capacity(PARTS); n];
    for _ in 0..PARTS {
        let worlds: Vec<(f64, Vec<bool>)> =
            (0..TRIES).filter_map(|_| Search::new(component).draw(&mut random)).collect();
        if worlds.len() < FEWEST {
            return Err(Error::resources(
                "there are too many possible worlds to count, and too few could be drawn to tell \
                 how likely somebody has the value",
            )
            .hint("judge fewer releases together, or smaller groups"));
        }
        // Weights are logarithms, of which only differences count.
        let most = worlds.iter().map(|(weight, _)| *weight).fold(f64::NEG_INFINITY, f64::max);
        let mut with = vec![0.0; n];
        let mut all = 0.0;
        for (weight, holders) in &worlds {
            let weight = (weight - most).exp();
            all += weight;
            with.iter_mut().zip(holders).filter(|(_, has)| **has).for_each(|(w, _)| *w += weight);
        }
        shares.iter_mut().zip(with).for_each(|(shares, with)| shares.push(with / all));
    }
    let interval = |shares: &Vec<f64>| {
        let parts = shares.len() as f64;
        let estimate = shares.iter().sum::<f64>() / parts;
        let spread: f64 = shares.iter().map(|share| (share - estimate).powi(2)).sum();
        let half = QUANTILE * (spread / (parts - 1.0) / parts).sqrt();
        Likely::Drawn {
            low: (estimate - half).max(0.0),
            estimate,
            high: (estimate + half).min(1.0),
        }
    };
    Ok(shares.iter().map(interval).collect())
}

fn nobody() -> Error {
    Error::input(
        "nobody can have the value as often as the releases say: who is in which group contradicts \
         them",
    )
    .hint(
        "a value that is permanent never leaves a person: leave out those that do, and see \
         whether the same person has the same name in each release",
    )
}
