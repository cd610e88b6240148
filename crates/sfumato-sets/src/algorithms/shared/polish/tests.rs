//! Compares the search with one over all records and classes, and tests what no step may break.

use proptest::prelude::*;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

use super::polish;
use super::search::{Elsewhere, search};
use super::state::State;
use crate::data::{Collapsed, PublishedSets};
use crate::traits::SetTask;

const ITEMS: usize = 9;

/// Records in classes that don't depend on their items.
fn some_classes(sets: &Transactions, n_classes: usize) -> PublishedSets {
    let of_record = (0..sets.len()).map(|record| (record % n_classes) as u32).collect();
    let empty = Transactions::from_sets(ITEMS, vec![vec![]; n_classes]);
    PublishedSets { of_record, sets: empty, witnesses: None }
}

fn lists() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(0..ITEMS as u32, 1..8), 20..150)
}

fn worth() -> Vec<f64> {
    (0..ITEMS).map(|item| 1.0 + (item * 5 % 7) as f64).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_search_finds_what_there_is(lists in lists(), n_classes in 1usize..60, k in 1u64..4,
        copies in 1usize..20) {
        let lists: Vec<Vec<u32>> =
            lists.iter().cycle().take(lists.len() * copies).cloned().collect();
        let (sets, worth) = (Transactions::from_sets(ITEMS, lists), worth());
        let task = SetTask::new(&sets, &worth, k);
        with_sets!(&sets, rows => {
            let mut state = State::new(&task, rows, some_classes(&sets, n_classes.min(sets.len())));
            state.close();
            let found = search(&state, &sets.counts());
            let contains = |record: usize, class: usize| {
                state.classes[class].set.iter().all(|item| state.has(record as u32, *item))
            };
            let mut guests = vec![Vec::new(); state.classes.len()];
            for record in 0..sets.len() {
                let own = state.own(record as u32);
                let mut best: Option<Elsewhere> = None;
                for (number, class) in state.classes.iter().enumerate() {
                    if state.of_record[record] as usize == number || !contains(record, number) {
                        continue;
                    }
                    if class.worth > 0.5 * own.worth
                        && best.is_none_or(|best| class.worth > best.worth) {
                        best = Some(Elsewhere { class: number as u32, worth: class.worth });
                    }
                    if class.worth > 0.9 * own.worth && own.size > k {
                        guests[number].push(record as u32);
                    }
                }
                prop_assert_eq!(found.elsewhere[record], best);
            }
            for (class, guests) in guests.iter().enumerate() {
                prop_assert_eq!(found.guests(class), guests);
            }
        });
    }

    #[test]
    fn every_set_is_published_for_k_and_nothing_is_lost(lists in lists(), k in 1u64..12,
        rounds in 1usize..6) {
        let (collapsed, worth) = (Collapsed::of(&Transactions::from_sets(ITEMS, lists)), worth());
        let (sets, weights) = (&collapsed.sets, &collapsed.weights);
        let task = SetTask { weights: Some(weights), ..SetTask::new(sets, &worth, k) };
        let classes = some_classes(sets, (sets.len() / k as usize).max(1));
        let sum = |published: &PublishedSets| -> f64 {
            let of_set = |set: u32| -> f64 { published.sets.set(set as usize).iter()
                .map(|item| worth[*item as usize]).sum() };
            published.of_record.iter().zip(weights)
                .map(|(set, weight)| of_set(*set) * f64::from(*weight)).sum()
        };
        let mut last = sum(&polish(&task, classes.clone(), 0).unwrap());
        for rounds in 1..=rounds {
            let polished = polish(&task, classes.clone(), rounds).unwrap();
            let mut sizes = vec![0; polished.sets.len()];
            for (record, set) in polished.of_record.iter().enumerate() {
                sizes[*set as usize] += u64::from(weights[record]);
                let has = sets.set(record);
                prop_assert!(polished.sets.set(*set as usize).iter()
                    .all(|item| has.contains(item)));
            }
            let enough = weights.iter().map(|weight| u64::from(*weight)).sum::<u64>() >= k;
            prop_assert!(!enough || sizes.iter().all(|size| *size >= k));
            prop_assert!(sum(&polished) >= last);
            last = sum(&polished);
        }
    }
}
