//! What a job would run.

use std::fmt;

use sfumato_engine::explain::Explanation;
use sfumato_engine::plan as engine;

use crate::{Error, Result};

/// What a job would run, found by a look at its input. It shows as words.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    words: String,
    inner: engine::Plan,
}

impl Plan {
    pub(crate) fn of(explained: Explanation) -> Self {
        Plan { words: explained.words(), inner: explained.plan }
    }

    /// The kind of the records: `table`, `sets`.
    pub fn kind(&self) -> &str {
        &self.inner.kind
    }

    /// What would be published of them: `generalized`, `buckets`.
    pub fn form(&self) -> &str {
        &self.inner.form
    }

    /// The algorithm with all its parameters.
    pub fn algorithm(&self) -> &str {
        &self.inner.algorithm
    }

    /// As one JSON object.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(&self.inner).map_err(|error| {
            Error::of(sfumato_core::Error::internal(format!("a plan can't be written: {error}")))
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}
