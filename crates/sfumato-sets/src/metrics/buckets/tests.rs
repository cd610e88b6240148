//! Tests the paper's example, and compares every measure with its definition.

use proptest::prelude::*;
use sfumato_core::transactions::Transactions;

use super::frequent_itemsets::{FrequentSets, Mining, mine};
use super::queries::Query;
use super::query_error::{count, errors_of_queries};
use super::reconstruct::Reconstruction;
use super::reconstruction_kl::{kl_divergence, kl_of_queries};
use super::*;
use crate::data::{FactCounts, Groups};
use crate::traits::BucketView;

/// Baskets in groups: quasi items, sensitive items and a label for each record.
#[derive(Debug, Clone)]
struct Sample {
    quasi: Transactions,
    sensitive: Transactions,
    groups: Groups,
    counts: FactCounts,
}

impl Sample {
    fn new(n_items: usize, records: &[(Vec<u32>, Vec<u32>, u32)]) -> Self {
        let quasi = Transactions::from_sets(n_items, records.iter().map(|record| record.0.clone()));
        let sensitive =
            Transactions::from_sets(n_items, records.iter().map(|record| record.1.clone()));
        let groups =
            Groups::from_labels(&records.iter().map(|record| record.2).collect::<Vec<u32>>());
        let counts = FactCounts::of(&groups, &sensitive);
        Sample { quasi, sensitive, groups, counts }
    }
    fn view(&self) -> BucketView<'_> {
        BucketView {
            quasi: &self.quasi,
            sensitive: &self.sensitive,
            groups: &self.groups,
            counts: &self.counts,
            seed: 5,
        }
    }
}

const WINE: u32 = 0;
const MEAT: u32 = 1;
const CREAM: u32 = 2;
const STRAWBERRIES: u32 = 3;
const VIAGRA: u32 = 4;
const PREGNANCY_TEST: u32 = 5;

/// Bob, David, Ellen; Andrea, Claire.
fn example() -> Sample {
    Sample::new(
        6,
        &[
            (vec![WINE, MEAT], vec![VIAGRA], 1),
            (vec![WINE, MEAT], vec![], 1),
            (vec![WINE, MEAT, CREAM], vec![], 1),
            (vec![MEAT, STRAWBERRIES], vec![], 2),
            (vec![CREAM, STRAWBERRIES], vec![PREGNANCY_TEST], 2),
        ],
    )
}

#[test]
fn the_papers_example_is_measured() {
    let sample = example();
    let release = Reconstruction::new(&sample.view());
    let cells = release.cells(PREGNANCY_TEST, &[MEAT, CREAM]);
    // Cells: neither, meat alone, cream alone, both. Of the one record with cream and no meat half
    // is expected to have the test.
    assert_eq!(cells.actual, [0, 0, 1, 0]);
    assert_eq!(cells.estimated, [0.0, 0.5, 0.5, 0.0]);
    let divergence =
        |fact| kl_divergence(&release.cells(fact, &[MEAT, CREAM]), std::f64::consts::E);
    assert!((divergence(PREGNANCY_TEST) - 2f64.ln()).abs() < 1e-12);
    assert!((divergence(VIAGRA) - 1.5f64.ln()).abs() < 1e-12);
    let query = Query { fact: PREGNANCY_TEST, items: vec![MEAT, CREAM] };
    let bits = kl_of_queries(&release, &[query], 2.0);
    assert!((bits[0] - 1.0).abs() < 1e-12);
    // The one record with cream and strawberries has the test: certainly in truth, and with a
    // probability of one half by the release.
    let query = Query { fact: PREGNANCY_TEST, items: vec![CREAM, STRAWBERRIES] };
    assert_eq!(count(&release, &query), (1, 0.5));
    assert_eq!(errors_of_queries(&release, &[query], 1.0), [0.5]);
}

