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
    /// Models of tables that these columns must keep, by being generalized in the same run. Without
    /// any they are published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quasi_models: Vec<String>,
    /// The algorithm that generalizes these columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quasi_algorithm: Option<String>,
    /// What is said of columns beside the path, such as their hierarchies, as of those of a table.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub columns: toml::Table,
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
            quasi_models: Vec::new(),
            quasi_algorithm: None,
            columns: toml::Table::new(),
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
