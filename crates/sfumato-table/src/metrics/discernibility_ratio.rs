//! Discernibility ratio (DR): discernibility on a scale that doesn't depend on the table's size.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::discernibility;

/// The metric `discernibility-ratio`, an entry of the registry.
pub struct DiscernibilityRatio;

static INFO: Info = Info {
    name: "discernibility-ratio",
    summary: "discernibility over the square of the number of records",
    papers: &[
        Paper {
            authors: "N. Mohammed, B. C. M. Fung, P. C. K. Hung, C.-K. Lee",
            title: "Anonymizing Healthcare Data: A Case Study on the Blood Transfusion Service",
            venue: "KDD",
            year: 2009,
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
`DR = DM / records^2` (Eq. 6.8 of the book), with DM as in `discernibility`, suppressed records \
included.

**Range** above 0 (1/records if all differ) to 1 (one class, or all suppressed), lower is better. \
It is the chance that two records
drawn at random (the same one allowed) can't be told apart. No form by column.

**Differs from the book**, which has no suppressed records in this formula: here each adds \
`1/records`.

**Cost** that of `discernibility`.
",
    ..Info::DEFAULT
};

impl Metric for DiscernibilityRatio {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        if view.table.n_rows == 0 {
            return None;
        }
        let records = view.table.n_rows as f64;
        let overall = discernibility::penalties(view) as f64 / (records * records);
        Some(Measurement { overall, by_column: Vec::new() })
    }

    fn combine(&self) -> Combine {
        Combine::Squares
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        let square = |rows: u64| rows as f64 * rows as f64;
        Some(Objective::of_classes("discernibility-ratio", square, table.n_rows as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing;

    #[test]
    fn the_tables_of_the_book() {
        let of = |sample: testing::Sample| {
            DiscernibilityRatio.measure(&sample.view(None)).unwrap().overall
        };
        assert_eq!(of(testing::table_2_4()), 25.0 / 49.0);
        assert_eq!(of(testing::table_6_2()), 29.0 / 121.0);
        let mut sample = testing::table_2_4();
        sample.suppress_all();
        assert_eq!(of(sample), 1.0);
    }
}
