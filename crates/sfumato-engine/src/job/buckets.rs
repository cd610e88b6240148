//! How groups are published where quasi values stay as they are.

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
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            BucketForm::Linked => "linked",
            BucketForm::Permuted => "permuted",
        }
    }
}

/// The column that says which group a row belongs to, where the job names no other.
pub const GROUP: &str = "group";
