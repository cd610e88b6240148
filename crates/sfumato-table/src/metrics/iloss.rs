//! ILoss of personalized privacy: a weighted sum over records, so it grows with the table.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `iloss`, an entry of the registry.
pub struct Iloss;

static INFO: Info = Info {
    name: "iloss",
    summary: "sum over cells of (covered values - 1) / domain, columns weighted",
    papers: &[
        Paper {
            authors: "X. Xiao, Y. Tao",
            title: "Personalized Privacy Preservation",
            venue: "SIGMOD",
            year: 2006,
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
`ILoss(v) = (|v| - 1) / |D|`, where `|v|` is the number of leaves that v covers and `|D|` the size \
of the domain (Eq. 4.1 and
4.2 of the book). A record's loss is the sum over its quasi columns times each column's `weight`, \
the table's loss the
sum over records. By column: the column's own sum, without its weight.

**Range** 0 to `records * sum of weight * (|D| - 1) / |D|`, lower is better. The original has 0. \
It is a sum, so compare it only
between releases of one table with one set of weights.

**Suppressed** records, and cells published as suppressed, cost what the whole domain does: `(|D| \
- 1) / |D|`, the most the
formula can give. **Missing** published as missing costs 0.

**Differs from the paper**: Xiao and Tao also charge generalized sensitive values; here sensitive \
columns are published as
they are and cost nothing. Weights not above 0 count as 0.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for Iloss {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let by_column = cells::sums(view, cell)?;
        let weights = view.quasi.iter().map(|column| column.weight.max(0.0));
        let overall = by_column.iter().zip(weights).map(|(sum, weight)| sum * weight).sum();
        Some(Measurement { overall, by_column })
    }

    /// It doesn't follow from parts: a range is measured in distinct values of the whole.
    fn combine(&self) -> Combine {
        Combine::Whole
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(cells::objective("iloss", table, |value, column| {
            column.weight.max(0.0) * cell(value, column)
        }))
    }
}

/// Loss of one cell.
fn cell(value: Value, column: &Column) -> f64 {
    (cells::leaves(value, column) - 1.0) / cells::domain_size(column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = Iloss.measure(&sample.view(None)).unwrap();
            let mut expected = 0.0;
            for (j, column) in sample.table.quasi().into_iter().enumerate() {
                let sum = sample.table.n_rows as f64 * sample.mean(j, |_, value| {
                    let covered =
                        (0..column.domain.missing()).filter(|c| value.covers(column, *c)).count();
                    if covered
                        == 0 { 0.0 } else { (covered - 1) as f64 / column.domain.len() as f64 }
                });
                prop_assert!(close(measured.by_column[j], sum));
                expected += column.weight * sum;
            }
            prop_assert!(close(measured.overall, expected));
        }
    }

    #[test]
    fn the_values_of_the_book() {
        let sample = testing::table_2_4();
        let job = &sample.table.columns[0];
        assert_eq!(cell(testing::node(job, "Artist"), job), 0.25);
        assert_eq!(cell(testing::node(job, "ANY_Job"), job), 0.75);
        assert_eq!(cell(testing::node(job, "Dancer"), job), 0.0);
        assert_eq!(Iloss.measure(&sample.view(None)).unwrap().by_column[0], 1.75);
    }
}
