//! The `[paths]` section of a job: the layout of the file, and which columns are sensitive.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The word for a job that doesn't say the layout.
const AUTO: &str = "auto";

/// The section `[paths]`: its presence makes the job one about paths.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PathSpec {
    /// The layout of the file, such as `points(id=who, place=where, time=when)`. With `auto` it is
    /// the layout in the manifest of a release.
    pub layout: String,
    /// Columns beside the path that an attacker wants to learn. They are published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<String>,
    /// Columns beside the path that an attacker may know. They are published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quasi: Vec<String>,
    /// The folder from which files that the layout names start.
    #[serde(skip)]
    pub base: PathBuf,
}

impl Default for PathSpec {
    fn default() -> Self {
        PathSpec {
            layout: AUTO.into(),
            sensitive: Vec::new(),
            quasi: Vec::new(),
            base: PathBuf::new(),
        }
    }
}

impl PathSpec {
    /// Whether it says the layout of the file.
    pub fn says_layout(&self) -> bool {
        self.layout != AUTO
    }
}
