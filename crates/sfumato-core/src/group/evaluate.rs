//! Checks every requirement on a set of classes and says what is achieved.
//!
//! A promise about projections needs no second pass over the records: groups that agree on some
//! columns are unions of classes, and counts add up. Nothing here starts a thread: callers that
//! have threads pass a function that runs pieces of work.

use std::sync::OnceLock;

use crate::group::worst::Worst;
use crate::group::{ClassEvaluation, Guarantee, Projections, Summary};
use crate::traits::{Requirement, Requirements, Scope};

/// Runs independent pieces of work, in any order or at once: `run(n, work)` calls `work(i)` once
/// for each `i` below `n`.
pub type RunAll<'a> = dyn Fn(usize, &(dyn Fn(usize) + Sync)) + 'a;

/// Runs one piece of work after the other.
pub fn one_by_one(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).for_each(work);
}

/// How many subsets of columns, most of which begin alike, or how many classes make a piece of
/// work.
const SUBSETS: usize = 16;
const CLASSES: usize = 4096;

/// The classes of a release: for each its published quasi values (as codes) and its summary.
#[derive(Debug, Clone, Default)]
pub struct ClassTable {
    /// `keys[column][class]`: the code of the published value.
    pub keys: Vec<Vec<u32>>,
    /// One summary per class.
    pub summaries: Vec<Summary>,
    /// The summary of all published records: the reference distribution.
    pub release: Summary,
}

impl ClassTable {
    /// Make the table from classes. The release is their union.
    pub fn new(keys: Vec<Vec<u32>>, summaries: Vec<Summary>) -> Self {
        let release = merge_all(&summaries);
        ClassTable { keys, summaries, release }
    }

    /// The summaries of all groups of classes that agree on some columns. If there is a subject
    /// column, these summaries know how many people a group has but not who they are, so they can't
    /// be merged further.
    pub fn project(&self, columns: &[usize]) -> Vec<Summary> {
        let n_sensitive =
            self.summaries.iter().map(|summary| summary.histograms.len()).max().unwrap_or(0);
        let mut groups = Vec::new();
        let projections = Projections::new(self, &(0..n_sensitive).collect::<Vec<_>>());
        projections.walk().visit(columns, &mut |_, group| groups.push(group.clone()));
        groups
    }
}

/// Merge summaries pairwise in a tree: one running merge over the histograms of many classes would
/// be quadratic.
fn merge_all<'a>(summaries: impl IntoIterator<Item = &'a Summary>) -> Summary {
    let mut level: Vec<Summary> = summaries.into_iter().cloned().collect();
    while level.len() > 1 {
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        let mut pairs = level.into_iter();
        while let Some(mut first) = pairs.next() {
            if let Some(second) = pairs.next() {
                first.merge(&second);
            }
            next.push(first);
        }
        level = next;
    }
    level.pop().unwrap_or_default()
}

/// Check all requirements.
pub fn evaluate(requirements: &Requirements, classes: &ClassTable) -> Vec<Guarantee> {
    evaluate_with(requirements, classes, &one_by_one)
}

/// Check all requirements, with a function that runs pieces of work at once. The result is the same
/// for any such function.
pub fn evaluate_with(
    requirements: &Requirements,
    classes: &ClassTable,
    run: &RunAll<'_>,
) -> Vec<Guarantee> {
    let begin = || ClassEvaluation::against(requirements, &classes.release);
    let parts = in_pieces(run, &classes.summaries, CLASSES, |piece: &[Summary]| {
        let mut evaluation = begin();
        evaluation.add(piece);
        evaluation
    });
    let mut about_classes = begin();
    parts.iter().for_each(|part| about_classes.join(part));
    let found = requirements.iter().zip(about_classes.finish_each());
    found
        .flat_map(|(requirement, found)| match (found, requirement.scope()) {
            (None, Scope::Projection(subsets)) => projected(requirement, &subsets, classes, run),
            (found, _) => found.unwrap_or_default(),
        })
        .collect()
}

fn projected(
    requirement: &dyn Requirement,
    subsets: &[Vec<usize>],
    classes: &ClassTable,
    run: &RunAll<'_>,
) -> Vec<Guarantee> {
    let projections = Projections::new(classes, &requirement.histograms());
    let parts = in_pieces(run, subsets, SUBSETS, |piece: &[Vec<usize>]| {
        let (mut worst, mut walk) = (Worst::new(requirement), projections.walk());
        let mut add = |_: u32, group: &Summary| worst.add(requirement, group, &classes.release);
        piece.iter().for_each(|subset| walk.visit(subset, &mut add));
        worst
    });
    let mut worst = Worst::new(requirement);
    parts.iter().for_each(|part| worst.join(part));
    worst.finish(requirement, "projection")
}

