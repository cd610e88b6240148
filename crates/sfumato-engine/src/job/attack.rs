//! The section `[attack]`: attacks that are played on a release before it is written.

use serde::{Deserialize, Serialize};

/// The section `[attack]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttackSpec {
    /// The attacks with their parameters. Without any, all that the form offers are played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attacks: Vec<String>,
    /// The highest rate allowed, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rate: Option<f64>,
    /// A file with people of whom some are in the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<String>,
    /// A file with people of the same kind who aren't in the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Another release of the same people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}
