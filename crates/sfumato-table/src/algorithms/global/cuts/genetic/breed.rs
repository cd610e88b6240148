//! Makes chromosomes: at random, from two parents, and by mutation. Each bit is a split. A bit
//! whose split needs one that isn't made is cleared, so that every chromosome is a cut of each
//! column.

use crate::algorithms::global::cuts::cut_search::choices::Choices;
use crate::algorithms::global::cuts::cut_search::items::{Item, Items};
use sfumato_kernels::seeded::Seeded;

/// The mean number of bits of a chromosome that mutate.
const CHANGES: usize = 2;

fn chance(random: &mut Seeded, share: f64) -> bool {
    (random.below(1 << 32) as f64) < share * (1u64 << 32) as f64
}

/// A chromosome that makes each possible split with this probability. With 0 it is the most general
/// one.
pub fn scattered(choices: &Choices<'_>, share: f64, random: &mut Seeded) -> Items {
    let mut items = Items::none(choices.len());
    for item in 0..choices.len() as Item {
        let choice = choices.choice(item);
        if choice.needs.is_none_or(|needs| items.contains(needs)) && chance(random, share) {
            items.insert(item);
        }
    }
    items
}

/// The bits of one parent, except between two places, where those of the other are taken.
pub fn cross(one: &Items, other: &Items, n: usize, random: &mut Seeded) -> Items {
    let (a, b) = (random.below(n + 1), random.below(n + 1));
    let mut child = one.clone();
    for item in a.min(b) as Item..a.max(b) as Item {
        match other.contains(item) {
            true => child.insert(item),
            false => child.remove(item),
        }
    }
    child
}

/// Change some bits. A chosen split is made with all that it needs, since alone it would be cleared
/// again.
pub fn mutate(choices: &Choices<'_>, child: &mut Items, random: &mut Seeded) {
    for _ in 0..random.below(2 * CHANGES + 1) {
        let item = random.below(choices.len()) as Item;
        match child.contains(item) {
            true => choices.remove(child, item),
            false => choices.insert(child, item),
        }
    }
}
