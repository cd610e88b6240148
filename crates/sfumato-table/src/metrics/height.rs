//! Height: the number of generalized levels per record. For full-domain recodings, the height of
//! the lattice node.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};

use crate::metrics::cells;

/// The metric `height`, an entry of the registry.
pub struct Height;

static INFO: Info = Info {
    name: "height",
    summary: "mean over records of the hierarchy levels climbed in all columns together",
    papers: &[Paper {
        authors: "P. Samarati",
        title: "Protecting Respondents' Identities in Microdata Release",
        venue: "IEEE Transactions on Knowledge and Data Engineering 13(6)",
        year: 2001,
    }],
    params: &[],
    doc: "\
`sum over quasi columns of the mean level of the column's published values`.

In a full-domain release every record has the same levels and this is the height of the node in \
the generalization lattice, the
oldest cost of all. In local or multidimensional recodings records differ, and the mean over \
records is taken. By column: the mean
level.

Levels as in `precision`: 0 for original values up to the root; an ordered column without a \
hierarchy has exact 0, range 1, whole
domain 2.

**Range** 0 to the sum of the highest levels, lower is better. The original has 0.

**Suppressed** records and cells count as the highest level. **Missing** published as missing \
counts as level 0.

Adding levels of different hierarchies adds unlike things: deep hierarchies dominate. `precision` \
divides by the depth.

**Cost** O(classes) per column.
",
    ..Info::DEFAULT
};

impl Metric for Height {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let by_column = cells::means(view, |value, column| value.level(column) as f64)?;
        Some(Measurement { overall: by_column.iter().sum(), by_column })
    }

    /// Whether a value is exact, a range or the whole domain is the same in a part, which knows the
    /// least and the largest value.
    fn combine(&self) -> Combine {
        Combine::Mean
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        Some(cells::objective("height", table, |value, column| value.level(column) as f64))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;
    use sfumato_core::dataset::{Column, Hierarchy};
    use sfumato_core::recoding::Value;

    /// Steps from the exact value up to a published one, counted by walking down the tree.
    pub(crate) fn climb(column: &Column, value: Value) -> f64 {
        let steps = |tree: &Hierarchy, mut node| {
            let mut steps = 0;
            while !tree.children(node).is_empty() {
                node = tree.children(node).start;
                steps += 1;
            }
            steps
        };
        let steps = match (value, &column.hierarchy) {
            (Value::Missing, _) => 0,
            (Value::Any, Some(tree)) => steps(tree, Hierarchy::ROOT),
            (Value::Node(node), Some(tree)) => steps(tree, node),
            (Value::Any, None) => 2,
            (value, _) => match value.codes(column).len() {
                1 => 0,
                n if n == column.domain.len() => 2,
                _ => 1,
            },
        };
        f64::from(steps)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let measured = Height.measure(&sample.view(None)).unwrap();
            let mut total = 0.0;
            for (j, column) in sample.table.quasi().into_iter().enumerate() {
                let mean = sample.mean(j, |_, value| climb(column, value));
                prop_assert!(close(measured.by_column[j], mean));
                total += mean;
            }
            prop_assert!(close(measured.overall, total));
        }
    }

    #[test]
    fn a_full_domain_release_has_the_height_of_its_node() {
        let sample = testing::jobs(
            &["Engineer", "Lawyer", "Dancer"],
            &["Professional", "Professional", "Artist"],
        );
        assert_eq!(Height.measure(&sample.view(None)).unwrap().overall, 1.0);
    }
}
