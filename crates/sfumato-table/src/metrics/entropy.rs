//! Entropy measure: the mean uncertainty about a cell over the values that it may stand for.

use sfumato_core::dataset::Table;
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Join, Measurement, Metric, Objective, View};

use crate::metrics::frequencies::Frequencies;

/// The metric `entropy`, an entry of the registry.
pub struct Entropy;

static INFO: Info = Info {
    name: "entropy",
    summary: "mean bits of uncertainty about the original value, given its published cell",
    papers: &[Paper {
        authors: "A. Gionis, T. Tassa",
        title: "k-Anonymization with Minimal Loss of Information",
        venue: "IEEE Transactions on Knowledge and Data Engineering 21(2)",
        year: 2009,
    }],
    params: &[],
    doc: "\
`H(X | B) = - sum over the values b in B of p(b|B) * log2 p(b|B)`, where B is the set of values a \
published cell covers and
`p(b|B)` the share of b among the records of the original whose value lies in B. The mean over \
cells; by column the mean over
records.

**Range** 0 and up, in bits per cell, lower is better. The original has 0. If every record is \
suppressed, a column has the entropy of its
values.

**Suppressed** records and cells cover every value, missing included. **Missing** is a value like \
others here; published as
missing it costs 0.

This measure isn't monotone in local recodings: widening a cell by very frequent values makes its \
content *easier* to guess, so a
coarser release can get a lower value. `non-uniform-entropy` charges each record for its own value \
instead and is monotone.

**Cost** one pass over the codes of each quasi column, then O(classes + domain).
",
    ..Info::DEFAULT
};

impl Metric for Entropy {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        if view.table.n_rows == 0 || view.quasi.is_empty() {
            return None;
        }
        let mut by_column = Vec::with_capacity(view.quasi.len());
        for (quasi, column) in view.quasi.iter().enumerate() {
            let frequencies = Frequencies::of(column);
            let values = &view.recoding.column(quasi).values;
            let records = view.records_per_value(quasi);
            let bits = |value: &Value| frequencies.uncertainty(*value, column);
            let published: f64 =
                values.iter().zip(records).map(|(value, n)| n as f64 * bits(value)).sum();
            let total = published + view.suppressed as f64 * bits(&Value::Any);
            by_column.push(total / view.table.n_rows as f64);
        }
        let overall = by_column.iter().sum::<f64>() / by_column.len() as f64;
        Some(Measurement { overall, by_column })
    }

    /// It doesn't follow from parts: frequencies are those of whole columns.
    fn combine(&self) -> Combine {
        Combine::Whole
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        let quasi = table.quasi();
        let frequencies: Vec<Frequencies> =
            quasi.iter().map(|column| Frequencies::of(column)).collect();
        let n_quasi = quasi.len();
        let cell = move |i: usize, value| frequencies[i].uncertainty(value, quasi[i]);
        Some(Objective::of_cells("entropy", Join::Sum, n_quasi, cell))
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
            let measured = Entropy.measure(&sample.view(None)).unwrap();
            for (j, column) in sample.table.quasi().into_iter().enumerate() {
                let rows: Vec<u32> = column.codes.iter().collect();
                let expected = sample.mean(j, |_, value| {
                    let covered: Vec<u32> =
                        rows.iter().copied().filter(|c| value.covers(column, *c)).collect();
                    let count = |code| covered.iter().filter(|c| **c == code).count() as f64;
                    // Summed over records, each stands for 1/count of its value's term.
                    covered.iter().map(|c| -(count(*c) / covered.len() as f64)
                        .log2() / covered.len() as f64).sum()
                });
                prop_assert!(close(measured.by_column[j], expected));
            }
        }
    }

    #[test]
    fn a_fair_choice_of_two_is_one_bit() {
        let sample = testing::jobs(
            &["Engineer", "Lawyer", "Dancer"],
            &["Professional", "Professional", "Dancer"],
        );
        assert!(close(Entropy.measure(&sample.view(None)).unwrap().overall, 2.0 / 3.0));
    }

    #[test]
    fn widening_can_lower_it() {
        // Two rare artists among a hundred engineers.
        let mut jobs = vec!["Engineer"; 100];
        jobs.extend(["Dancer", "Writer"]);
        let mut narrow = jobs.clone();
        narrow[..100].fill("ANY_Job");
        let wide = vec!["ANY_Job"; 102];
        narrow[100..].fill("Artist");
        let of = |published: &[&str]| {
            Entropy.measure(&testing::jobs(&jobs, published).view(None)).unwrap().overall
        };
        assert!(of(&narrow) > of(&wide));
    }
}
