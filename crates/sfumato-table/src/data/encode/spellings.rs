//! Which texts of a subject or sensitive column are spellings of one person or one value.
//!
//! Every way to count people and sensitive values comes through here: tables in memory and on disk,
//! and audits of both.

use sfumato_core::column::Dictionary;
use sfumato_core::dataset::{Canonical, Role, rough};
use sfumato_engine::hash::hash_text;

use super::is_missing;
use crate::job::{Case, ColumnSpec, Job};

/// How the texts of a column are compared. `None` if every text is a value of its own, as in
/// columns that models don't count.
pub fn canonical(spec: &ColumnSpec) -> Option<Canonical> {
    matches!(spec.role, Role::Subject | Role::Sensitive).then(|| Canonical {
        // Whoever says that numbers are words has codes such as 250.1 and 250.10.
        numbers: spec.kind.as_deref() != Some("text"),
        ignores_case: spec.case == Case::Ignore,
    })
}

/// Whether a text of a column means a missing value. Where spellings don't matter, a blank text is
/// missing too: it would be a person or a value of its own.
pub fn is_missing_in(job: &Job, spec: &ColumnSpec, text: &str) -> bool {
    is_missing(job, text) || (canonical(spec).is_some() && is_missing(job, text.trim()))
}

/// Which of several spellings of a value is published: the one that is its canonical form, else
/// the shortest. It doesn't depend on the order or number of rows.
pub fn rank(canonical: Canonical, text: &str) -> (bool, usize, &str) {
    (canonical.of(text) != text, text.len(), text)
}

/// How many values differ from another only by case, space or characters that nobody sees.
pub fn count_near<S: AsRef<str>>(values: impl Iterator<Item = S>) -> usize {
    let mut hashes: Vec<u64> = values.map(|value| hash_text(&rough(value.as_ref()))).collect();
    hashes.sort_unstable();
    hashes.chunk_by(|a, b| a == b).map(<[u64]>::len).filter(|n| *n > 1).sum()
}

/// What was found about the spellings of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spellings {
    /// How many texts were other spellings of a value, and count as that value.
    pub merged: usize,
    /// How many values are nearly equal to another, and count as different.
    pub near: usize,
}

impl Spellings {
    /// What was found about people.
    pub fn of_subject(canonical: Canonical, texts: &Dictionary) -> Self {
        match canonical.number(texts) {
            None => Spellings { merged: 0, near: count_near(texts.iter()) },
            Some(numbered) => {
                let people = numbered.first.iter().map(|at| texts.get(*at));
                Spellings { merged: texts.len() - numbered.first.len(), near: count_near(people) }
            }
        }
    }

    /// What the report says about them.
    pub fn remarks(self, name: &str, role: Role) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.merged > 0 {
            remarks.push(match role {
                Role::Subject => format!(
                    "{} texts of column '{name}' are other spellings of a person (such as 1 and \
                     1.0) and count as that person",
                    self.merged
                ),
                _ => format!(
                    "{} values of column '{name}' were written in several ways (such as 1.5 and \
                     1.50) and are published in one",
                    self.merged
                ),
            });
        }
        if self.near > 0 {
            let what = if role == Role::Subject { "people" } else { "values" };
            remarks.push(format!(
                "{} {what} of column '{name}' differ from another only by case or space, and count \
                 as different: clean the column, or give --ignore-case {name}",
                self.near
            ));
        }
        remarks
    }
}
