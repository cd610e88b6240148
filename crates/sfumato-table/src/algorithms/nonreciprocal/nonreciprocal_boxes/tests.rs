//! Tests results by the definition: k matches for every record, regions around them, no loss by
//! exchanges, and the same result for any number of threads.

use proptest::prelude::*;
use sfumato_core::ErrorKind;
use sfumato_core::column::Codes;
use sfumato_core::dataset::Table;
use sfumato_core::group::Summary;
use sfumato_core::registry::{Argument, Call};
use sfumato_core::traits::{Measure, Requirement, Requirements, Scope};

use super::*;
use crate::algorithms::local::mondrian::Mondrian;
use crate::algorithms::shared::testing::{Numbers, People};

/// A requirement of a number of matches.
struct Matched(People);

impl Requirement for Matched {
    fn describe(&self) -> String {
        self.0.describe()
    }
    fn model(&self) -> &'static str {
        "matched"
    }
    fn scope(&self) -> Scope {
        Scope::Matches
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn holds(&self, group: &Summary, release: &Summary) -> bool {
        self.0.holds(group, release)
    }
    fn measures(&self) -> Vec<Measure> {
        self.0.measures()
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        self.0.measure(group, release)
    }
    fn min_people(&self) -> u64 {
        self.0.min_people()
    }
    fn is_count_only(&self) -> bool {
        true
    }
}

fn run(numbers: &Numbers, k: u64, call: &str) -> Result<Box<dyn Recoding>> {
    let call: Call = call.parse()?;
    let params = Params::check(NonreciprocalBoxes.info(), &call.args)?;
    numbers.with(k, 0, |task, _, _, _| {
        let requirements = Requirements::new(vec![Box::new(Matched(People(k)))]);
        NonreciprocalBoxes.anonymize(&params, &Task { requirements: &requirements, ..*task })
    })
}

fn check(numbers: &Numbers, recoding: &dyn Recoding, k: usize) {
    numbers.with(k as u64, 0, |task, space, _, _| {
        let matches = recoding.matches().unwrap();
        assert_eq!((matches.m(), matches.len()), (k, task.table.n_rows));
        // Made anew, so that the counts of both sides are looked at.
        let preimages = Matches::new(k, matches.all().to_vec()).unwrap().preimages();
        for (row, class) in recoding.class_of_row().iter().enumerate() {
            assert!(matches.of(row).contains(class));
            for matched in matches.of(row) {
                for (quasi, column) in task.table.quasi().iter().enumerate() {
                    assert!(recoding.value(*matched, quasi).covers(column, column.codes.get(row)));
                }
            }
        }
        for class in 0..recoding.n_classes() {
            let smallest = space.values(&space.around(preimages.of(class)));
            let published: Vec<Value> = (0..recoding.n_columns())
                .map(|quasi| recoding.value(class as u32, quasi))
                .collect();
            assert_eq!(published, smallest);
        }
    });
}

fn finding(recoding: &dyn Recoding, name: &str) -> f64 {
    recoding.findings().iter().find(|finding| finding.name == name).unwrap().value
}

/// Calls with every combination of the values of the parameters.
fn calls() -> Vec<Call> {
    let mut calls = vec![Call { name: INFO.name.into(), args: Default::default() }];
    for spec in INFO.params {
        let values: &[&str] = match spec.kind {
            ParamKind::Choice(values) => values,
            ParamKind::Flag => &["true", "false"],
            _ => panic!("say here what '{}' may be", spec.name),
        };
        let with = |call: &Call, value: &str| {
            let mut call = call.clone();
            call.args.insert(spec.name.into(), Argument::Word(value.into()));
            call
        };
        calls =
            calls.iter().flat_map(|call| values.iter().map(|value| with(call, value))).collect();
    }
    calls
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn everybody_matches_k_regions(
        cells in prop::collection::vec((0u32..=100, 0u32..=101, 0u32..4), 1..60),
        k in 1usize..7,
    ) {
        let k = k.min(cells.len());
        let one: Vec<u32> = cells.iter().map(|cell| cell.0).collect();
        // 101 is missing.
        let two: Vec<u32> = cells.iter().map(|cell| cell.1).collect();
        let three: Vec<u32> = cells.iter().map(|cell| cell.2).collect();
        let tables = [Numbers::new(&[&one, &two, &three]), Numbers::banded(&one, &[5, 20])];
        for numbers in &tables {
            for call in calls() {
                let recoding = run(numbers, k as u64, &call.to_string()).unwrap();
                check(numbers, recoding.as_ref(), k);
                let [before, after] = ["mean_price_at_first", "mean_price"]
                    .map(|name| finding(recoding.as_ref(), name));
                prop_assert!(after <= before + 1e-9, "{call}: {before} {after}");
            }
        }
    }
}

