//! The `[baskets]` section of a job: the layout of the file, utilities of items, and which items
//! are sensitive or left out.

use serde::{Deserialize, Serialize};

/// The word for a job that doesn't say the layout.
pub const AUTO: &str = "auto";
/// The layout if neither the job nor a manifest says one.
const UNSAID: &str = "lines";

/// The section `[baskets]`: its presence makes the job one about sets of items.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct BasketSpec {
    /// The layout of the file, such as `lines` or `long(id=customer, item=product)`. With `auto` it
    /// is the layout in the manifest of a release, or `lines` if there is no manifest.
    pub layout: String,
    /// A file of items with their utilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilities: Option<String>,
    /// The item hierarchy: a file, or how it is built from the items. With it, items are
    /// generalized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
    /// Items that an attacker wants to learn. They are published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<String>,
    /// Items that are left out before anything else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
}

impl Default for BasketSpec {
    fn default() -> Self {
        BasketSpec {
            layout: AUTO.into(),
            utilities: None,
            hierarchy: None,
            sensitive: Vec::new(),
            drop: Vec::new(),
        }
    }
}

impl BasketSpec {
    /// Whether it says the layout of the file.
    pub fn says_layout(&self) -> bool {
        self.layout != AUTO
    }
    /// The layout of the file, if no manifest says it.
    pub fn layout(&self) -> &str {
        if self.says_layout() { &self.layout } else { UNSAID }
    }
}
