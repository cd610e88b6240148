//! Suppression of items on the book's example, and against the definition on random records.

use crate::traits::{SetAlgorithm as _, SetTask};
use proptest::prelude::*;
use sfumato_core::combinations::{AskedCombinations, Share};
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{ErrorKind, Result};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

use super::all_moles::all_moles;
use super::item_suppression::{ItemSuppression, suppressed};
use super::moles::Moles;

/// The items of the book's Table 13.1 and their codes.
const ITEMS: &str = "abcdefgxyz";

fn codes(letters: &str) -> Vec<u32> {
    letters.chars().map(|letter| ITEMS.find(letter).unwrap() as u32).collect()
}

fn letters(items: impl Iterator<Item = u32>) -> String {
    items.map(|item| ITEMS.as_bytes()[item as usize] as char).collect()
}

/// Public items and the private one of each record: diabetes, hepatitis, HIV.
fn book(second: &str) -> (Transactions, Transactions) {
    let public = ["acdfg", second, "bdfx", "bcgyz", "aefg"].map(codes);
    let private = [0u32, 1, 1, 2, 2].map(|item| vec![item]);
    (Transactions::from_sets(10, public), Transactions::from_sets(3, private))
}

fn asked(h: f64, k: u64, p: usize) -> AskedCombinations {
    AskedCombinations { size: p, required: k, most: Some(Share::of_decimal(h).unwrap()) }
}

fn params(call: &str) -> Params {
    let call: Call = call.parse().unwrap();
    Params::check(ItemSuppression.info(), &call.args).unwrap()
}

fn run(
    (public, private): &(Transactions, Transactions),
    asked: &AskedCombinations,
    call: &str,
) -> Result<(String, Vec<String>)> {
    let utilities = vec![1.0; public.n_items()];
    let task = SetTask {
        combinations: std::slice::from_ref(asked),
        private: Some(private),
        ..SetTask::new(public, &utilities, asked.required)
    };
    let gone = suppressed(&params(call), &task)?;
    let published = ItemSuppression.anonymize(&params(call), &task)?;
    let gone = letters((0..gone.len() as u32).filter(|item| gone[*item as usize]));
    let sets = (0..public.len()).map(|set| letters(published.sets.set(set).into_iter())).collect();
    Ok((gone, sets))
}

