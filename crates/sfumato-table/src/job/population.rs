//! The section `[population]`: the people among whom those of the data are, where an attacker knows
//! them all.

use serde::{Deserialize, Serialize};

/// The section `[population]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationSpec {
    /// The table of the population: it has the quasi columns, and a row for each person.
    pub path: String,
}
