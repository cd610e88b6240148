//! Computes what classes achieve while they are merged bucket by bucket.

use sfumato_core::group::{ClassEvaluation, Guarantee, Summary};
use sfumato_core::traits::{ClassSizes, Requirements};
use sfumato_core::{FastMap, Result};

use super::ClassRuns;

/// The result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grouped {
    /// The guarantees of each list of requirements, in their order.
    pub guarantees: Vec<Vec<Guarantee>>,
    /// Sizes of classes in people.
    pub people: ClassSizes,
    /// Sizes of classes in records.
    pub rows: ClassSizes,
}

struct PartialEvaluation<'a> {
    evaluations: Vec<ClassEvaluation<'a>>,
    people: FastMap<u64, u64>,
    rows: FastMap<u64, u64>,
}

impl ClassRuns {
    /// Check requirements for each class, against a release. All of them must be about classes.
    /// Sizes are in people.
    pub fn finish(
        self,
        asked: &Requirements,
        release: &Summary,
    ) -> Result<(Vec<Guarantee>, ClassSizes)> {
        let mut grouped = self.ask(&[asked], release, &|_, _| None)?;
        Ok((grouped.guarantees.pop().unwrap_or_default(), grouped.people))
    }

    /// Check several lists of requirements for each class. `seen` converts a class for the
    /// requirements, if codes have another meaning by now.
    pub fn ask(
        self,
        asked: &[&Requirements],
        release: &Summary,
        seen: &(impl Fn(&[u8], &Summary) -> Option<Summary> + Sync),
    ) -> Result<Grouped> {
        let mut whole: Vec<ClassEvaluation<'_>> =
            asked.iter().map(|asked| ClassEvaluation::new(asked, release.clone())).collect();
        let begin = || PartialEvaluation {
            evaluations: whole.iter().map(ClassEvaluation::fork).collect(),
            people: FastMap::default(),
            rows: FastMap::default(),
        };
        let add = |part: &mut PartialEvaluation<'_>, key: &[u8], summary: &Summary| {
            *part.people.entry(summary.people).or_default() += 1;
            *part.rows.entry(summary.rows).or_default() += 1;
            let made = seen(key, summary);
            let class = std::slice::from_ref(made.as_ref().unwrap_or(summary));
            part.evaluations.iter_mut().for_each(|evaluation| evaluation.add(class));
            Ok(())
        };
        let parts = self.fold(&begin, &add)?;
        for part in &parts {
            whole.iter_mut().zip(&part.evaluations).for_each(|(whole, part)| whole.join(part));
        }
        let sizes = |counted: Vec<&FastMap<u64, u64>>| {
            ClassSizes::from_counts(counted.into_iter().flatten().map(|(size, n)| (*size, *n)))
        };
        Ok(Grouped {
            people: sizes(parts.iter().map(|part| &part.people).collect()),
            rows: sizes(parts.iter().map(|part| &part.rows).collect()),
            guarantees: whole.into_iter().map(ClassEvaluation::finish).collect(),
        })
    }
}
