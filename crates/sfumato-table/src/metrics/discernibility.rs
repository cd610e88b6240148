//! Discernibility metric (DM): each record costs the number of records from which it can't be
//! distinguished.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::alike::Alike;

/// The metric `discernibility`, an entry of the registry.
pub struct Discernibility;

static INFO: Info = Info {
    name: "discernibility",
    summary: "sum of squared class sizes, plus suppressed records times all records",
    papers: &[
        Paper {
            authors: "R. J. Bayardo, R. Agrawal",
            title: "Data Privacy through Optimal k-Anonymization",
            venue: "ICDE",
            year: 2005,
        },
        Paper {
            authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu",
            title: "Introduction to Privacy-Preserving Data Publishing: Concepts and Techniques",
            venue: "Chapman & Hall/CRC",
            year: 2010,
        },
    ],
    params: &[],
    doc: "\
`DM = sum over classes of size^2 + suppressed * records` (Eq. 4.3 of the book with Bayardo and \
Agrawal's charge for suppression): a
published record costs the size of its class, a suppressed one the size of the table.

Classes are what a reader sees: records with the same published texts in all quasi columns.

**Range** from `records` (all differ) to `records^2` (one class, or all suppressed), lower is \
better. No form by column.

It counts who stands together, not what was lost: merging equal records costs, although nothing \
was generalized, and a class
keeps its price however wide its cells become.

**Cost** O(classes * columns + classes log classes).
",
    ..Info::DEFAULT
};

impl Metric for Discernibility {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        if view.table.n_rows == 0 {
            return None;
        }
        let overall = penalties(view) as f64;
        Some(Measurement { overall, by_column: Vec::new() })
    }

    fn combine(&self) -> Combine {
        Combine::Penalties
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        let square = |rows: u64| rows as f64 * rows as f64;
        Some(Objective::of_classes("discernibility", square, table.n_rows as f64))
    }
}

/// The metric as an exact whole number.
pub(crate) fn penalties(view: &View<'_>) -> u128 {
    let squares =
        Alike::new(view).sizes.into_iter().map(|size| u128::from(size) * u128::from(size));
    squares.sum::<u128>() + u128::from(view.suppressed) * view.table.n_rows as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_comparing_all_pairs(sample in testing::samples()) {
            let quasi = sample.table.quasi();
            let text = |row: Vec<sfumato_core::recoding::Value>| -> Vec<String> {
                row.iter().zip(&quasi).map(|(value, column)| value.render(column)).collect()
            };
            let rows: Vec<Option<Vec<String>>> =
                sample.published().into_iter().map(|row| row.map(text)).collect();
            let cost = |row: &Option<Vec<String>>| match row {
                Some(row) => rows.iter().flatten().filter(|other| *other == row).count(),
                None => rows.len(),
            };
            let expected: usize = rows.iter().map(cost).sum();
            let measured = Discernibility.measure(&sample.view(None)).unwrap();
            prop_assert!(close(measured.overall, expected as f64));
        }
    }

    #[test]
    fn the_tables_of_the_book() {
        let of =
            |sample: testing::Sample| Discernibility.measure(&sample.view(None)).unwrap().overall;
        assert_eq!(of(testing::table_2_4()), 25.0);
        assert_eq!(of(testing::table_6_2()), 29.0);
        // What is already alike before generalizing: 99 engineers and a lawyer, or 50 dancers and
        // 50 writers.
        let before = |original: [(&str, usize); 2]| {
            let texts = original.map(|(text, n)| vec![text; n]).concat();
            of(testing::jobs(&texts, &texts))
        };
        assert_eq!(before([("Engineer", 99), ("Lawyer", 1)]), 9802.0);
        assert_eq!(before([("Dancer", 50), ("Writer", 50)]), 5000.0);
    }
}
