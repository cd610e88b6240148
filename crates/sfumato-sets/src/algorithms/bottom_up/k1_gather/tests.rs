//! Compares the exact gathering with a simple search of all records.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sfumato_core::registry::{Argument, Params};
use sfumato_core::transactions::Transactions;

use super::{INFO, K1Gather};
use crate::traits::{SetAlgorithm, SetTask};

type Set = BTreeSet<u32>;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_exact_search_is_exact(
        sets in prop::collection::btree_set(prop::collection::btree_set(0u32..12, 0..9), 1..40),
        utilities in prop::collection::vec(0u8..5, 12),
        k in 1usize..7,
    ) {
        let sets: Vec<Set> = sets.into_iter().collect();
        let utilities: Vec<f64> = utilities.into_iter().map(f64::from).collect();
        let k = k.min(sets.len());
        let all = Transactions::from_sets(12, sets.iter().map(|set| set.iter().copied().collect()));
        let args = BTreeMap::from([("neighbours".to_string(), Argument::Word("all".to_string()))]);
        let params = Params::check(&INFO, &args).unwrap();
        let published =
            K1Gather.anonymize(&params, &SetTask::new(&all, &utilities, k as u64)).unwrap();
        for (i, own) in sets.iter().enumerate() {
            let (mut chosen, mut common) = (vec![i], own.clone());
            while chosen.len() < k {
                let worth = |j: usize| common.intersection(&sets[j])
                    .fold(0.0, |worth, item| worth + utilities[*item as usize]);
                let others = (0..sets.len()).filter(|j| !chosen.contains(j));
                let next =
                    others.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a))).unwrap();
                common = common.intersection(&sets[next]).copied().collect();
                chosen.push(next);
            }
            let set: Set =
                published.sets.set(published.of_record[i] as usize).into_iter().collect();
            prop_assert_eq!(set, common, "record {}", i);
            let witnesses: Vec<usize> =
                published.witnesses.as_ref().unwrap().of(published.of_record[i] as usize).iter()
                    .map(|j| *j as usize).collect();
            prop_assert_eq!(witnesses, chosen);
        }
    }
}
