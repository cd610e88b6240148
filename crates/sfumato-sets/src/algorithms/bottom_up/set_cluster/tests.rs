//! Compares exact clustering with a simple search of all records.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sfumato_core::registry::{Argument, Params};
use sfumato_core::transactions::Transactions;

use super::{INFO, SetCluster};
use crate::traits::{SetAlgorithm, SetTask};
use sfumato_kernels::seeded::Seeded;

type Set = BTreeSet<u32>;

/// The published sets of the clusters by a simple search. All sets must be different, so that none
/// are collapsed.
fn plain(sets: &[Set], utilities: &[f64], k: usize, seed: u64) -> Vec<Set> {
    let worth = |set: &Set| set.iter().fold(0.0, |worth, item| worth + utilities[*item as usize]);
    let both = |a: &Set, b: &Set| a.intersection(b).copied().collect::<Set>();
    let mut left: Vec<usize> = (0..sets.len()).collect();
    let mut clusters: Vec<(Vec<usize>, Set)> = Vec::new();
    let mut from = Seeded::new(seed).below(sets.len());
    let take = |left: &mut Vec<usize>, value: &dyn Fn(usize) -> f64| {
        let best =
            left.iter().copied().max_by(|a, b| value(*a).total_cmp(&value(*b)).then(b.cmp(a)));
        let best = best.expect("somebody is left");
        left.retain(|other| *other != best);
        best
    };
    while left.len() >= k {
        from = take(&mut left, &|i| worth(&sets[i]) - 2.0 * worth(&both(&sets[from], &sets[i])));
        let (mut members, mut common) = (vec![from], sets[from].clone());
        while members.len() < k {
            let next = take(&mut left, &|i| worth(&both(&common, &sets[i])));
            common = both(&common, &sets[next]);
            members.push(next);
        }
        clusters.push((members, common));
    }
    for i in left {
        let gain = |(members, common): &(Vec<usize>, Set)| {
            let n = members.len() as f64;
            (n + 1.0) * worth(&both(common, &sets[i])) - n * worth(common)
        };
        let order = 0..clusters.len();
        let best =
            order.max_by(|a, b| gain(&clusters[*a]).total_cmp(&gain(&clusters[*b])).then(b.cmp(a)));
        let (members, common) = &mut clusters[best.expect("there are k records")];
        *common = both(common, &sets[i]);
        members.push(i);
    }
    let mut published = vec![Set::new(); sets.len()];
    for (members, common) in clusters {
        members.into_iter().for_each(|i| published[i] = common.clone());
    }
    published
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_exact_search_is_exact(
        sets in prop::collection::btree_set(prop::collection::btree_set(0u32..12, 0..9), 1..40),
        utilities in prop::collection::vec(0u8..5, 12),
        k in 1usize..7,
        seed in 0u64..5,
    ) {
        let sets: Vec<Set> = sets.into_iter().collect();
        let utilities: Vec<f64> = utilities.into_iter().map(f64::from).collect();
        let k = k.min(sets.len());
        let all = Transactions::from_sets(12, sets.iter().map(|set| set.iter().copied().collect()));
        let args = BTreeMap::from([("neighbours".to_string(), Argument::Word("all".to_string()))]);
        let params = Params::check(&INFO, &args).unwrap();
        let task = SetTask { seed, ..SetTask::new(&all, &utilities, k as u64) };
        let published = SetCluster.anonymize(&params, &task).unwrap();
        for (i, expected) in plain(&sets, &utilities, k, seed).into_iter().enumerate() {
            let set: Set =
                published.sets.set(published.of_record[i] as usize).into_iter().collect();
            prop_assert_eq!(set, expected, "record {}", i);
        }
    }
}
