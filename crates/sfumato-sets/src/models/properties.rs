//! How the book's survey characterises models of baskets (Table 13.7): as data, one list for each
//! model, and tests that each word is true of what is published.

/// A property and what it says.
type Properties = &'static [(&'static str, &'static str)];

/// Coherence: items are left out of all records.
pub(super) const COHERENCE: Properties = &[
    ("record linkage", "yes"),
    ("attribute linkage", "yes"),
    ("adversary", "bounded: at most p items"),
    ("truthful", "yes"),
    ("permits inferences", "yes"),
    ("itemset utility", "yes"),
    ("value exclusive", "yes"),
];

/// The privacy degree of buckets: a band matrix and groups.
pub(super) const PRIVACY_DEGREE: Properties = &[
    ("record linkage", "no"),
    ("attribute linkage", "yes"),
    ("adversary", "unbounded"),
    ("truthful", "no"),
    ("permits inferences", "no"),
    ("itemset utility", "yes"),
    ("value exclusive", "yes"),
];

/// k^m-anonymity by a cut of the item hierarchy.
pub(super) const KM_ANONYMITY: Properties = &[
    ("record linkage", "yes"),
    ("attribute linkage", "no"),
    ("adversary", "bounded: at most m items"),
    ("truthful", "yes"),
    ("permits inferences", "not asked"),
    ("itemset utility", "no"),
    ("value exclusive", "yes"),
];

/// k-anonymity of sets by local generalization.
pub(super) const K_ANONYMITY: Properties = &[
    ("record linkage", "yes"),
    ("attribute linkage", "no"),
    ("adversary", "unbounded"),
    ("truthful", "no"),
    ("permits inferences", "not asked"),
    ("itemset utility", "no"),
    ("value exclusive", "no"),
];

#[cfg(test)]
mod tests {
    use sfumato_core::combinations::{AskedCombinations, Share};
    use sfumato_core::transactions::Transactions;
    use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};

    use super::*;
    use crate::algorithms::generalization::{self, TreeTask};
    use crate::data::item_tree::testing::book;
    use sfumato_core::registry::{Call, Params};

    /// The table as it is printed, without what limits an adversary.
    const PRINTED: [(&str, Properties, &str); 4] = [
        ("coherence", COHERENCE, "Y Y bounded Y Y Y Y"),
        ("privacy-degree", PRIVACY_DEGREE, "N Y unbounded N N Y Y"),
        ("km-anonymity", KM_ANONYMITY, "Y N bounded Y NA N Y"),
        ("k-anonymity", K_ANONYMITY, "Y N unbounded N NA N N"),
    ];

    #[test]
    fn they_are_those_of_the_printed_table() {
        for (name, properties, printed) in PRINTED {
            let model = super::super::find(name).unwrap();
            assert_eq!(model.info().properties, properties, "{name}");
            let word = |(_, what): &(&str, &'static str)| match *what {
                "yes" => "Y",
                "no" => "N",
                "not asked" => "NA",
                other => other.split(':').next().unwrap(),
            };
            let words: Vec<&str> = properties.iter().map(word).collect();
            assert_eq!(words.join(" "), printed, "{name}");
        }
    }

    fn fails(public: &[&[u32]], private: &[&[u32]], asked: AskedCombinations) -> bool {
        let sets = |n: usize, lists: &[&[u32]]| {
            Transactions::from_sets(n, lists.iter().map(|list| list.to_vec()))
        };
        let (public, private) = (sets(6, public), sets(2, private));
        let records = Records { sets: &public, weights: None, private: Some(&private) };
        let mined = mine(records, &asked, Listed::default(), Limits::default()).unwrap();
        mined.counted.failing.is_some()
    }

    #[test]
    fn linkage_is_what_models_of_combinations_differ_in() {
        let all: &[&[u32]] = &[&[0, 1, 2], &[0, 1], &[0, 2], &[1, 2]];
        let ill: &[&[u32]] = &[&[0], &[0], &[0], &[0]];
        let km = |m| AskedCombinations { size: m, required: 2, most: None };
        let most = Share::of_decimal(0.8).unwrap();
        let coherence = |p| AskedCombinations { most: Some(most), ..km(p) };
        // Two known items lead to two records: record linkage. The attacker is bounded: three lead
        // to one.
        assert!(!fails(all, ill, km(2)) && fails(all, ill, km(3)));
        // That all of them have the same private item is seen by coherence alone.
        assert!(fails(all, ill, coherence(2)));
        let mixed: &[&[u32]] = &[&[0], &[1], &[1], &[1]];
        assert!(!fails(all, mixed, coherence(2)) && fails(all, mixed, coherence(3)));
    }

    #[test]
    fn local_generalization_publishes_an_item_beside_what_is_above_it() {
        let tree = book();
        let leaf = |item: u32| tree.leaf(item).unwrap();
        let lists: [&[u32]; 4] = [&[0, 2], &[1, 2, 3], &[0, 1, 3], &[0, 1, 2, 3]];
        let sets = lists.map(|list| list.iter().map(|item| leaf(*item)).collect());
        let leaves = Transactions::from_sets(tree.n_nodes(), sets);
        let asked = [AskedCombinations { size: 2, required: 2, most: None }];
        let task = TreeTask::new(&tree, &leaves, 2, &asked);
        let published = |name: &str| {
            let call: Call = name.parse().unwrap();
            let algorithm = generalization::find(&call.name).unwrap();
            let params = Params::check(algorithm.info(), &call.args).unwrap();
            algorithm.anonymize(&params, &task).unwrap().sets.counts()
        };
        let is_exclusive = |counts: Vec<u64>| {
            let is_there = |node: &u32| counts[*node as usize] > 0;
            let nodes: Vec<u32> = (0..counts.len() as u32).filter(is_there).collect();
            let is_above = |a: &u32| nodes.iter().any(|b| a != b && tree.covers(*a, *b));
            !nodes.iter().any(is_above)
        };
        assert!(is_exclusive(published("cut-search")) && !is_exclusive(published("set-partition")));
    }
}
