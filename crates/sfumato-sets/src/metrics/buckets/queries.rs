//! Random queries about a sensitive item together with some quasi items. Equal seeds draw the same
//! queries for any release of the same data.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

use crate::traits::BucketView;

/// A sensitive item and quasi items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The sensitive item.
    pub fact: u32,
    /// The quasi items, all different.
    pub items: Vec<u32>,
}

/// How quasi items are drawn. The sensitive item is always drawn evenly among those that occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Uniformly among the quasi items that occur.
    Uniform,
    /// In proportion to the number of records with an item, one after the other.
    BySupport,
    /// From a record that has the sensitive item, so that at least one record has them all.
    /// Sensitive items without a record that has enough quasi items aren't drawn.
    OfRecord,
}

/// Draw queries with `r` quasi items each. `None` if there aren't that many, or no sensitive item.
pub fn draw(
    view: &BucketView<'_>,
    n: usize,
    r: usize,
    draw: Draw,
    seed: u64,
) -> Option<Vec<Query>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    if draw == Draw::OfRecord {
        return of_records(view, n, r, &mut random);
    }
    let occurring = |sets: &Transactions| -> Vec<(u32, u64)> {
        (0..).zip(sets.counts()).filter(|(_, count)| *count > 0).collect()
    };
    let (facts, mut items) = (occurring(view.sensitive), occurring(view.quasi));
    if draw == Draw::Uniform {
        items.iter_mut().for_each(|(_, weight)| *weight = 1);
    }
    if facts.is_empty() || items.len() < r {
        return None;
    }
    let total: u64 = items.iter().map(|(_, weight)| weight).sum();
    let queries = (0..n).map(|_| {
        let fact = facts[below(&mut random, facts.len() as u64) as usize].0;
        Query { fact, items: without_replacement(&mut items, total, r, &mut random) }
    });
    Some(queries.collect())
}

/// Draw some items in proportion to their weights, each at most once.
fn without_replacement(
    items: &mut [(u32, u64)],
    mut total: u64,
    r: usize,
    random: &mut ChaCha8Rng,
) -> Vec<u32> {
    let mut taken: Vec<(usize, u64)> = Vec::with_capacity(r);
    for _ in 0..r {
        let mut left = below(random, total);
        let place = items.iter().position(|(_, weight)| match left.checked_sub(*weight) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        let place = place.expect("a number below the sum of all weights falls into one of them");
        total -= items[place].1;
        // An item that was taken weighs nothing until the question is complete.
        taken.push((place, std::mem::take(&mut items[place].1)));
    }
    taken.iter().for_each(|(place, weight)| items[*place].1 = *weight);
    taken.iter().map(|(place, _)| items[*place].0).collect()
}

fn of_records(
    view: &BucketView<'_>,
    n: usize,
    r: usize,
    random: &mut ChaCha8Rng,
) -> Option<Vec<Query>> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    with_sets!(view.sensitive, sensitive => for (record, set) in sensitive.iter().enumerate() {
        if view.quasi.size(record) >= r {
            pairs.extend(set.iter().map(|fact| (fact.widen(), record as u32)));
        }
    });
    pairs.sort_unstable();
    let facts: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
    if facts.is_empty() {
        return None;
    }
    let queries = (0..n).map(|_| {
        let of_fact = facts[below(random, facts.len() as u64) as usize];
        let (fact, record) = of_fact[below(random, of_fact.len() as u64) as usize];
        let mut items = view.quasi.set(record as usize);
        for place in 0..r {
            let other = place + below(random, (items.len() - place) as u64) as usize;
            items.swap(place, other);
        }
        items.truncate(r);
        Query { fact, items }
    });
    Some(queries.collect())
}

/// A number below `n`, which must be at least 1. The bias of n in 2^64 doesn't matter here.
fn below(random: &mut ChaCha8Rng, n: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(n)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use crate::data::{FactCounts, Groups};

    use super::*;

    fn with_view(test: impl Fn(&BucketView<'_>)) {
        // Item 0 is in every record, 1 in every second, 2 in one; 3 never; 4 and 5 are sensitive.
        let sets = |i: u32| match i {
            0 => vec![0, 1, 2],
            i if i % 2 == 0 => vec![0, 1],
            _ => vec![0],
        };
        let quasi = Transactions::from_sets(6, (0..40).map(sets));
        let facts = |i: u32| if i < 2 { vec![4 + i] } else { vec![] };
        let sensitive = Transactions::from_sets(6, (0..40).map(facts));
        let groups = Groups::from_labels(&[0; 40]);
        let counts = FactCounts::of(&groups, &sensitive);
        test(&BucketView {
            quasi: &quasi,
            sensitive: &sensitive,
            groups: &groups,
            counts: &counts,
            seed: 1,
        });
    }

    #[test]
    fn items_are_drawn_as_stated() {
        with_view(|view| {
            let first = |how, item| {
                let drawn = draw(view, 3_000, 1, how, 7).unwrap();
                drawn.iter().filter(|query| query.items == [item]).count()
            };
            // Five standard deviations are below 140.
            for item in 0..3 {
                assert!(first(Draw::Uniform, item).abs_diff(1_000) < 140);
            }
            // Supports are 40, 20 and 1.
            assert!(first(Draw::BySupport, 0).abs_diff(3_000 * 40 / 61) < 140);
            assert!(first(Draw::BySupport, 1).abs_diff(3_000 * 20 / 61) < 140);
            let drawn = draw(view, 3_000, 3, Draw::BySupport, 7).unwrap();
            assert!(drawn.iter().all(|query| {
                let mut items = query.items.clone();
                items.sort_unstable();
                items == [0, 1, 2]
            }));
            assert!(drawn.iter().filter(|query| query.fact == 4).count().abs_diff(1_500) < 140);
            assert_eq!(drawn, draw(view, 3_000, 3, Draw::BySupport, 7).unwrap());
            assert_ne!(drawn, draw(view, 3_000, 3, Draw::BySupport, 8).unwrap());
            assert!(draw(view, 1, 4, Draw::Uniform, 7).is_none());
        });
    }

    #[test]
    fn items_of_a_record_with_the_fact_occur_together() {
        with_view(|view| {
            for query in draw(view, 50, 2, Draw::OfRecord, 3).unwrap() {
                // Only the first record has two quasi items and a sensitive one.
                assert_eq!(query.fact, 4);
                assert!(query.items.len() == 2 && query.items.iter().all(|item| *item < 3));
            }
            assert!(draw(view, 1, 4, Draw::OfRecord, 3).is_none());
        });
    }
}