/// Two correlated columns of numbers.
fn many(n: u32) -> Numbers {
    let one: Vec<u32> = (0..n).map(|row| row.wrapping_mul(2_654_435_761) >> 8 & 63).collect();
    let two: Vec<u32> =
        one.iter().zip(0u32..).map(|(code, row)| (code + (row * row) % 23) % 101).collect();
    let three: Vec<u32> = (0..n).map(|row| row.wrapping_mul(40_503) >> 4 & 31).collect();
    Numbers::new(&[&one, &two, &three])
}

#[test]
fn less_is_lost_than_in_classes_and_threads_do_not_matter() {
    let numbers = many(5_000);
    let (k, call) = (5, "nonreciprocal-boxes");
    let recoding = run(&numbers, k, call).unwrap();
    check(&numbers, recoding.as_ref(), k as usize);
    let [before, after] =
        ["mean_price_at_first", "mean_price"].map(|name| finding(recoding.as_ref(), name));
    let in_classes = numbers.with(k, 0, |task, _, _, _| {
        let params = Params::check(Mondrian.info(), &Default::default()).unwrap();
        let recoding = Mondrian.anonymize(&params, task).unwrap();
        task.objective.total(task.table, recoding.as_ref()) / task.table.n_rows as f64
    });
    assert!(before <= in_classes + 1e-9 && after < 0.98 * before, "{in_classes} {before} {after}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(|| run(&numbers, k, call).unwrap());
    assert_eq!(alone.class_of_row(), recoding.class_of_row());
    assert_eq!(alone.matches(), recoding.matches());
}

#[test]
fn a_tour_is_shorter_than_the_order_it_begins_with() {
    let numbers = many(2_000);
    let price = |call: &str| finding(run(&numbers, 4, call).unwrap().as_ref(), "mean_price");
    let [exchanged, tour, halves] = [
        "nonreciprocal-boxes(start=ring)",
        "nonreciprocal-boxes(start=ring, exchange=false)",
        "nonreciprocal-boxes(start=ring, order=halves, exchange=false)",
    ]
    .map(price);
    assert!(tour < 0.9 * halves);
    assert!(exchanged < tour);
}

#[test]
fn the_draw_comes_from_the_key() {
    let numbers = many(300);
    let drawn = |key: [u8; 32]| {
        numbers.with(3, 0, |task, _, _, _| {
            let requirements = Requirements::new(vec![Box::new(Matched(People(3)))]);
            let params = Params::check(NonreciprocalBoxes.info(), &Default::default()).unwrap();
            let task = Task { requirements: &requirements, key, ..*task };
            let recoding = NonreciprocalBoxes.anonymize(&params, &task).unwrap();
            (recoding.class_of_row().to_vec(), recoding.matches().cloned())
        })
    };
    let (one, other) = (drawn([1; 32]), drawn([2; 32]));
    // Who matches whom is no secret; which match is the true one is.
    assert_eq!(one.1, other.1);
    assert_ne!(one.0, other.0);
    assert_eq!(one, drawn([1; 32]));
}

#[test]
fn what_it_cannot_serve_is_refused() {
    let numbers = many(10);
    let error = run(&numbers, 11, "nonreciprocal-boxes").err().unwrap();
    assert_eq!(error.kind, ErrorKind::Infeasible);
    numbers.with(3, 0, |task, _, _, _| {
        let params = Params::check(NonreciprocalBoxes.info(), &Default::default()).unwrap();
        let error = NonreciprocalBoxes.anonymize(&params, task).err().unwrap();
        assert!(error.message.contains("publishes no classes"), "{}", error.message);
        let requirements = Requirements::new(vec![Box::new(Matched(People(3)))]);
        let subject = Some(Codes::from_iter(10, 0..10));
        let table = Table { subject, ..task.table.clone() };
        let task = Task { table: &table, requirements: &requirements, ..*task };
        let error = NonreciprocalBoxes.anonymize(&params, &task).err().unwrap();
        assert!(error.message.contains("asks for people"), "{}", error.message);
    });
}
