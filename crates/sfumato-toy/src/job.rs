//! The job of a release of numbers: the sections of its `release.toml`.

use serde::{Deserialize, Serialize};

sfumato_engine::job_of_kind! {
    /// A whole job about numbers.
    pub struct Job {
        /// The section of the kind: what the numbers are.
        pub toy: NumbersSpec,
    }
    /// What to write.
    pub struct OutputSpec {}
    impl KindJob for Job {}
}

/// The section `[toy]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct NumbersSpec {
    /// What the numbers count, for the report.
    pub unit: String,
}
