//! Non-uniform entropy: the bits that each record's own value lost in its published cell.

use sfumato_core::dataset::Table;
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Join, Measurement, Metric, Objective, View};

use crate::metrics::frequencies::Frequencies;

/// The metric `non-uniform-entropy`, an entry of the registry.
pub struct NonUniformEntropy;

static INFO: Info = Info {
    name: "non-uniform-entropy",
    summary: "mean bits needed to name the original value, given its published cell",
    papers: &[Paper {
        authors: "A. Gionis, T. Tassa",
        title: "k-Anonymization with Minimal Loss of Information",
        venue: "IEEE Transactions on Knowledge and Data Engineering 21(2)",
        year: 2009,
    }],
    params: &[],
    doc: "\
A cell whose original value is a and whose published value covers the set B costs
`-log2(records with value a / records with a value in B)`, counted in the whole original. The mean \
over all cells; by column the mean
over records.

**Range** 0 and up, in bits per cell, lower is better. The original has 0. The most, if every \
record is suppressed, is the
entropy of a column's values; a column of n equally frequent values reaches log2 n.

**Suppressed** records and cells cover every value, missing included. **Missing** is a value like \
others here; published as missing
it costs 0.

Generalizing a rare value together with frequent ones costs more than the other way round, and a \
wider cell never costs less.

**Differs from the paper**: it gives the sum; here the mean per cell, so that tables of different \
sizes compare. It isn't divided by
the largest possible value. Differences below 1e-12 bits are rounding and shown as 0.

**Cost** one pass over the codes of each quasi column, then O(classes + domain). The sum over \
records splits into what was
published and what was there, so no record is looked at beside its class.
",
    ..Info::DEFAULT
};

impl Metric for NonUniformEntropy {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        if view.table.n_rows == 0 || view.quasi.is_empty() {
            return None;
        }
        let n_rows = view.table.n_rows as f64;
        let mut by_column = Vec::with_capacity(view.quasi.len());
        for (quasi, column) in view.quasi.iter().enumerate() {
            let frequencies = Frequencies::of(column);
            let values = &view.recoding.column(quasi).values;
            let records = view.records_per_value(quasi);
            let published = values.iter().zip(records).filter(|(_, records)| *records > 0);
            // Sum of log2(covered/own) = sum of log2(covered/all) - sum of log2(own/all): the first
            // needs only published values, the second only the column.
            let covered = |value: &Value| (frequencies.covered(*value, column) / n_rows).log2();
            let published: f64 =
                published.map(|(value, records)| records as f64 * covered(value)).sum();
            let bits = published / n_rows + frequencies.uncertainty(Value::Any, column);
            by_column.push(if bits < ROUNDING { 0.0 } else { bits });
        }
        let overall = by_column.iter().sum::<f64>() / by_column.len() as f64;
        Some(Measurement { overall, by_column })
    }

    /// It doesn't follow from parts: frequencies are those of whole columns.
    fn combine(&self) -> Combine {
        Combine::Whole
    }

    /// The part of the sum that depends on what is published; the rest is the same for every
    /// release.
    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        let quasi = table.quasi();
        let frequencies: Vec<Frequencies> =
            quasi.iter().map(|column| Frequencies::of(column)).collect();
        let n_quasi = quasi.len();
        let cell = move |i: usize, value| frequencies[i].covered(value, quasi[i]).max(1.0).log2();
        Some(Objective::of_cells("non-uniform-entropy", Join::Sum, n_quasi, cell))
    }
}

/// A tolerance: the two sums cancel for the original, and differences below this are rounding
/// errors.
const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = NonUniformEntropy.measure(&sample.view(None)).unwrap();
            let quasi = sample.table.quasi();
            for (j, column) in quasi.iter().enumerate() {
                let rows: Vec<u32> = column.codes.iter().collect();
                let expected = sample.mean(j, |row, value| {
                    let own = rows.iter().filter(|c| **c == rows[row]).count() as f64;
                    let covered = rows.iter().filter(|c| value.covers(column, **c)).count() as f64;
                    -(own / covered).log2()
                });
                prop_assert!(close(measured.by_column[j], expected));
            }
            prop_assert!(close(measured.overall,
                measured.by_column.iter().sum::<f64>() / quasi.len() as f64));
        }
    }

    #[test]
    fn the_rare_value_pays_more() {
        let sample =
            testing::jobs(&["Engineer", "Engineer", "Engineer", "Lawyer"], &["Professional"; 4]);
        let expected = (3.0 * (4.0f64 / 3.0).log2() + 2.0) / 4.0;
        assert!(close(NonUniformEntropy.measure(&sample.view(None)).unwrap().overall, expected));
    }
}