/// Apply a function to pieces of a list. The results are in the order of the pieces.
fn in_pieces<T: Sync, A: Send + Sync>(
    run: &RunAll<'_>,
    list: &[T],
    size: usize,
    work: impl Fn(&[T]) -> A + Sync,
) -> Vec<A> {
    let answers: Vec<OnceLock<A>> =
        (0..list.len().div_ceil(size)).map(|_| OnceLock::new()).collect();
    run(answers.len(), &|piece| {
        let end = list.len().min((piece + 1) * size);
        answers[piece].get_or_init(|| work(&list[piece * size..end]));
    });
    answers.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// Which classes fail a requirement, or belong to a group that does.
pub fn failing_classes(
    requirement: &dyn Requirement,
    classes: &ClassTable,
    run: &RunAll<'_>,
) -> Vec<bool> {
    // Where people alone are counted, classes may come without histograms.
    let count_only = requirement.is_count_only();
    let holds = |group: &Summary| match count_only {
        true => group.people >= requirement.min_people(),
        false => requirement.holds(group, &classes.release),
    };
    let Scope::Projection(subsets) = requirement.scope() else {
        let fails = |class: &Summary| !holds(class);
        let parts = in_pieces(run, &classes.summaries, CLASSES, |piece: &[Summary]| -> Vec<bool> {
            piece.iter().map(fails).collect()
        });
        return parts.concat();
    };
    let mut fails = vec![false; classes.summaries.len()];
    let histograms = if count_only { Vec::new() } else { requirement.histograms() };
    let projections = Projections::new(classes, &histograms);
    let parts = in_pieces(run, &subsets, SUBSETS, |piece: &[Vec<usize>]| {
        let mut fails = vec![false; classes.summaries.len()];
        let mut walk = projections.walk();
        for subset in piece {
            let mut failing: Vec<bool> = Vec::new();
            walk.visit(subset, &mut |group, summary| {
                if !holds(summary) {
                    failing.resize(failing.len().max(group as usize + 1), false);
                    failing[group as usize] = true;
                }
            });
            let groups = fails.iter_mut().zip(walk.group_of_class());
            groups.for_each(|(fails, group)| *fails |= failing.get(*group as usize) == Some(&true));
        }
        fails
    });
    for part in parts {
        fails.iter_mut().zip(part).for_each(|(fails, part)| *fails |= part);
    }
    fails
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FastMap;
    use crate::column::Codes;
    use crate::group::{Histogram, Tally};
    use crate::traits::{Direction, Measure};
    use proptest::prelude::*;

    /// A simple oracle: groups by their keys, with summaries merged one after the other.
    fn oracle(classes: &ClassTable, columns: &[usize]) -> Vec<(Summary, Vec<usize>)> {
        let mut groups: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut found: Vec<(Summary, Vec<usize>)> = Vec::new();
        for (class, summary) in classes.summaries.iter().enumerate() {
            let key: Vec<u32> = columns.iter().map(|&column| classes.keys[column][class]).collect();
            let group = *groups.entry(key).or_insert_with(|| {
                found.push((Summary::default(), Vec::new()));
                found.len() - 1
            });
            found[group].0.merge(summary);
            found[group].1.push(class);
        }
        found
    }

    /// A requirement about people and about the share of one value, over subsets of columns.
    struct Asked {
        subsets: Option<Vec<Vec<usize>>>,
        k: u64,
        column: usize,
    }

    fn largest(histogram: &Histogram, people: u64) -> f64 {
        histogram.max_count() as f64 / people.max(1) as f64
    }

    impl Requirement for Asked {
        fn describe(&self) -> String {
            "asked".into()
        }
        fn model(&self) -> &'static str {
            "asked"
        }
        fn scope(&self) -> Scope {
            self.subsets.clone().map_or(Scope::Class, Scope::Projection)
        }
        fn is_monotone(&self) -> bool {
            false
        }
        fn histograms(&self) -> Vec<usize> {
            vec![self.column]
        }
        fn holds(&self, group: &Summary, release: &Summary) -> bool {
            let share = largest(&release.histograms[self.column], release.people);
            group.people >= self.k
                && largest(&group.histograms[self.column], group.people) <= share + 0.2
        }
        fn measures(&self) -> Vec<Measure> {
            let measure = |name, required, direction| Measure { name, required, direction };
            vec![
                measure("k", self.k as f64, Direction::AtLeast),
                measure("c", 0.5, Direction::AtMost),
            ]
        }
        fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
            let histogram = &group.histograms[self.column];
            vec![
                group.people as f64,
                largest(histogram, group.people) + histogram.total() as f64 + group.rows as f64,
            ]
        }
    }

    /// Runs the work backwards, to show that no answer depends on the order.
    fn backwards(n: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..n).rev().for_each(work);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn groups_are_those_of_merged_summaries(
            rows in prop::collection::vec((0u32..6, 0u32..4, 0u32..9, 0u32..5, 0u8..7, 0u8..9),
                0..120),
            with_subject: bool, sparse: bool, many_values: bool, k in 1u64..6,
        ) {
            let scale = if sparse { 1 << 26 } else { 1 };
            let columns =
                |row: &(u32, u32, u32, u32, u8, u8)| [row.0, row.1 * scale, row.2 * scale, row.3];
            let mut members: std::collections::BTreeMap<[u32; 4], Vec<u32>> = Default::default();
            rows.iter().enumerate()
                .for_each(|(i, row)| members.entry(columns(row)).or_default().push(i as u32));
            // Codes far apart make histograms that don't fit side by side.
            let values = |row: &(u32, u32, u32, u32, u8,
                u8)| u32::from(row.4) * if many_values { 90_000 } else { 1 };
            let codes = Codes::U32(rows.iter().map(values).collect());
            let other = Codes::U8(rows.iter().map(|row| row.5 % 3).collect());
            let subject = Codes::U8(rows.iter().map(|row| row.5).collect());
            let tally = Tally {
                sensitive: vec![Some((&codes, 700_000)), None, Some((&other, 3))],
                subject: with_subject.then_some(&subject),
            };
            let keys = (0..4).map(|c| members.keys().map(|key| key[c]).collect()).collect();
            let classes =
                ClassTable::new(keys, members.values().map(|rows| tally.of_rows(rows)).collect());
            let subsets: Vec<Vec<usize>> = (0..16usize)
                .map(|set| (0..4).filter(|c| set >> c & 1 == 1).collect())
                .chain([vec![3, 0], vec![2, 2], vec![3, 2, 1, 0]])
                .collect();
            let plain: Vec<Vec<(Summary, Vec<usize>)>> =
                subsets.iter().map(|s| oracle(&classes, s)).collect();
            for (subset, plain) in subsets.iter().zip(&plain) {
                let seen = |s: &Summary| (s.rows, s.people,
                    s.histograms.iter().map(|h| h.entries().to_vec()).collect::<Vec<_>>());
                let mut expected: Vec<_> = plain.iter().map(|(summary, _)| seen(summary)).collect();
                let mut found: Vec<_> = classes.project(subset).iter().map(seen).collect();
                expected.sort();
                found.sort();
                prop_assert_eq!(found, expected);
            }
            for column in [0, 2] {
                let requirement = Asked { subsets: Some(subsets.clone()), k, column };
                let mut worst = Worst::new(&requirement);
                plain.iter().flatten()
                    .for_each(|(summary, _)| worst.add(&requirement, summary, &classes.release));
                let expected = worst.finish(&requirement, "projection");
                let requirements = Requirements::new(vec![Box::new(requirement)]);
                let found = evaluate(&requirements, &classes);
                prop_assert_eq!(format!("{found:?}"), format!("{expected:?}"));
                prop_assert_eq!(format!("{:?}", evaluate_with(&requirements, &classes, &backwards)),
                    format!("{expected:?}"));
                let mut fails = vec![false; classes.summaries.len()];
                for (summary, members) in plain.iter().flatten() {
                    if requirements.iter().any(|r| !r.holds(summary, &classes.release)) {
                        members.iter().for_each(|class| fails[*class] = true);
                    }
                }
                for requirement in requirements.iter() {
                    prop_assert_eq!(&failing_classes(requirement, &classes, &backwards), &fails);
                }
                let by_class =
                    Requirements::new(vec![Box::new(Asked { subsets: None, k, column })]);
                let fails: Vec<bool> = classes.summaries.iter()
                    .map(|s| !by_class.holds(s, &classes.release)).collect();
                for requirement in by_class.iter() {
                    prop_assert_eq!(&failing_classes(requirement, &classes, &one_by_one), &fails);
                    let mut worst = Worst::new(requirement);
                    classes.summaries.iter()
                        .for_each(|class| worst.add(requirement, class, &classes.release));
                    let expected = format!("{:?}", worst.finish(requirement, "class"));
                    prop_assert_eq!(&format!("{:?}", evaluate(&by_class, &classes)), &expected);
                    // Class by class, in two parts that are joined.
                    let mut first = ClassEvaluation::new(&by_class, classes.release.clone());
                    let mut second = first.fork();
                    for (i, class) in classes.summaries.iter().enumerate() {
                        let part = if i % 3 == 0 { &mut second } else { &mut first };
                        part.add(std::slice::from_ref(class));
                    }
                    first.join(&second);
                    prop_assert_eq!(&format!("{:?}", first.finish()), &expected);
                }
            }
        }
    }
}
