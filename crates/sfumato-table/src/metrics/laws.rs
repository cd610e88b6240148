//! Laws that hold for every metric of the registry. A new metric must state here its value for the
//! original.

use proptest::prelude::*;
use sfumato_core::dataset::{Missing, Role, Table};
use sfumato_core::recoding::{Boxes, BoxesBuilder};
use sfumato_core::traits::{Combine, MeasuredPart, Metric, View, combined};

use super::{ALL, find, needs_records};
use crate::metrics::alike::Alike;
use crate::metrics::testing::{self, Sample, close};

/// The value of a metric for the original, published as it is.
enum Best {
    /// This value, whatever the data.
    Always(f64),
    /// The mean of 1/domain, since an exact value covers itself.
    OwnShare,
    /// No law: the value depends on how records repeat.
    Data,
}

fn best(metric: &dyn Metric) -> Best {
    match metric.info().name {
        "ncp"
        | "global-ncp"
        | "iloss"
        | "height"
        | "minimal-distortion"
        | "entropy"
        | "non-uniform-entropy"
        | "cluster-diameter" => Best::Always(0.0),
        "precision" | "ambiguity" => Best::Always(1.0),
        "loss" => Best::OwnShare,
        "discernibility" | "discernibility-ratio" | "average-class-size" | "classification" => {
            Best::Data
        }
        name => panic!("{name}: say what the original published as it is gets"),
    }
}

fn value(metric: &dyn Metric, sample: &Sample) -> Option<f64> {
    let measured = metric.measure(&sample.view(Some(2)))?;
    let numbers = measured.by_column.iter().chain([&measured.overall]);
    assert!(numbers.clone().all(|x| x.is_finite()), "{}: {measured:?}", metric.info().name);
    assert!(
        measured.by_column.is_empty() || measured.by_column.len() == sample.table.quasi().len()
    );
    Some(measured.overall)
}

/// A number that grows as the release gets worse.
fn badness(metric: &dyn Metric, sample: &Sample) -> Option<f64> {
    let sign = if metric.info().name == "precision" { -1.0 } else { 1.0 };
    value(metric, sample).map(|x| sign * x)
}

/// Whether no two classes of a decision are published alike. A metric of classes joins such
/// classes, while an objective prices them as the search made them.
fn has_distinct_classes(sample: &Sample) -> bool {
    let view = sample.view(None);
    Alike::new(&view).count() == view.class_sizes.iter().filter(|size| **size > 0).count() as u64
}