#[test]
fn entries_measure_the_example() {
    let sample = example();
    let measured: Vec<Option<f64>> =
        ALL.iter().map(|metric| metric.measure(&sample.view())).collect();
    let exact = Sample { groups: Groups::from_labels(&[0, 1, 2, 3, 4]), ..sample.clone() };
    let exact = Sample { counts: FactCounts::of(&exact.groups, &exact.sensitive), ..exact };
    let best: Vec<Option<f64>> = ALL.iter().map(|metric| metric.measure(&exact.view())).collect();
    assert_eq!(best, [Some(0.0), Some(0.0), Some(1.0), Some(1.0)]);
    assert!(measured[0] > Some(0.0) && measured[1] > Some(0.0), "{measured:?}");
    // Viagra with wine, meat and both reaches one record in the estimates, the test with
    // strawberries does, not with cream or both.
    assert_eq!(measured[2..], [Some(1.0), Some(4.0 / 6.0)]);
    let nothing = Sample::new(6, &[(vec![WINE], vec![], 0)]);
    assert!(ALL.iter().all(|metric| metric.measure(&nothing.view()).is_none()));
    for metric in ALL {
        let info = metric.info();
        assert_eq!(find(info.name).unwrap().info().name, info.name);
        assert!(info.doc.len() > 200 && !info.summary.ends_with('.'));
    }
    assert!(find("reconstruction").is_err());
}

fn samples() -> impl Strategy<Value = Sample> {
    let quasi = prop::collection::vec(0u32..6, 0..5);
    let sensitive = prop::collection::vec(6u32..9, 0..2);
    prop::collection::vec((quasi, sensitive, 0u32..5), 1..30)
        .prop_map(|records| Sample::new(9, &records))
}

/// The estimated and the true support of a sensitive item among records of a kind, by definition.
fn plain(sample: &Sample, fact: u32, of_kind: impl Fn(&[u32]) -> bool) -> (u64, f64) {
    let mut actual = 0;
    let mut estimated = 0.0;
    for group in 0..sample.groups.len() as u32 {
        let of_record = sample.groups.of_record().iter();
        let members: Vec<usize> =
            of_record.enumerate().filter(|(_, g)| **g == group).map(|(i, _)| i).collect();
        let has = |i: &&usize| sample.sensitive.set(**i).contains(&fact);
        let kind = |i: &&usize| of_kind(&sample.quasi.set(**i));
        let (a, b) = (members.iter().filter(has).count(), members.iter().filter(kind).count());
        estimated += a as f64 * b as f64 / members.len() as f64;
        actual += members.iter().filter(has).filter(kind).count() as u64;
    }
    (actual, estimated)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn cells_and_divergence_are_as_defined(sample in samples(), fact in 6u32..9, n in 0usize..5) {
        let items: Vec<u32> = [4, 0, 2, 1][..n.min(4)].to_vec();
        let release = Reconstruction::new(&sample.view());
        let cells = release.cells(fact, &items);
        let total = sample.sensitive.counts()[fact as usize];
        let mut divergence = 0.0;
        for cell in 0..1usize << items.len() {
            let in_cell = |set: &[u32]| {
                items.iter().enumerate()
                    .all(|(bit, item)| set.contains(item) == (cell >> bit & 1 == 1))
            };
            let (actual, estimated) = plain(&sample, fact, in_cell);
            prop_assert_eq!(cells.actual[cell], actual);
            prop_assert!((cells.estimated[cell] - estimated).abs() < 1e-9);
            prop_assert!(actual == 0 || cells.estimated[cell] > 0.0);
            if actual > 0 {
                divergence += actual as f64 / total as f64 * (actual as f64 / estimated).log10();
            }
        }
        prop_assert!((kl_divergence(&cells, 10.0) - divergence.max(0.0)).abs() < 1e-9);
        let query = Query { fact, items: items.clone() };
        let (actual, estimated) =
            plain(&sample, fact, |set| items.iter().all(|item| set.contains(item)));
        let error = (actual as f64 - estimated).abs() / (actual as f64).max(2.5);
        prop_assert!((errors_of_queries(&release, &[query], 2.5)[0] - error).abs() < 1e-9);
    }

    #[test]
    fn frequent_sets_are_those_that_a_plain_count_finds(sample in samples(), least in 1u32..5,
        most in 1usize..5) {
        let mining =
            Mining { support: f64::from(least) / sample.quasi.len() as f64, most_items: most };
        let mut expected = FrequentSets::default();
        for fact in 6..9 {
            for set in 1u32..1 << 6 {
                let items: Vec<u32> = (0..6).filter(|item| set >> item & 1 == 1).collect();
                if items.len() + 1 > most {
                    continue;
                }
                let (actual, estimated) =
                    plain(&sample, fact, |own| items.iter().all(|item| own.contains(item)));
                let (actual, estimated) =
                    (actual >= u64::from(least), estimated + 1e-9 >= f64::from(least));
                expected.actual += u64::from(actual);
                expected.estimated += u64::from(estimated);
                expected.both += u64::from(actual && estimated);
            }
        }
        prop_assert_eq!(mine(&Reconstruction::new(&sample.view()), &mining), expected);
    }
}
