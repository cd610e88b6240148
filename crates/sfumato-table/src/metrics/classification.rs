//! Classification metric (CM): the number of records whose label isn't the most frequent one of
//! their class.

use sfumato_core::column::Code;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{Combine, Measurement, Metric, Objective, View};
use sfumato_core::with_codes;

use crate::metrics::alike::Alike;

/// The metric `classification`, an entry of the registry.
pub struct Classification;

static INFO: Info = Info {
    name: "classification",
    summary: "share of records whose target differs from the majority of their class",
    papers: &[
        Paper {
            authors: "V. S. Iyengar",
            title: "Transforming Data to Satisfy Privacy Constraints",
            venue: "KDD",
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
`CM = mean over records of a penalty` (Eq. 4.5 and 4.6 of the book): 1 for a suppressed record, 1 \
for a record whose value in the
target column isn't the most frequent one of its class, else 0.

**Range** 0 to 1, lower is better: the training error of the best rule that knows nothing but the \
class. The original needn't have
0: equal records may have different targets. No form by column. No value without a column of role \
target; with several, the
first counts.

**Suppressed** records count 1. **Missing** targets are a label of their own. Ties don't matter: \
as many records stay outside
the majority whichever value wins.

Classes are what a reader sees: records with the same published texts in all quasi columns.

**Cost** one pass over the rows to bring the targets of a class together, with one code per row of \
memory.
",
    ..Info::DEFAULT
};

impl Metric for Classification {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn measure(&self, view: &View<'_>) -> Option<Measurement> {
        let target = view.target()?;
        if view.table.n_rows == 0 {
            return None;
        }
        let alike = Alike::new(view);
        let n_labels = target.domain.len() + 1;
        let majorities =
            with_codes!(&target.codes, labels => majorities(view, &alike, labels, n_labels));
        let overall = (view.table.n_rows as u64 - majorities) as f64 / view.table.n_rows as f64;
        Some(Measurement { overall, by_column: Vec::new() })
    }

    fn combine(&self) -> Combine {
        Combine::Mean
    }

    fn objective<'a>(&self, table: &'a Table) -> Option<Objective<'a>> {
        table.of_role(Role::Target).next()?;
        Some(Objective::of_targets("classification", 1.0, 1.0))
    }
}

/// The number of records with the most frequent label of their class. Labels are first sorted by
/// class (a counting sort), because a table of classes times labels may not fit into memory.
fn majorities<C: Code>(view: &View<'_>, alike: &Alike, labels: &[C], n_labels: usize) -> u64 {
    let ends: Vec<usize> = alike
        .sizes
        .iter()
        .scan(0, |end, size| {
            *end += *size as usize;
            Some(*end)
        })
        .collect();
    let mut next: Vec<usize> =
        ends.iter().zip(&alike.sizes).map(|(end, size)| end - *size as usize).collect();
    let mut by_class = vec![C::default(); ends.last().copied().unwrap_or(0)];
    for (class, label) in view.recoding.class_of_row().iter().zip(labels) {
        if *class != SUPPRESSED {
            let place = &mut next[alike.published[*class as usize] as usize];
            by_class[*place] = *label;
            *place += 1;
        }
    }
    let mut counts = vec![0u64; n_labels];
    let mut start = 0;
    let mut kept = 0;
    for end in ends {
        let members = &by_class[start..end];
        members.iter().for_each(|label| counts[label.widen() as usize] += 1);
        kept += members.iter().map(|label| counts[label.widen() as usize]).max().unwrap_or(0);
        members.iter().for_each(|label| counts[label.widen() as usize] = 0);
        start = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::testing::{self, close};
    use proptest::prelude::*;
    use sfumato_core::dataset::Role;
    use sfumato_core::recoding::Value;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_the_definition(sample in testing::samples()) {
            let target = sample.table.of_role(Role::Target).next().unwrap();
            let quasi = sample.table.quasi();
            let mut classes: std::collections::BTreeMap<Vec<String>, Vec<u32>> = Default::default();
            let mut penalties = 0;
            for (row, published) in sample.published().into_iter().enumerate() {
                match published {
                    None => penalties += 1,
                    Some(values) => {
                        let texts = values.iter().zip(&quasi)
                            .map(|(value, column)| value.render(column)).collect();
                        classes.entry(texts).or_default().push(target.codes.get(row));
                    }
                }
            }
            for labels in classes.values() {
                let count = |label| labels.iter().filter(|other| *other == label).count();
                penalties += labels.len() - labels.iter().map(count).max().unwrap();
            }
            let measured = Classification.measure(&sample.view(None)).unwrap();
            prop_assert!(close(measured.overall, penalties as f64 / sample.table.n_rows as f64));
        }
    }

    /// Table 6.3 with each column published as it is or as anything at all; education, sex, work
    /// hours.
    fn of(exact: [bool; 3]) -> f64 {
        let counts = [
            ("10th", "M", "40", 20, "Y"),
            ("10th", "M", "30", 4, "N"),
            ("9th", "M", "30", 2, "N"),
            ("9th", "F", "30", 4, "N"),
            ("9th", "F", "40", 6, "N"),
            ("8th", "F", "30", 2, "N"),
            ("8th", "F", "40", 2, "N"),
        ];
        let rows: Vec<[&str; 4]> = counts
            .iter()
            .flat_map(|(e, s, h, n, y)| std::iter::repeat_n([*e, *s, *h, *y], *n))
            .collect();
        let column =
            |j: usize| testing::words("", &rows.iter().map(|row| row[j]).collect::<Vec<&str>>());
        let quasi = vec![column(0), column(1), column(2)];
        let mut target = column(3);
        target.role = Role::Target;
        let copies = quasi.clone();
        let sample = testing::Sample::by_cell(quasi, vec![target], |row, j| {
            let tree = copies[j].hierarchy.as_ref().unwrap();
            Value::Node(tree.ancestor(copies[j].codes.get(row), usize::from(!exact[j])))
        });
        Classification.measure(&sample.view(None)).unwrap().overall
    }

    #[test]
    fn the_tables_of_the_book() {
        assert!(close(of([true, false, false]), 0.10));
        assert!(close(of([false, true, false]), 0.15));
        assert_eq!(of([false, true, true]), 0.0);
    }

    #[test]
    fn needs_a_target() {
        assert_eq!(Classification.measure(&testing::table_2_4().view(None)), None);
    }
}
