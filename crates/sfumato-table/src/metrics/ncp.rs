//! Normalized certainty penalty, with weighted columns. It measures how wide cells are, not how
//! many records share a class.

use sfumato_core::dataset::Table;
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `ncp`, an entry of the registry.
pub struct Ncp;

static INFO: Info = Info {
    name: "ncp",
    summary: "mean width of the published cells, 0 exact to 1 nothing; columns weighted",
    papers: &[Paper {
        authors: "J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. Fu",
        title: "Utility-Based Anonymization Using Local Recoding",
        venue: "KDD",
        year: 2006,
    }],
    params: &[],
    doc: "\
Penalty of a cell: 0 for an exact value, 1 for a suppressed one, and in between
- a node of a hierarchy: `(leaves below it - 1) / (leaves of the domain - 1)`;
- a range of an ordered column without a hierarchy: `(largest - smallest) / (largest - smallest of \
the domain)`, the
  ends being values of the data.

Per column the mean over all records; overall the mean over columns weighted by each column's \
`weight`, the weights
scaled to sum to 1 (if none is above 0, all columns count alike).

**Range** 0 to 1, lower is better. The original has 0; if every record is suppressed it is 1.

**Suppressed** records count 1 in each quasi cell. **Missing** published as missing counts 0; \
published as suppressed, 1.

**Differs from the paper**: there an inner node costs `leaves / domain` and a leaf 0; here the \
penalty grows from 0 without
that jump. The paper sums over records and leaves the weights as they are; here both are normalized.
`global-ncp` is the same without weights.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for Ncp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let by_column = cells::means(view, Value::ncp)?;
        let weights: Vec<f64> = view.quasi.iter().map(|column| column.weight.max(0.0)).collect();
        let total: f64 = weights.iter().sum();
        let overall = if total > 0.0 && total.is_finite() {
            by_column.iter().zip(weights).map(|(mean, weight)| mean * weight / total).sum()
        } else {
            by_column.iter().sum::<f64>() / by_column.len() as f64
        };
        Some(Measurement { overall, by_column })
    }

    /// The mean over parts: widths are relative to the whole domain, which a part knows.
    fn combine(&self) -> Combine {
        Combine::Mean
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(Objective::ncp(table))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;
    use sfumato_core::dataset::Column;

    /// The penalty by definition, counting what each cell covers.
    pub(crate) fn penalty(column: &Column, value: Value) -> f64 {
        let covered: Vec<u32> =
            (0..column.domain.missing()).filter(|code| value.covers(column, *code)).collect();
        match value {
            Value::Any => 1.0,
            Value::Missing => 0.0,
            Value::Node(_) if column.domain.len() == 1 => 0.0,
            Value::Node(_) => (covered.len() - 1) as f64 / (column.domain.len() - 1) as f64,
            Value::Range { .. } => {
                let keys = &column.domain.keys;
                let whole = (keys[keys.len() - 1] - keys[0]) as f64;
                let width =
                    (keys[covered[covered.len() - 1] as usize] - keys[covered[0] as usize]) as f64;
                if whole == 0.0 { 0.0 } else { width / whole }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = Ncp.measure(&sample.view(None)).unwrap();
            let (mut weighted, mut weights) = (0.0, 0.0);
            for (j, column) in sample.table.quasi().into_iter().enumerate() {
                let expected = sample.mean(j, |_, value| penalty(column, value));
                prop_assert!(close(measured.by_column[j], expected));
                weighted += column.weight * expected;
                weights += column.weight;
            }
            prop_assert!(close(measured.overall, weighted / weights));
            prop_assert!((0.0..=1.0 + 1e-12).contains(&measured.overall));
        }
    }

    #[test]
    fn weights_shift_the_mean_and_none_means_all_alike() {
        let mut sample = testing::table_2_4();
        let of = |sample: &testing::Sample| Ncp.measure(&sample.view(None)).unwrap().overall;
        // Job 1/3 (two of four), sex 0, age: 35..38 of 30..38 for three records.
        let (job, age) = (1.0 / 3.0, 3.0 * (3.0 / 8.0) / 7.0);
        assert!(close(of(&sample), (job + age) / 3.0));
        sample.table.columns[0].weight = 2.0;
        assert!(close(of(&sample), (2.0 * job + age) / 4.0));
        sample.table.columns.iter_mut().for_each(|column| column.weight = 0.0);
        assert!(close(of(&sample), (job + age) / 3.0));
    }
}
