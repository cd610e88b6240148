//! What a job says about baskets: how they lie in the file, what items are worth, which are
//! sensitive or left out.

use serde::{Deserialize, Serialize};

/// That a job doesn't say how baskets lie in the file.
pub const AUTO: &str = "auto";
/// How they lie in it where nobody says.
const UNSAID: &str = "lines";

/// The section `[baskets]`: its presence makes the job one about sets of items.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct BasketSpec {
    /// How baskets lie in the file, such as `lines` or `long(id=customer, item=product)`. `auto` is
    /// as the manifest of a release says, and `lines` where there is none.
    pub form: String,
    /// A file of items and what an instance of each is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilities: Option<String>,
    /// Items that an attacker wants to learn: published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<String>,
    /// Items that are left out before anything else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
}

impl Default for BasketSpec {
    fn default() -> Self {
        BasketSpec { form: AUTO.into(), utilities: None, sensitive: Vec::new(), drop: Vec::new() }
    }
}

impl BasketSpec {
    /// Whether it says how baskets lie in the file.
    pub fn says_layout(&self) -> bool {
        self.form != AUTO
    }
    /// How baskets lie in the file, where no manifest says it.
    pub fn layout(&self) -> &str {
        if self.says_layout() { &self.form } else { UNSAID }
    }
}
