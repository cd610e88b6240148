//! The mean share of leaves, the raw form of the "loss" that ARX optimizes. Its best value isn't 0,
//! as its page explains.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `loss`, an entry of the registry.
pub struct Loss;

static INFO: Info = Info {
    name: "loss",
    summary: "mean share of the domain that a published cell covers",
    papers: &[
        Paper {
            authors: "V. S. Iyengar",
            title: "Transforming Data to Satisfy Privacy Constraints",
            venue: "KDD",
            year: 2002,
        },
        Paper {
            authors: "F. Prasser, F. Kohlmayer",
            title: "Putting Statistical Disclosure Control into Practice: The ARX Data \
                Anonymization Tool",
            venue: "Medical Data Privacy Handbook, Springer",
            year: 2015,
        },
    ],
    params: &[],
    doc: "\
Share of a cell: `values of the domain it covers / values of the domain`; for a range of an \
ordered column without a hierarchy,
the distinct values of the data that lie in it. Per column the mean over all records; overall the \
mean over columns, all alike.

**Range** `1/domain` (the mean of that over columns) to 1, lower is better. Even an exact value \
covers `1/domain`, so the
original does not have 0: use `ncp` where 0 should mean no loss. A column with one value always \
counts 1.

**Suppressed** records count 1 in each quasi cell. **Missing** published as missing is exact and \
counts `1/domain`;
published as suppressed it counts 1. Missing isn't a value of the domain.

**Differs from ARX**: ARX rescales each column to run from 0 at the original to 1 (which makes it \
`ncp` on hierarchies), weighs
generalization against suppression, and joins columns by a mean the user chooses, the geometric \
one if none is named; here the plain
arithmetic mean of shares.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for Loss {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        cells::mean(view, cell)
    }

    /// It doesn't follow from parts: a range is measured in distinct values of the whole.
    fn combine(&self) -> Combine {
        Combine::Whole
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(cells::objective("loss", table, cell))
    }
}

fn cell(value: Value, column: &Column) -> f64 {
    match value {
        Value::Any => 1.0,
        value => cells::leaves(value, column) / cells::domain_size(column),
    }
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
            let measured = Loss.measure(&sample.view(None)).unwrap();
            let quasi = sample.table.quasi();
            for (j, column) in quasi.iter().enumerate() {
                let domain = column.domain.len().max(1) as f64;
                let expected = sample.mean(j, |_, value| match value {
                    Value::Any => 1.0,
                    Value::Missing => 1.0 / domain,
                    value => (0..column.domain.missing()).filter(|c| value.covers(column, *c))
                        .count() as f64 / domain,
                });
                prop_assert!(close(measured.by_column[j], expected));
            }
            prop_assert!(close(measured.overall,
                measured.by_column.iter().sum::<f64>() / quasi.len() as f64));
        }
    }

    #[test]
    fn a_node_counts_its_leaves_and_a_range_the_values_in_it() {
        let measured = Loss.measure(&testing::table_2_4().view(None)).unwrap();
        // Ages 30, 35, 38: the first class covers two of three values, the second one.
        let expected = [0.5, 0.5, (3.0 * 2.0 / 3.0 + 4.0 / 3.0) / 7.0];
        assert!(measured.by_column.iter().zip(expected).all(|(a, b)| close(*a, b)), "{measured:?}");
    }
}