/// Whether one number is lower than another by more than rounding.
fn is_lower(a: f64, b: f64) -> bool {
    a < b && !close(a, b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What a search minimizes is what is measured afterwards: of two decisions about one table,
    /// the cheaper one isn't the worse one.
    #[test]
    fn objectives_and_metrics_agree_on_which_is_better((a, b) in testing::pairs()) {
        let distinct = has_distinct_classes(&a) && has_distinct_classes(&b);
        let complete = a.view(None).suppressed == 0 && b.view(None).suppressed == 0;
        for metric in ALL.iter().filter(|metric| !needs_records(**metric)) {
            let name = metric.info().name;
            let Some(objective) = metric.objective(&a.table) else {
                prop_assert_eq!(badness(*metric, &a), None, "{}", name);
                continue;
            };
            prop_assert_eq!(objective.metric, name);
            if (objective.ignores_cells() && !distinct)
                || (name == "average-class-size" && !complete) {
                continue;
            }
            let (Some(worse_a), Some(worse_b)) = (badness(*metric, &a), badness(*metric, &b)) else {
                prop_assert!(false, "{} has a price and no value", name);
                continue;
            };
            let (cost_a, cost_b) =
                (objective.total(&a.table, &a.boxes), objective.total(&b.table, &b.boxes));
            if is_lower(cost_a, cost_b) {
                prop_assert!(!is_lower(worse_b, worse_a),
                    "{name}: {cost_a} {cost_b}, {worse_a} {worse_b}");
            }
            if is_lower(cost_b, cost_a) {
                prop_assert!(!is_lower(worse_a, worse_b),
                    "{name}: {cost_a} {cost_b}, {worse_a} {worse_b}");
            }
        }
    }

    /// A table that is too large for memory is measured in parts.
    #[test]
    fn parts_make_the_whole(sample in testing::samples(), n_parts in 1usize..4) {
        let parts = sample.parts(n_parts);
        for metric in ALL {
            let whole = metric.measure(&sample.view(Some(2)));
            let measured = parts.iter().filter_map(|part| {
                let view = part.view(Some(2));
                let (records, suppressed) = (part.table.n_rows as u64, view.suppressed);
                metric.measure(&view).map(|value| MeasuredPart { value, records, suppressed })
            });
            let found = combined(metric.combine(), &measured.collect::<Vec<_>>());
            let name = metric.info().name;
            if metric.combine() == Combine::Whole {
                prop_assert!(found.is_none());
                continue;
            }
            prop_assert_eq!(found.is_some(), whole.is_some(), "{}", name);
            if let (Some(found), Some(whole)) = (found, whole) {
                prop_assert!(close(found.overall, whole.overall),
                    "{}: {:?} {:?}", name, found, whole);
                prop_assert_eq!(found.by_column.len(), whole.by_column.len());
                prop_assert!(found.by_column.iter().zip(&whole.by_column)
                    .all(|(a, b)| close(*a, *b)), "{}", name);
            }
        }
    }

    /// Searches rely on this: one class costs at least as much as its parts, and suppressing a
    /// class at least as much as the class.
    #[test]
    fn merging_classes_is_never_cheaper(sample in testing::samples(), a in 1u64..1000,
        b in 1u64..1000) {
        for metric in ALL {
            let name = metric.info().name;
            let Some(objective) = metric.objective(&sample.table) else { continue };
            let (one, two) = (objective.class(a + b), objective.class(a) + objective.class(b));
            prop_assert!(one >= two, "{name}: {one} for {a} + {b}, {two} apart");
            let rows = a.min(sample.table.n_rows as u64);
            prop_assert!(objective.class(rows) <= rows as f64 * objective.suppressed,
                "{name}: {rows}");
        }
    }

    #[test]
    fn the_original_loses_nothing(mut sample in testing::samples()) {
        // Missing published as suppressed loses cells by the user's wish, so not here.
        sample.table.columns.iter_mut().for_each(|column| column.missing = Missing::Value);
        let identity = sample.identity();
        let quasi = sample.table.quasi();
        for metric in ALL {
            let expected = match best(*metric) {
                Best::Always(x) => x,
                Best::OwnShare => {
                    quasi.iter().map(|c| 1.0 / c.domain.len().max(1) as f64)
                        .sum::<f64>() / quasi.len() as f64
                }
                Best::Data => continue,
            };
            prop_assert!(close(value(*metric, &identity).unwrap(), expected), "{}",
                metric.info().name);
            let (exact, coarse) =
                (badness(*metric, &identity).unwrap(), badness(*metric, &sample).unwrap());
            prop_assert!(exact <= coarse + 1e-9, "{}: {exact} {coarse}", metric.info().name);
        }
    }

    #[test]
    fn suppressing_everything_is_the_worst(sample in testing::samples()) {
        let mut nothing = sample.identity();
        nothing.suppress_all();
        for metric in ALL {
            let worst = badness(*metric, &nothing);
            // Not monotone by nature (its page says so), and no class left to count.
            match metric.info().name {
                "entropy" => continue,
                "average-class-size" => prop_assert_eq!(worst, None),
                name => {
                    let some = badness(*metric, &sample).unwrap();
                    prop_assert!(some <= worst.unwrap() * (1.0 + 1e-12) + 1e-9,
                        "{name}: {some} {worst:?}");
                }
            }
        }
    }

    /// What is measured of a file, whose rows nobody knows the records of, is what was measured of
    /// the decision: without a target no metric asks which record became which row.
    #[test]
    fn which_record_became_which_row_does_not_matter(
        mut sample in testing::samples(), turn in 0..30usize,
    ) {
        use sfumato_core::recoding::Recoding;
        sample.table.columns.retain(|column| column.role == Role::Quasi);
        let (n, quasi) = (sample.table.n_rows, sample.table.quasi().len());
        let class_of_row =
            (0..n).map(|row| sample.boxes.class_of_row()[(row + turn) % n]).collect();
        let region = |class| (0..quasi).map(|j| sample.boxes.value(class, j)).collect();
        let regions = (0..sample.boxes.n_classes() as u32).map(region);
        let boxes = Boxes::new(quasi, regions, class_of_row).unwrap();
        let turned = Sample { table: sample.table.clone(), boxes };
        for metric in ALL.iter().filter(|metric| !needs_records(**metric)) {
            prop_assert_eq!(value(*metric, &sample), value(*metric, &turned));
        }
    }

    #[test]
    fn the_order_of_records_does_not_matter(sample in testing::samples(), turn in 0..30usize) {
        use sfumato_core::recoding::Recoding;
        let n = sample.table.n_rows;
        let rows: Vec<u32> = (0..n).map(|row| ((row + turn) % n) as u32).rev().collect();
        let mut table = sample.table.clone();
        table.columns.iter_mut().for_each(|column| column.codes = column.codes.gather(&rows));
        let class_of_row =
            rows.iter().map(|row| sample.boxes.class_of_row()[*row as usize]).collect();
        let region =
            |class| (0..table.quasi().len()).map(|j| sample.boxes.value(class, j)).collect();
        let regions = (0..sample.boxes.n_classes() as u32).map(region);
        let boxes = Boxes::new(table.quasi().len(), regions, class_of_row).unwrap();
        let turned = Sample { table, boxes };
        for metric in ALL {
            prop_assert_eq!(value(*metric, &sample), value(*metric, &turned));
        }
    }
}

#[test]
fn without_records_or_columns_nothing_is_said() {
    let mut sample = testing::table_2_4();
    sample.table.columns.iter_mut().for_each(|column| column.role = Role::Keep);
    let table = Table { n_rows: 0, columns: Vec::new(), subject: None };
    let boxes = BoxesBuilder::new(0).finish(Vec::new());
    for metric in ALL {
        assert_eq!(
            metric.measure(&View::new(&table, &boxes, Some(2))),
            None,
            "{}",
            metric.info().name
        );
        let of_cells = !matches!(best(*metric), Best::Data);
        if of_cells {
            let boxes = BoxesBuilder::new(0).finish(vec![sfumato_core::recoding::SUPPRESSED; 7]);
            assert_eq!(metric.measure(&View::new(&sample.table, &boxes, Some(2))), None);
        }
    }
}

#[test]
fn every_entry_is_documented_and_found() {
    for metric in ALL {
        let info = metric.info();
        assert_eq!(find(info.name).unwrap().info().name, info.name);
        assert!(
            !info.papers.is_empty() && !info.summary.is_empty() && !info.summary.ends_with('.'),
            "{}",
            info.name
        );
        for part in ["**Range**", "**Cost**", "er is better"] {
            assert!(info.doc.contains(part), "{} doesn't say {part}", info.name);
        }
        assert_eq!(ALL.iter().filter(|other| other.info().name == info.name).count(), 1);
    }
    let error = find("discernability").err().unwrap();
    assert_eq!(error.to_string(), "there is no metric 'discernability'");
}
