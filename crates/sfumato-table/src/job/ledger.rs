//! The section `[ledger]`: what was published of the same people before.

use serde::{Deserialize, Serialize};

/// The section `[ledger]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct LedgerSpec {
    /// The ledger: it has what the earlier releases said, and takes up the release of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Files with earlier releases, in the order in which they were published, where there is no
    /// ledger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
}