/// The smallest failing combinations of some records.
fn moles((public, private): &(Transactions, Transactions), asked: &AskedCombinations) -> String {
    let records = Records { sets: public, weights: None, private: Some(private) };
    let listed = Listed { failing: true, passing: false };
    let mined = mine(records, asked, listed, Limits::default()).unwrap();
    let all = mined.failing.iter().flat_map(|list| list.iter());
    all.map(|(items, _)| letters(items.iter().copied())).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_book_s_table_is_made_coherent_as_printed() {
    let (data, asked) = (book("abcf"), asked(0.8, 2, 2));
    assert_eq!(moles(&data, &asked), "e x y z ab ad bd bf bg cd dg");
    let (gone, sets) = run(&data, &asked, "item-suppression").unwrap();
    assert_eq!(gone, "bdexyz");
    assert_eq!(sets, ["acfg", "acf", "f", "cg", "afg"]);
    // For three known items it isn't enough.
    let codes = |sets: &[String]| sets.iter().map(|set| codes(set)).collect::<Vec<_>>();
    let left = (Transactions::from_sets(10, codes(&sets)), data.1.clone());
    assert_eq!(moles(&left, &asked), "");
    assert_eq!(moles(&left, &self::asked(0.8, 2, 3)), "acg cfg");
    // The table as it is printed.
    let printed = book("abcd");
    assert_eq!(moles(&printed, &asked), "e x y z ab bd bf bg cf dg");
    assert_eq!(run(&printed, &asked, "item-suppression").unwrap().0, "bcdexyz");
    // With one known item the size-one moles are all that fails.
    let one = self::asked(0.8, 2, 1);
    assert_eq!(run(&data, &one, "item-suppression").unwrap().0, "exyz");
}

#[test]
fn counts_of_moles_are_those_of_the_book() {
    let data = book("abcf");
    let records = Records { sets: &data.0, weights: None, private: Some(&data.1) };
    let listed = Listed { failing: true, passing: false };
    let mined = mine(records, &asked(0.8, 2, 2), listed, Limits::default()).unwrap();
    let larger = mined.failing.iter().skip(1).flat_map(|list| list.iter().map(|(items, _)| items));
    let mut moles = Moles::of(10, larger);
    let counts = |moles: &Moles| codes("dbagcf").iter().map(|i| moles.left(*i)).collect::<Vec<_>>();
    assert_eq!(counts(&moles), [4, 4, 2, 2, 1, 1]);
    moles.suppress(codes("d")[0]);
    assert_eq!(counts(&moles), [0, 3, 1, 1, 0, 1]);
    moles.suppress(codes("b")[0]);
    assert_eq!(counts(&moles), [0; 6]);
}

#[test]
fn all_failing_combinations_are_those_of_the_definition() {
    let data = book("abcf");
    let utilities = vec![1.0; 10];
    let asked = asked(0.8, 2, 3);
    let task = SetTask {
        combinations: std::slice::from_ref(&asked),
        private: Some(&data.1),
        ..SetTask::new(&data.0, &utilities, 2)
    };
    let mut gone = vec![false; 10];
    codes("exyz").into_iter().for_each(|item| gone[item as usize] = true);
    let found: Vec<String> = all_moles(&task, &asked, &gone)
        .unwrap()
        .into_iter()
        .map(|m| letters(m.into_iter()))
        .collect();
    // Every part of a record, counted one by one.
    let mut expected = Vec::new();
    for bits in 1u32..128 {
        let items: Vec<u32> = (0..7).filter(|item| bits >> item & 1 == 1 && *item != 4).collect();
        if items.len() != bits.count_ones() as usize || !(2..=3).contains(&items.len()) {
            continue;
        }
        let has = |at: &usize| items.iter().all(|item| data.0.set(*at).contains(item));
        let with: Vec<usize> = (0..5).filter(has).collect();
        let ill = |e: u32| with.iter().filter(|at| data.1.set(**at).contains(&e)).count();
        let most = (0..3).map(ill).max().unwrap_or(0);
        if !with.is_empty() && (with.len() < 2 || most * 10 > with.len() * 8) {
            expected.push(letters(items.into_iter()));
        }
    }
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(found.contains(&"acg".to_string()) && found.len() > 7);
}

#[test]
fn global_suppression_keeps_confidences_and_local_suppression_does_not() {
    // Example 13.2: {a, b, HIV}, {a, b, d, f, HIV}, {b, d, f, diabetes}.
    let support = |records: [&str; 3], items: &str, private: Option<usize>| {
        let has = |at: &usize| items.chars().all(|item| records[*at].contains(item));
        let is = |at: &usize| private.is_none_or(|private| [0, 0, 1][*at] == private);
        (0..3).filter(has).filter(is).count()
    };
    let (before, global, local) = (["ab", "abdf", "bdf"], ["b", "bd", "bd"], ["ab", "adf", "bdf"]);
    let both = |records| (support(records, "bd", None), support(records, "bd", Some(0)));
    assert_eq!((both(before), both(global), both(local)), ((2, 1), (2, 1), (1, 0)));
}

#[test]
fn what_nothing_helps_is_infeasible() {
    let all_hiv = Transactions::from_sets(3, (0..5).map(|_| vec![2]));
    let data = (book("abcf").0, all_hiv);
    let error = run(&data, &asked(0.8, 2, 2), "item-suppression").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    let error = run(&book("abcf"), &asked(0.8, 6, 2), "item-suppression").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    // A model about private items without any never holds.
    let public = book("abcf").0;
    let utilities = vec![1.0; 10];
    let asked = asked(0.8, 2, 2);
    let task = SetTask {
        combinations: std::slice::from_ref(&asked),
        ..SetTask::new(&public, &utilities, 2)
    };
    let error = ItemSuppression.anonymize(&params("item-suppression"), &task).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Params);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_is_left_holds_and_nothing_goes_in_vain(
        records in prop::collection::vec((prop::collection::vec(0u32..8, 0..6),
            prop::collection::vec(0u32..3, 0..2)), 3..25),
        k in 1u64..4,
        p in 1usize..4,
        h in 3u32..11,
        loss in prop::sample::select(vec!["constant", "support", "nuggets", "nuggets, moles=all"]),
    ) {
        let public = Transactions::from_sets(8, records.iter().map(|(set, _)| set.clone()));
        let private = Transactions::from_sets(3, records.iter().map(|(_, set)| set.clone()));
        let data = (public, private);
        let asked = asked(f64::from(h) / 10.0, k, p);
        let call = format!("item-suppression(loss={loss})");
        let holds = |sets: &Transactions| {
            let records = Records { sets, weights: None, private: Some(&data.1) };
            mine(records, &asked, Listed::default(), Limits::default()).unwrap().counted
                .failing.is_none()
        };
        match run(&data, &asked, &call) {
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::Infeasible);
                // Not even without any item.
                let nothing = Transactions::from_sets(8, records.iter().map(|_| Vec::new()));
                prop_assert!(!holds(&nothing));
            }
            Ok((gone, sets)) => {
                let sets: Vec<Vec<u32>> = sets.iter().map(|set| codes(set)).collect();
                prop_assert!(holds(&Transactions::from_sets(8, sets.clone())));
                for item in codes(&gone) {
                    let back = |at: usize| {
                        let mut set = sets[at].clone();
                        set.extend(data.0.set(at).into_iter().filter(|other| *other == item));
                        set
                    };
                    let with = Transactions::from_sets(8, (0..sets.len()).map(back));
                    prop_assert!(!holds(&with), "{} could stay", item);
                }
            }
        }
    }
}
