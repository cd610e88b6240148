//! Checks promises about classes while classes arrive one by one, so that no class has to stay in
//! memory.
//!
//! The release that classes are compared with must be known before the first of them.

use std::sync::Arc;

use crate::group::Summary;
use crate::group::worst::{Guarantee, Worst};
use crate::traits::Requirements;

/// The summary of all published records, owned or borrowed.
#[derive(Clone)]
enum Release<'a> {
    There(&'a Summary),
    Here(Arc<Summary>),
}

impl Release<'_> {
    fn get(&self) -> &Summary {
        match self {
            Release::There(summary) => summary,
            Release::Here(summary) => summary,
        }
    }
}

/// The result for the classes seen so far, of all requirements about classes. Requirements about
/// projections are ignored here: they need all classes at once.
#[derive(Clone)]
pub struct ClassEvaluation<'a> {
    requirements: &'a Requirements,
    release: Release<'a>,
    /// One entry per requirement. `None` if it isn't about classes.
    worst: Vec<Option<Worst>>,
}

impl<'a> ClassEvaluation<'a> {
    /// An evaluation that has seen no class yet. `release` is the summary of all published records.
    pub fn new(requirements: &'a Requirements, release: Summary) -> Self {
        Self::begin(requirements, Release::Here(Arc::new(release)))
    }

    /// An evaluation that has seen no class yet, with a borrowed summary of all published records.
    pub(super) fn against(requirements: &'a Requirements, release: &'a Summary) -> Self {
        Self::begin(requirements, Release::There(release))
    }

    fn begin(requirements: &'a Requirements, release: Release<'a>) -> Self {
        let worst = requirements
            .iter()
            .map(|requirement| {
                requirement.scope().is_met_by_classes().then(|| Worst::new(requirement))
            })
            .collect();
        ClassEvaluation { requirements, release, worst }
    }

    /// An evaluation of the same requirements against the same release that has seen no class, to
    /// be joined later.
    pub fn fork(&self) -> Self {
        Self::begin(self.requirements, self.release.clone())
    }

    /// Look at some classes.
    pub fn add(&mut self, classes: &[Summary]) {
        let release = self.release.get();
        for (requirement, worst) in self.requirements.iter().zip(&mut self.worst) {
            if let Some(worst) = worst {
                classes.iter().for_each(|class| worst.add(requirement, class, release));
            }
        }
    }

    /// Take over what another evaluation has seen.
    pub fn join(&mut self, other: &ClassEvaluation<'_>) {
        for (mine, theirs) in self.worst.iter_mut().zip(&other.worst) {
            if let (Some(mine), Some(theirs)) = (mine, theirs) {
                mine.join(theirs);
            }
        }
    }

    /// What the classes achieve, in the order of the requirements about classes.
    pub fn finish(self) -> Vec<Guarantee> {
        self.finish_each().into_iter().flatten().flatten().collect()
    }

    /// What the classes achieve, one entry per requirement. `None` for requirements that aren't
    /// about classes.
    pub(super) fn finish_each(self) -> Vec<Option<Vec<Guarantee>>> {
        let each = self.requirements.iter().zip(self.worst);
        each.map(|(requirement, worst)| {
            Some(worst?.finish(requirement, requirement.scope().name()))
        })
        .collect()
    }
}
