//! Normalized average class size (C_avg): how much larger classes are than k requires.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::alike::Alike;

/// The metric `average-class-size`, an entry of the registry.
pub struct AverageClassSize;

static INFO: Info = Info {
    name: "average-class-size",
    summary: "mean class size as a multiple of the k asked for",
    papers: &[Paper {
        authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
        title: "Mondrian Multidimensional K-Anonymity",
        venue: "ICDE",
        year: 2006,
    }],
    params: &[],
    doc: "\
`C_avg = (published records / classes) / k`.

**Range** at least 1 for a k-anonymous release, lower is better: 1 means that every class has \
exactly k records. No value without
a k, or when no record is published. No form by column.

Classes are what a reader sees: records with the same published texts in all quasi columns.

**Suppressed** records are in no class and don't count, so suppressing can make this metric \
better; read it beside the number of
suppressed records. (The paper's recodings suppress none.)

**Cost** that of `discernibility`.
",
    ..Info::DEFAULT
};

impl Metric for AverageClassSize {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let k = view.k.filter(|k| *k > 0)?;
        let published = view.table.n_rows as u64 - view.suppressed;
        let classes = Alike::new(view).count();
        (classes > 0).then(|| Measurement {
            overall: published as f64 / classes as f64 / k as f64,
            by_column: Vec::new(),
        })
    }

    fn combine(&self) -> Combine {
        Combine::Harmonic
    }

    /// The objective is to have as many classes as possible. The metric doesn't count suppressed
    /// records; here they cost a class each, so that no record is suppressed for a better average.
    fn objective<'a>(&self, _: &'a Table) -> Option<Objective<'a>> {
        Some(Objective::of_classes("average-class-size", |_| -1.0, 1.0))
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
        fn agrees_with_the_definition(sample in testing::samples(), k in 1..10u64) {
            let quasi = sample.table.quasi();
            let text = |row: Vec<sfumato_core::recoding::Value>| -> Vec<String> {
                row.iter().zip(&quasi).map(|(value, column)| value.render(column)).collect()
            };
            let rows: Vec<Vec<String>> =
                sample.published().into_iter().flatten().map(text).collect();
            let distinct: std::collections::BTreeSet<_> = rows.iter().collect();
            let measured = AverageClassSize.measure(&sample.view(Some(k))).map(|m| m.overall);
            match distinct.len() {
                0 => prop_assert_eq!(measured, None),
                n => prop_assert!(close(measured.unwrap(),
                    rows.len() as f64 / (n as u64 * k) as f64)),
            }
        }
    }

    #[test]
    fn needs_a_k() {
        let sample = testing::table_2_4();
        assert_eq!(AverageClassSize.measure(&sample.view(None)), None);
        let measured = AverageClassSize.measure(&sample.view(Some(3))).unwrap();
        assert!(close(measured.overall, 7.0 / 2.0 / 3.0));
    }
}
