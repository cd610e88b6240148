//! Minimal distortion: one unit per value and step of generalization. It is a count, so it grows
//! with the table.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `minimal-distortion`, an entry of the registry.
pub struct MinimalDistortion;

static INFO: Info = Info {
    name: "minimal-distortion",
    summary: "one unit for each value and each step it was generalized",
    papers: &[
        Paper {
            authors: "P. Samarati",
            title: "Protecting Respondents' Identities in Microdata Release",
            venue: "IEEE Transactions on Knowledge and Data Engineering 13(6)",
            year: 2001,
        },
        Paper {
            authors: "L. Sweeney",
            title: "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression",
            venue: "International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems \
                10(5)",
            year: 2002,
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
`MD = sum over records and quasi columns of the published value's level`: ten engineers published \
as professionals cost 10; as any
job at all, 10 more.

Levels as in `precision`: 0 for original values up to the root; an ordered column without a \
hierarchy has exact 0, range 1, whole
domain 2. It is `height` times the number of records. By column: the column's sum.

**Range** 0 to `records * sum of the highest levels`, lower is better. The original has 0.

**Suppressed** records and cells cost the highest level of the column, as if the value had been \
generalized step by step to the
root. The literature names no price; this one makes suppressing never cheaper than generalizing. \
**Missing** published
as missing costs 0.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for MinimalDistortion {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let by_column = cells::sums(view, |value, column| value.level(column) as f64)?;
        Some(Measurement { overall: by_column.iter().sum(), by_column })
    }

    /// Whether a value is exact, a range or the whole domain is the same in a part, which knows the
    /// least and the largest value.
    fn combine(&self) -> Combine {
        Combine::Sum
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(cells::objective("minimal-distortion", table, |value, column| {
            value.level(column) as f64
        }))
    }
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
            let quasi = sample.table.quasi();
            let mut units = 0.0;
            for row in sample.published() {
                for (j, column) in quasi.iter().enumerate() {
                    let value =
                        row.as_ref().map_or(sfumato_core::recoding::Value::Any, |row| row[j]);
                    units += climb(column, value);
                }
            }
            prop_assert!(close(MinimalDistortion.measure(&sample.view(None)).unwrap().overall,
                units));
        }
    }

    #[test]
    fn ten_engineers_cost_ten_per_step() {
        let of = |published| {
            let sample = testing::jobs(&["Engineer"; 10], &[published; 10]);
            MinimalDistortion.measure(&sample.view(None)).unwrap().overall
        };
        assert_eq!([of("Engineer"), of("Professional"), of("ANY_Job")], [0.0, 10.0, 20.0]);
    }

    #[test]
    fn one_lawyer_among_engineers_costs_as_much_as_half_of_writers() {
        let of = |original: [(&str, usize); 2], published: &str| {
            let texts = original.map(|(text, n)| vec![text; n]).concat();
            let sample = testing::jobs(&texts, &vec![published; texts.len()]);
            MinimalDistortion.measure(&sample.view(None)).unwrap().overall
        };
        assert_eq!(of([("Engineer", 99), ("Lawyer", 1)], "Professional"), 100.0);
        assert_eq!(of([("Dancer", 50), ("Writer", 50)], "Artist"), 100.0);
    }
}
