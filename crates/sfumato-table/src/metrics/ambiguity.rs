//! Ambiguity: how many original tuples a published record may stand for.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Join, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `ambiguity`, an entry of the registry.
pub struct Ambiguity;

static INFO: Info = Info {
    name: "ambiguity",
    summary: "mean number of original tuples that a published record may stand for",
    papers: &[Paper {
        authors: "M. E. Nergiz, C. Clifton",
        title: "Thoughts on k-Anonymization",
        venue: "Data & Knowledge Engineering 63(3)",
        year: 2007,
    }],
    params: &[],
    doc: "\
`AM = mean over records of the product over quasi columns of the number of values its cell may \
stand for`. By column: the mean number
of values a cell may stand for.

**Range** 1 to the product of the domain sizes, lower is better. The original has 1.

**Suppressed** records and cells may stand for every value of the domain. **Missing** published as \
missing stands for itself:
factor 1.

A mean of products is ruled by its largest terms: a single suppressed record among millions can be \
most of it. With many columns the
products pass what a floating-point number holds (about 1.8e308); the value then stays there \
instead of being infinite.

**Cost** O(classes * columns), 8 bytes per class.
",
    ..Info::DEFAULT
};

impl Metric for Ambiguity {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let by_column = cells::means(view, cells::leaves)?;
        let mut tuples = vec![1.0f64; view.class_sizes.len()];
        for (quasi, column) in view.quasi.iter().enumerate() {
            let recoded = view.recoding.column(quasi);
            let leaves: Vec<f64> =
                recoded.values.iter().map(|value| cells::leaves(*value, column)).collect();
            for (tuples, value) in tuples.iter_mut().zip(&recoded.of_class) {
                *tuples *= leaves[*value as usize];
            }
        }
        let everything: f64 = view.quasi.iter().map(|column| cells::domain_size(column)).product();
        // Shares before sums: the mean is finite where the sum need not be. A class without records
        // could otherwise bring infinity times 0.
        let share = |records: u64| records as f64 / view.table.n_rows as f64;
        let classes = view
            .class_sizes
            .iter()
            .chain([&view.suppressed])
            .zip(tuples.iter().chain([&everything]));
        let terms = classes
            .filter(|(records, _)| **records > 0)
            .map(|(records, tuples)| share(*records) * tuples);
        Some(Measurement { overall: terms.sum::<f64>().min(f64::MAX), by_column })
    }

    /// It doesn't follow from parts: a range is measured in distinct values of the whole.
    fn combine(&self) -> Combine {
        Combine::Whole
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        let quasi = table.quasi();
        let n_quasi = quasi.len();
        let cell = move |i: usize, value| cells::leaves(value, quasi[i]);
        Some(Objective::of_cells("ambiguity", Join::Product, n_quasi, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;
    use sfumato_core::recoding::Value;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = Ambiguity.measure(&sample.view(None)).unwrap();
            let quasi = sample.table.quasi();
            let leaves = |row: &Option<Vec<Value>>, j: usize| {
                let value = row.as_ref().map_or(Value::Any, |row| row[j]);
                (0..quasi[j].domain.missing()).filter(|c| value.covers(quasi[j], *c)).count()
                    .max(1) as f64
            };
            let product = |row| (0..quasi.len()).map(|j| leaves(&row, j)).product::<f64>();
            let total: f64 = sample.published().into_iter().map(product).sum();
            prop_assert!(close(measured.overall, total / sample.table.n_rows as f64));
            for j in 0..quasi.len() {
                let total: f64 = sample.published().iter().map(|row| leaves(row, j)).sum();
                prop_assert!(close(measured.by_column[j], total / sample.table.n_rows as f64));
            }
        }
    }

    #[test]
    fn a_professional_of_three_ages_stands_for_four_tuples() {
        let measured = Ambiguity.measure(&testing::table_2_4().view(None)).unwrap();
        assert!(close(measured.overall, (3.0 * 4.0 + 4.0 * 2.0) / 7.0));
    }

    #[test]
    fn too_many_tuples_stay_finite() {
        let mut sample = testing::jobs(&["Engineer", "Dancer"], &["ANY_Job", "ANY_Job"]);
        let column = sample.table.columns[0].clone();
        sample.table.columns = vec![column; 600];
        let region = vec![Value::Node(0); 600];
        sample.boxes =
            sfumato_core::recoding::Boxes::new(600, [region].into_iter(), vec![0, 0]).unwrap();
        assert_eq!(Ambiguity.measure(&sample.view(None)).unwrap().overall, f64::MAX);
    }
}
