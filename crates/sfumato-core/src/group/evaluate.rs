//! Checks every requirement on a set of classes and says what is achieved.
//!
//! A promise about projections needs no second look at the records: groups that agree on some columns are unions of
//! classes, and summaries merge.

use crate::FastMap;
use crate::group::Summary;
use crate::traits::{Direction, Measure, Requirement, Requirements, Scope};

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
    /// From classes; the release is their union.
    pub fn new(keys: Vec<Vec<u32>>, summaries: Vec<Summary>) -> Self {
        let release = merge_all(&summaries);
        ClassTable { keys, summaries, release }
    }

    /// The summaries of all groups of classes that agree on some columns.
    pub fn project(&self, columns: &[usize]) -> Vec<Summary> {
        let mut groups: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for class in 0..self.summaries.len() {
            let key: Vec<u32> = columns.iter().map(|&column| self.keys[column][class]).collect();
            let group = *groups.entry(key).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[group].push(class);
        }
        members.iter().map(|classes| merge_all(classes.iter().map(|&class| &self.summaries[class]))).collect()
    }
}

/// Merge by halves: histograms of many classes would make one long running merge quadratic.
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

/// What was asked of one quantity and what is achieved.
#[derive(Debug, Clone, PartialEq)]
pub struct Guarantee {
    /// The model.
    pub model: &'static str,
    /// The model with its parameters.
    pub requirement: String,
    /// What the promise is about: `class` or `projection`.
    pub scope: &'static str,
    /// The quantity, the bound and its direction.
    pub measure: Measure,
    /// The worst value of any group. NaN without any group.
    pub achieved: f64,
    /// Whether the requirement holds in every group. Of a requirement with two quantities, only those that are out of
    /// bounds don't hold; it holds itself when all its quantities do.
    pub holds: bool,
    /// How many groups violate the requirement.
    pub violations: u64,
}

/// Check all requirements.
pub fn evaluate(requirements: &Requirements, classes: &ClassTable) -> Vec<Guarantee> {
    requirements.iter().flat_map(|requirement| evaluate_one(requirement, classes)).collect()
}

fn evaluate_one(requirement: &dyn Requirement, classes: &ClassTable) -> Vec<Guarantee> {
    let mut worst = Worst::new(requirement, &classes.release);
    match requirement.scope() {
        Scope::Class => classes.summaries.iter().for_each(|class| worst.add(class)),
        Scope::Projection(subsets) => {
            for subset in subsets {
                classes.project(&subset).iter().for_each(|group| worst.add(group));
            }
        }
    }
    worst.finish()
}

/// The worst group seen so far.
struct Worst<'a> {
    requirement: &'a dyn Requirement,
    release: &'a Summary,
    measures: Vec<Measure>,
    achieved: Vec<Option<f64>>,
    violations: u64,
}

impl<'a> Worst<'a> {
    fn new(requirement: &'a dyn Requirement, release: &'a Summary) -> Self {
        let measures = requirement.measures();
        let achieved = vec![None; measures.len()];
        Worst { requirement, release, measures, achieved, violations: 0 }
    }

    fn add(&mut self, group: &Summary) {
        self.violations += u64::from(!self.requirement.holds(group, self.release));
        let values = self.requirement.measure(group, self.release);
        for ((achieved, measure), value) in self.achieved.iter_mut().zip(&self.measures).zip(values) {
            let direction: Direction = measure.direction;
            *achieved = Some(achieved.map_or(value, |worst| direction.worse(worst, value)));
        }
    }

    fn finish(self) -> Vec<Guarantee> {
        let breaks = |(measure, achieved): (&Measure, &Option<f64>)| match (measure.direction, achieved) {
            (_, None) => false,
            (Direction::AtLeast, Some(achieved)) => *achieved < measure.required,
            (Direction::AtMost, Some(achieved)) => *achieved > measure.required,
            (Direction::Below, Some(achieved)) => *achieved >= measure.required,
        };
        // A requirement of two quantities may fail by one of them: the other isn't called broken.
        let tells_which = self.measures.iter().zip(&self.achieved).any(breaks);
        let guarantee = |(measure, achieved): (Measure, Option<f64>)| Guarantee {
            model: self.requirement.model(),
            requirement: self.requirement.describe(),
            scope: self.requirement.scope().name(),
            measure,
            achieved: achieved.unwrap_or(f64::NAN),
            holds: self.violations == 0 || (tells_which && !breaks((&measure, &achieved))),
            violations: self.violations,
        };
        self.measures.iter().copied().zip(self.achieved.iter().copied()).map(guarantee).collect()
    }
}
