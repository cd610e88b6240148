//! Precision (Prec): how far below the top of their hierarchies the published values stay.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `precision`, an entry of the registry.
pub struct Precision;

static INFO: Info = Info {
    name: "precision",
    summary: "1 minus the mean share of hierarchy levels climbed; higher is better",
    papers: &[Paper {
        authors: "L. Sweeney",
        title: "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression",
        venue: "International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems \
                10(5)",
        year: 2002,
    }],
    params: &[],
    doc: "\
`Prec = 1 - sum over records and quasi columns of (level / highest level) / (records * columns)`.

The level of a value is its height in the column's hierarchy: 0 for the original values, the \
highest for the root. An ordered column
without a hierarchy has three levels: an exact value 0, a range 1, the whole domain 2. By column: \
the column's own Prec.

**Range** 0 to 1, **higher is better**. The original has 1; if every record is suppressed it is 0. \
Some tools print `1 - Prec`, the mean
share of levels climbed, under the same name.

**Suppressed** records and cells count as the highest level. **Missing** published as missing \
counts as level 0.

Levels say nothing about how many values lie below a node: one step from a town to a country \
weighs like one step from a
day to a week. Compare releases made with the same hierarchies only. Column weights don't enter, \
as in the paper.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for Precision {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let climbed = cells::mean(view, climbed)?;
        let by_column = climbed.by_column.iter().map(|share| 1.0 - share).collect();
        Some(Measurement { overall: 1.0 - climbed.overall, by_column })
    }

    /// Whether a value is exact, a range or the whole domain is the same in a part, which knows the
    /// least and the largest value.
    fn combine(&self) -> Combine {
        Combine::Mean
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(cells::objective("precision", table, climbed))
    }
}

/// The share of levels climbed.
fn climbed(value: Value, column: &Column) -> f64 {
    value.level(column) as f64 / Value::max_level(column).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::height::tests::climb;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = Precision.measure(&sample.view(None)).unwrap();
            let quasi = sample.table.quasi();
            let mut total = 0.0;
            for (j, column) in quasi.iter().enumerate() {
                let top = climb(column, Value::Any);
                let share = sample.mean(j, |_, value| climb(column, value) / top);
                prop_assert!(close(measured.by_column[j], 1.0 - share));
                total += share;
            }
            prop_assert!(close(measured.overall, 1.0 - total / quasi.len() as f64));
        }
    }

    #[test]
    fn half_way_up_is_a_half() {
        // Job one of two steps for all, sex none, age a range (one of two) for three of seven.
        let measured = Precision.measure(&testing::table_2_4().view(None)).unwrap();
        assert!(close(measured.overall, 1.0 - (0.5 + 0.0 + 0.5 * 3.0 / 7.0) / 3.0));
    }
}
