//! The layouts and names of bucket releases, in which groups are published with their quasi values
//! as they are.

use serde::{Deserialize, Serialize};

/// The layout of a bucket release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BucketLayout {
    /// A folder with two tables, linked by the number of the group: quasi values, and how often
    /// each group has each sensitive value.
    #[default]
    Linked,
    /// One table, its sensitive values permuted within groups.
    Permuted,
}

impl BucketLayout {
    /// The name of the layout in a job.
    pub fn name(self) -> &'static str {
        match self {
            BucketLayout::Linked => "linked",
            BucketLayout::Permuted => "permuted",
        }
    }
}

/// The name of the column with the group of a row, unless the job gives another.
pub const GROUP: &str = "group";
