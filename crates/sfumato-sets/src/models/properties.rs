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

    /// Run a job over lines, and answer queries over its release: the estimates and the truths.
    fn released(lines: &str, section: &str, model: &str, queries: &[&str]) -> Vec<(f64, u64)> {
        use sfumato_core::observer::Unobserved;
        use sfumato_engine::Job;
        use sfumato_engine::entry::Request;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("in.dat"), lines).unwrap();
        std::fs::write(folder.path().join("tree.csv"), "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n").unwrap();
        let text = format!(
            "[input]\npath = \"in.dat\"\n[baskets]\nlayout = \"lines\"\n{section}\n[privacy]\n\
             models = [\"{model}\"]\n[output]\npath = \"out\"\n[run]\nseed = 1\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        let takes = |entry: &&&dyn sfumato_engine::AnyRelease| entry.takes(&job).unwrap();
        let entry = *crate::RELEASES.iter().find(takes).unwrap();
        entry.run(&job, &Unobserved).unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let mut release = Job::default();
        release.set("input", "path", path("out"));
        let mut original = Job::default();
        original.set("input", "path", path("in.dat"));
        original.set("baskets", "layout", "lines");
        if section.contains("hierarchy") {
            release.set("baskets", "hierarchy", path("tree.csv"));
        }
        let queries = queries.iter().map(|query| query.to_string()).collect();
        let request =
            Request { job: release, original: Some(original), queries, ..Request::default() };
        let answers = entry.query(&request, &Unobserved).unwrap().answers;
        let figures = |answer: &sfumato_engine::query::Answer| {
            let truth = answer.truth.as_ref().and_then(|truth| truth.as_u64()).unwrap();
            (answer.estimate.as_ref().and_then(|found| found.as_f64()).unwrap(), truth)
        };
        answers.iter().map(figures).collect()
    }

    fn says(properties: Properties, name: &str) -> &'static str {
        properties.iter().find(|(other, _)| *other == name).unwrap().1
    }

    /// The records of the band matrix: wine, meat, cream, strawberries and what is sensitive.
    const BAND: &str = "wine meat viagra\nwine meat\nwine meat cream\nmeat strawberries\n\
                        cream strawberries test\n";

    #[test]
    fn only_buckets_of_private_items_change_what_follows_from_public_ones() {
        // What can be concluded from cream without meat: all who bought that had the test.
        let asked = ["count where cream and not meat", "count where cream and not meat and test"];
        let found =
            released(BAND, "sensitive = [\"viagra\", \"test\"]", "privacy-degree(p=2)", &asked);
        assert_eq!((found[0], found[1].1), ((1.0, 1), 1));
        assert!(found[1].0 < 1.0, "an inference was kept: {found:?}");
        assert_eq!(says(PRIVACY_DEGREE, "permits inferences"), "no");
        assert_eq!(says(PRIVACY_DEGREE, "truthful"), "no");
        // Combinations of harmless items are published as they are.
        let asked = ["count where wine and meat", "count where meat and strawberries"];
        let found =
            released(BAND, "sensitive = [\"viagra\", \"test\"]", "privacy-degree(p=2)", &asked);
        assert!(found.iter().all(|(estimate, truth)| *estimate == *truth as f64));
        assert_eq!(says(PRIVACY_DEGREE, "itemset utility"), "yes");
        // Leaving items out of all records changes none of it: a, b, c and d, of which d goes.
        let lists: [&[u32]; 6] = [&[0, 1], &[0, 1], &[0, 1], &[0, 2], &[0, 2], &[3]];
        let public = Transactions::from_sets(4, lists.map(|list| list.to_vec()));
        let private = Transactions::from_sets(2, [0, 0, 1, 1, 0, 0].map(|item| vec![item]));
        let most = Some(Share::of_decimal(0.8).unwrap());
        let asked = [AskedCombinations { size: 2, required: 2, most }];
        let task = crate::traits::SetTask {
            combinations: &asked,
            private: Some(&private),
            ..crate::traits::SetTask::new(&public, &[1.0; 4], 2)
        };
        let algorithm = crate::algorithms::find("item-suppression").unwrap();
        let params = Params::check(algorithm.info(), &Default::default()).unwrap();
        let kept = algorithm.anonymize(&params, &task).unwrap();
        let count = |rows: &Transactions, items: &[u32], ill: Option<u32>| {
            let has = |row: &usize| {
                let set = rows.set(*row);
                items.iter().all(|item| set.contains(item))
                    && ill.is_none_or(|ill| private.set(*row).contains(&ill))
            };
            (0..rows.len()).filter(has).count()
        };
        assert_eq!(kept.sets.counts(), [5, 3, 2, 0]);
        for items in [&[0u32][..], &[1], &[2], &[0, 1], &[0, 2]] {
            for ill in [None, Some(0), Some(1)] {
                assert_eq!(count(&kept.sets, items, ill), count(&public, items, ill));
            }
        }
        for name in ["truthful", "permits inferences", "itemset utility"] {
            assert_eq!(says(COHERENCE, name), "yes", "{name}");
        }
    }

    #[test]
    fn cuts_keep_counts_of_nodes_and_lose_those_of_items() {
        let lines = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"];
        let tree = book();
        let leaf = |name: &str| tree.labels().iter().position(|l| l == name).unwrap() as u32;
        let sets = lines.map(|line| line.split(' ').map(leaf).collect());
        let leaves = Transactions::from_sets(tree.n_nodes(), sets);
        let asked = [AskedCombinations { size: 2, required: 2, most: None }];
        let task = TreeTask::new(&tree, &leaves, 2, &asked);
        let published = |name: &str| {
            let call: Call = name.parse().unwrap();
            let algorithm = generalization::find(&call.name).unwrap();
            let params = Params::check(algorithm.info(), &call.args).unwrap();
            algorithm.anonymize(&params, &task).unwrap()
        };
        // Every node of a row of a cut is in as many rows as records have something below it.
        let truth = |node: u32| {
            let has = |record: &usize| leaves.set(*record).iter().any(|l| tree.covers(node, *l));
            (0..leaves.len()).filter(has).count() as u64
        };
        let rows = |decided: &crate::algorithms::generalization::GeneralizedSets, node: u32| {
            let has = |set: &&u32| decided.sets.set(**set as usize).contains(&node);
            decided.of_record.iter().filter(has).count() as u64
        };
        let cut = published("cut-search");
        let nodes = || (0..tree.n_nodes() as u32).filter(|node| rows(&cut, *node) > 0);
        assert!(nodes().all(|node| rows(&cut, node) == truth(node)));
        assert_eq!(says(KM_ANONYMITY, "truthful"), "yes");
        // But how often a1 occurs, or a1 with b2, no row says.
        assert_eq!((rows(&cut, leaf("a1")), truth(leaf("a1"))), (0, 2));
        assert_eq!(says(KM_ANONYMITY, "itemset utility"), "no");
        // With local partitions an item is in fewer rows than records have it.
        let lists = ["a1 b1", "a2 b1 b2", "a1 a2 b2", "a1 a2 b1 b2"];
        let sets = lists.map(|line| line.split(' ').map(leaf).collect());
        let leaves = Transactions::from_sets(tree.n_nodes(), sets);
        let task = TreeTask::new(&tree, &leaves, 2, &[]);
        let algorithm = generalization::find("set-partition").unwrap();
        let params = Params::check(algorithm.info(), &Default::default()).unwrap();
        let local = algorithm.anonymize(&params, &task).unwrap();
        assert_eq!(rows(&local, leaf("a1")), 2);
        let has = |record: &usize| leaves.set(*record).contains(&leaf("a1"));
        assert_eq!((0..leaves.len()).filter(has).count(), 3);
        for name in ["truthful", "itemset utility", "value exclusive"] {
            assert_eq!(says(K_ANONYMITY, name), "no", "{name}");
        }
        // Neither knows of private items: there is nothing to infer.
        assert_eq!(says(K_ANONYMITY, "permits inferences"), "not asked");
        assert_eq!(says(KM_ANONYMITY, "permits inferences"), "not asked");
    }
}
