//! The forms and names of bucket releases, in which groups are published with their quasi values as
//! they are.

use serde::{Deserialize, Serialize};

/// The form of a bucket release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BucketForm {
    /// A folder with two tables, linked by the number of the group: quasi values, and how often
    /// each group has each sensitive value.
    #[default]
    Linked,
    /// One table, its sensitive values permuted within groups.
    Permuted,
}

impl BucketForm {
    /// The name of the form in a job.
    pub fn name(self) -> &'static str {
        match self {
            BucketForm::Linked => "linked",
            BucketForm::Permuted => "permuted",
        }
    }
}

/// The name of the column with the group of a row, unless the job gives another.
pub const GROUP: &str = "group";
