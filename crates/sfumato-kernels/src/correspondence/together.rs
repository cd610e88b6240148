//! All releases of a chain read together. Somebody knows since which release a person is in the
//! data, and so the person's class in each release from then on. The records that can be the
//! person's have the same sensitive value in all of these classes: there are no more of them than
//! any two of the classes leave of each other (F and C), nor than any class has beside those who
//! were there before the person came (B). These are the micro attacks of the literature, composed.

use std::collections::BTreeMap;

use sfumato_core::chain::Chain;
use sfumato_core::{Error, FastMap, Result};

use super::components::Components;

/// The most classes of one person in all releases that are looked at.
const MOST: u64 = 5_000_000;

/// What is left of the classes of one person.
#[derive(Debug, Clone, Copy)]
pub struct Left<'a> {
    /// The first release that the person is in.
    pub since: usize,
    /// The person's class in each release from then on.
    pub classes: &'a [u32],
    /// For each sensitive value how many records can be the person's, where any can.
    pub values: &'a [(u32, u64)],
}

/// Attack all releases together, and tell what is left for each person that there can be. An error
/// if there are too many to look at.
pub fn together(chain: &Chain, tell: &mut dyn FnMut(Left<'_>)) -> Result<()> {
    let n = chain.releases.len();
    let mut pairs = FastMap::default();
    for second in 1..n {
        for first in 0..second {
            pairs.insert((first, second), Pair::of(chain, first, second)?);
        }
    }
    let mut walk = Walk { chain, pairs: &pairs, seen: 0, tell };
    for since in 0..n {
        for class in 0..chain.releases[since].classes.len() as u32 {
            let left = walk.alone(since, (since, class));
            walk.go(since, &mut vec![class], &left)?;
        }
    }
    Ok(())
}

/// What two releases say of each other.
struct Pair {
    /// The classes of the second that somebody of a class of the first can be in, with what is left
    /// of each value.
    meets: Vec<Vec<(u32, BTreeMap<u32, u64>)>>,
    /// For each class of the second, how many of each value are people of the first.
    before: Vec<BTreeMap<u32, u64>>,
}

impl Pair {
    fn of(chain: &Chain, first: usize, second: usize) -> Result<Self> {
        let (first, second) = (&chain.releases[first], &chain.releases[second]);
        let found = Components::of(chain, first, second)?;
        let mut meets = vec![Vec::new(); first.classes.len()];
        for (at, (a, b)) in found.pairs.iter().enumerate() {
            meets[*a as usize].push((*b, found.both_by_value(at)?.into_iter().collect()));
        }
        let classes = 0..second.classes.len();
        let before = classes
            .map(|class| Ok(found.of_the_first_by_value(class)?.into_iter().collect()))
            .collect::<Result<_>>()?;
        Ok(Pair { meets, before })
    }
}

struct Walk<'a> {
    chain: &'a Chain,
    pairs: &'a FastMap<(usize, usize), Pair>,
    seen: u64,
    tell: &'a mut dyn FnMut(Left<'_>),
}

impl Walk<'_> {
    /// What is left of a class once those are ruled out who were there before the person came.
    fn alone(&self, since: usize, (release, class): (usize, u32)) -> BTreeMap<u32, u64> {
        let values = &self.chain.releases[release].classes[class as usize].values;
        let left = |(value, n): &(u32, u64)| {
            let before = |first: usize| {
                let pair = self.pairs.get(&(first, release))?;
                pair.before[class as usize].get(value).copied()
            };
            (*value, n - (0..since).filter_map(before).max().unwrap_or(0).min(*n))
        };
        values.iter().map(left).collect()
    }

    /// Go on from the classes of a person since a release to those of the next release.
    fn go(
        &mut self,
        since: usize,
        classes: &mut Vec<u32>,
        left: &BTreeMap<u32, u64>,
    ) -> Result<()> {
        let next = since + classes.len();
        if next == self.chain.releases.len() {
            self.seen += 1;
            let left: Vec<(u32, u64)> =
                left.iter().map(|(value, n)| (*value, *n)).filter(|(_, n)| *n > 0).collect();
            (self.tell)(Left { since, classes, values: &left });
            return match self.seen {
                MOST.. => Err(too_many()),
                _ => Ok(()),
            };
        }
        let pairs = self.pairs;
        let met = |at: usize, class: u32| {
            pairs.get(&(since + at, next)).map(|pair| &pair.meets[class as usize])
        };
        let Some(first) = met(0, classes[0]) else { return Ok(()) };
        'classes: for (class, _) in first {
            let mut now = self.alone(since, (next, *class));
            keep_least(&mut now, left);
            for (at, own) in classes.iter().enumerate() {
                let others = met(at, *own).into_iter().flatten();
                match others.into_iter().find(|(other, _)| other == class) {
                    Some((_, of_pair)) => keep_least(&mut now, of_pair),
                    None => continue 'classes,
                }
            }
            classes.push(*class);
            self.go(since, classes, &now)?;
            classes.pop();
        }
        Ok(())
    }
}

/// Keep the least of each value; what the other doesn't have isn't there.
fn keep_least(all: &mut BTreeMap<u32, u64>, other: &BTreeMap<u32, u64>) {
    for (value, n) in all.iter_mut() {
        *n = (*n).min(other.get(value).copied().unwrap_or(0));
    }
}

fn too_many() -> Error {
    Error::resources(format!(
        "there are more than {MOST} ways to be in the classes of all releases: they can't be \
         attacked together"
    ))
    .hint("judge them by pairs with attacks=pairs, or begin another chain")
}
