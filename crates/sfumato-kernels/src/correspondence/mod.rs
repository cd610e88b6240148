//! Correspondence attacks between two releases of which the second has all records of the first:
//! how many records of a class somebody can rule out who knows that.
//!
//! Every record of the first release has a record of its own in the second: one with the same
//! sensitive value, in a class that somebody can be in who is in the first's. A generator is any
//! such assignment. The crack size of a group, which is the records of a class with one sensitive
//! value, is how many of its records can't be the target's in any generator.
//!
//! Where every group of the first release that can meet one of several groups of the second can
//! meet all of them, which is so when columns are recoded as trees, counts alone say the crack
//! sizes. This is looked at, not assumed: wherever it isn't so, flows say them.

mod components;
mod flow;
#[cfg(test)]
mod tests;
mod together;

use sfumato_core::Result;
use sfumato_core::chain::{Chain, ChainRelease};
use sfumato_core::facts::Least;

use components::Components;
pub use together::{Left, together};

/// Which pairs of classes are taken for those of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Targets {
    /// All that a person can be in by the quasi values alone, as the definition says.
    Any,
    /// Those that somebody can be in by the sensitive values too: where all records of a class are
    /// ruled out, no target is there.
    Possible,
}

/// What is left of the smallest class once cracked records are taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anonymity {
    /// FA: of the first release, for somebody who is in both.
    pub forward: Least,
    /// CA: of the second release, for somebody who is in both.
    pub cross: Least,
    /// BA: of the second release, for somebody who is in the second alone. `None` if nobody is.
    pub backward: Option<Least>,
}

/// The least of counts of which at least `required` are asked for.
struct Running {
    required: u64,
    least: Least,
}

impl Running {
    fn new(required: u64) -> Self {
        Running { required, least: Least { least: u64::MAX, violations: 0 } }
    }
    fn add(&mut self, count: u64) {
        self.least.least = self.least.least.min(count);
        self.least.violations += u64::from(count < self.required);
    }
}

/// Attack two releases of a chain, the earlier of which is `first`. An error where the second can't
/// have all records of the first.
pub fn attack(
    chain: &Chain,
    (first, second): (&ChainRelease, &ChainRelease),
    targets: Targets,
    required: u64,
) -> Result<Anonymity> {
    let components = Components::of(chain, first, second)?;
    // Of each class the least that any class of the other release leaves of it.
    let mut left_of = [vec![u64::MAX; first.classes.len()], vec![u64::MAX; second.classes.len()]];
    for at in 0..components.pairs.len() {
        let (a, b) = components.pairs[at];
        let left = components.both(at)?;
        if left > 0 || targets == Targets::Any {
            for (left_of, class) in left_of.iter_mut().zip([a, b]) {
                let least = &mut left_of[class as usize];
                *least = (*least).min(left);
            }
        }
    }
    let [forward, cross] = left_of.map(|left_of| {
        let mut running = Running::new(required);
        left_of.into_iter().filter(|left| *left != u64::MAX).for_each(|left| running.add(left));
        running.least
    });
    let mut backward = Running::new(required);
    for (class, published) in second.classes.iter().enumerate() {
        let left = published.rows() - components.of_the_first(class)?;
        if left > 0 || targets == Targets::Any {
            backward.add(left);
        }
    }
    let grew = second.rows() > first.rows();
    Ok(Anonymity { forward, cross, backward: grew.then_some(backward.least) })
}
