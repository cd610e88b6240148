//! Global certainty penalty: NCP with all columns weighted alike, so that releases of different
//! jobs can be compared.

use sfumato_core::dataset::Table;
use sfumato_core::recoding::Value;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `global-ncp`, an entry of the registry.
pub struct GlobalNcp;

static INFO: Info = Info {
    name: "global-ncp",
    summary: "total certainty penalty over records times columns; ignores weights",
    papers: &[
        Paper {
            authors: "G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis",
            title: "Fast Data Anonymization with Low Information Loss",
            venue: "VLDB",
            year: 2007,
        },
        Paper {
            authors: "V. S. Iyengar",
            title: "Transforming Data to Satisfy Privacy Constraints",
            venue: "KDD",
            year: 2002,
        },
    ],
    params: &[],
    doc: "\
`GCP = sum over records and quasi columns of the cell's penalty / (records * columns)`.

The penalty of a cell is that of `ncp`. The one difference from `ncp` is that columns always count \
alike: a job's weights
don't enter, so releases made with different weights, or by other tools, compare. Times records * \
columns it is Iyengar's loss
metric LM.

**Range** 0 to 1, lower is better. The original has 0; if every record is suppressed it is 1.

**Suppressed** records count 1 in each quasi cell. **Missing** published as missing counts 0; \
published as suppressed, 1.

**Differs from the paper**: Ghinita et al. charge an inner node `leaves / domain`; here `(leaves - \
1) / (domain - 1)`, as
Iyengar does, so that the penalty has no jump between a leaf and its parent.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for GlobalNcp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        cells::mean(view, Value::ncp)
    }

    /// The mean over parts: widths are relative to the whole domain, which a part knows.
    fn combine(&self) -> Combine {
        Combine::Mean
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(cells::objective("global-ncp", table, Value::ncp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::ncp::tests::penalty;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = GlobalNcp.measure(&sample.view(None)).unwrap();
            let quasi = sample.table.quasi();
            let mut total = 0.0;
            for row in sample.published() {
                for (j, column) in quasi.iter().enumerate() {
                    total += row.as_ref().map_or(1.0, |row| penalty(column, row[j]));
                }
            }
            prop_assert!(close(measured.overall,
                total / (sample.table.n_rows * quasi.len()) as f64));
        }
    }
}
