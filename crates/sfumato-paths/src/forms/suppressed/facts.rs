//! The facts of published paths: how often sequences of their steps occur, from the file alone.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Least, SequenceFacts};
use sfumato_core::sequences::{AskedSequences, CountedSequences, FailingSequence};

use crate::data::sequences::{Found, Question, minimal_violating};
use crate::data::{Labels, PathData, Paths};

/// Published paths.
pub struct Stated<'a> {
    /// The paths, with the values beside them.
    pub data: &'a PathData,
}

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        "a release of suppressed paths"
    }
    fn sequences(&self) -> Option<&dyn SequenceFacts> {
        Some(self)
    }
}

impl SequenceFacts for Stated<'_> {
    fn count(&self, asked: &AskedSequences) -> Result<CountedSequences> {
        let labels = Labels::of(&self.data.sensitive, asked.values.as_deref())?;
        let view = self.data.view(asked.knows);
        let seen = view.of(&self.data.paths);
        let count = |paths: &Paths, labels: &Labels| {
            minimal_violating(&Question {
                paths,
                n_codes: view.n_codes,
                labels,
                length: asked.length,
                required: asked.required,
                most: asked.most,
            })
        };
        let Found { minimal, least, rare, share } = match self.data.quasi.is_empty() {
            true => count(&seen, &labels)?,
            // Whoever knows what stands beside a path looks only at paths of its class.
            false => {
                let mut all: Option<Found> = None;
                for class in self.data.classes() {
                    let (paths, labels) = (seen.part(&class), labels.part(&class));
                    let mut found = count(&paths, &labels)?;
                    found.add_nothing_known(&paths, &labels, asked);
                    all = Some(match all {
                        None => found,
                        Some(before) => before.with(found),
                    });
                }
                all.map_or_else(|| count(&seen, &labels), Ok)?
            }
        };
        let first = minimal.iter().min_by_key(|found| (found.sequence.len(), found.support));
        let failing = first.map(|found| FailingSequence {
            steps: found
                .sequence
                .iter()
                .map(|code| self.data.name_in(asked.knows, *code))
                .collect(),
            support: found.support,
            private: found.private.map(|(label, n)| (labels.names[label as usize].clone(), n)),
        });
        Ok(CountedSequences {
            support: Least { least, violations: rare },
            share: share.or((!labels.is_empty()).then_some(NOBODY)),
            breaches: minimal.len() as u64 - rare,
            failing,
        })
    }
}

/// Nobody has a sensitive value that counts.
const NOBODY: sfumato_core::combinations::PartOf =
    sfumato_core::combinations::PartOf { part: 0, whole: 1 };
