//! Sets that aren't true or don't protect: the verifier of subsets must see through each. Only
//! tests tell them.

use sfumato_core::transactions::Transactions;
use sfumato_engine::lie::{Lie, Subject};

use super::decide::Decided;
use crate::data::read::Loaded;
use crate::data::{PublishedSets, Witnesses};

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, Decided>> {
    vec![
        Lie {
            name: "every record is published as it is",
            subject: Subject::Privacy,
            tell: |data, decided| {
                decided.published = as_they_are(&data.baskets.quasi);
                true
            },
        },
        Lie {
            name: "a record has an item that isn't its own",
            subject: Subject::Cell,
            tell: |data, decided| added_item(&data.baskets.quasi, &mut decided.published),
        },
        Lie {
            name: "a record is published as the set of another",
            subject: Subject::Row,
            tell: |data, decided| other_set(&data.baskets.quasi, &mut decided.published),
        },
        Lie {
            name: "sets have supporters that don't contain them",
            subject: Subject::Match,
            tell: |data, decided| {
                let Some(each) = decided.published.witnesses.as_ref().map(|named| named.each)
                else {
                    return false;
                };
                let mut published = as_they_are(&data.baskets.quasi);
                let of_set = |_| 0..each as u32;
                let records = (0..published.sets.len()).flat_map(of_set).collect();
                published.witnesses = Some(Witnesses { each, records });
                decided.published = published;
                true
            },
        },
    ]
}

fn as_they_are(records: &Transactions) -> PublishedSets {
    let of_record = (0..records.len() as u32).collect();
    PublishedSets { of_record, sets: records.clone(), witnesses: None }
}

/// The first record gets a set of its own, with an item that it hasn't.
fn added_item(records: &Transactions, published: &mut PublishedSets) -> bool {
    let own = if records.is_empty() { return false } else { records.set(0) };
    let Some(item) = (0..records.n_items() as u32).find(|item| !own.contains(item)) else {
        return false;
    };
    let before = published.of_record[0] as usize;
    let changed = [published.sets.set(before), vec![item]].concat();
    let sets = (0..published.sets.len()).map(|set| published.sets.set(set)).chain([changed]);
    let sets = Transactions::from_sets(records.n_items(), sets.collect::<Vec<_>>());
    if let Some(witnesses) = &mut published.witnesses {
        let same = witnesses.of(before).to_vec();
        witnesses.records.extend(same);
    }
    published.of_record[0] = sets.len() as u32 - 1;
    published.sets = sets;
    true
}

/// The first record gets a set that isn't part of it.
fn other_set(records: &Transactions, published: &mut PublishedSets) -> bool {
    let own = if records.is_empty() { return false } else { records.set(0) };
    let is_other = |set: &usize| published.sets.set(*set).iter().any(|item| !own.contains(item));
    let other = (0..published.sets.len()).find(is_other);
    other.map(|set| published.of_record[0] = set as u32).is_some()
}
