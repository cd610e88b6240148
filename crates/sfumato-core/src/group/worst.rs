//! The worst group seen so far, and what it says about a requirement.

use crate::group::Summary;
use crate::traits::{Direction, Measure, Requirement};

/// The required and the achieved value of one quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Guarantee {
    /// The name of the model.
    pub model: &'static str,
    /// The model with its parameters.
    pub requirement: String,
    /// What the promise is about: `class` or `projection`.
    pub scope: &'static str,
    /// The quantity, the bound and its direction.
    pub measure: Measure,
    /// The worst value of any group. NaN if there is no group.
    pub achieved: f64,
    /// Whether the requirement holds in every group. If a requirement has several quantities, only
    /// those out of bounds don't hold; the requirement itself holds if all its quantities do.
    pub holds: bool,
    /// How many groups violate the requirement.
    pub violations: u64,
}

/// The worst values seen so far. It doesn't store the requirement and the release, which are passed
/// at each step.
#[derive(Debug, Clone)]
pub(super) struct Worst {
    measures: Vec<Measure>,
    achieved: Vec<Option<f64>>,
    violations: u64,
}

impl Worst {
    pub(super) fn new(requirement: &dyn Requirement) -> Self {
        let measures = requirement.measures();
        let achieved = vec![None; measures.len()];
        Worst { measures, achieved, violations: 0 }
    }

    /// Take a group into account.
    pub(super) fn add(
        &mut self,
        requirement: &dyn Requirement,
        group: &Summary,
        release: &Summary,
    ) {
        self.violations += u64::from(!requirement.holds(group, release));
        let values = requirement.measure(group, release);
        for ((achieved, measure), value) in self.achieved.iter_mut().zip(&self.measures).zip(values)
        {
            let direction: Direction = measure.direction;
            *achieved = Some(achieved.map_or(value, |worst| direction.worse(worst, value)));
        }
    }

    /// Take the worse values of two.
    pub(super) fn join(&mut self, other: &Worst) {
        self.violations += other.violations;
        for ((mine, theirs), measure) in
            self.achieved.iter_mut().zip(&other.achieved).zip(&self.measures)
        {
            *mine = match (*mine, *theirs) {
                (Some(mine), Some(theirs)) => Some(measure.direction.worse(mine, theirs)),
                (mine, theirs) => mine.or(theirs),
            };
        }
    }

    /// What is achieved, one guarantee per quantity.
    pub(super) fn finish(
        self,
        requirement: &dyn Requirement,
        scope: &'static str,
    ) -> Vec<Guarantee> {
        let breaks =
            |(measure, achieved): (&Measure, &Option<f64>)| match (measure.direction, achieved) {
                (_, None) => false,
                (Direction::AtLeast, Some(achieved)) => *achieved < measure.required,
                (Direction::AtMost, Some(achieved)) => *achieved > measure.required,
                (Direction::Below, Some(achieved)) => *achieved >= measure.required,
            };
        // A requirement of two quantities may fail by one of them: the other isn't called broken.
        let tells_which = self.measures.iter().zip(&self.achieved).any(breaks);
        let guarantee = |(measure, achieved): (Measure, Option<f64>)| Guarantee {
            model: requirement.model(),
            requirement: requirement.describe(),
            scope,
            measure,
            achieved: achieved.unwrap_or(f64::NAN),
            holds: self.violations == 0 || (tells_which && !breaks((&measure, &achieved))),
            violations: self.violations,
        };
        self.measures.iter().copied().zip(self.achieved.iter().copied()).map(guarantee).collect()
    }
}
