//! What a report says of baskets: items before and after.

use serde::{Deserialize, Serialize};

/// Items of the original and of the release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baskets {
    /// How records lie in the input, as the job says it.
    pub form: String,
    /// How they lie in the release, where that is another form.
    pub release_form: String,
    /// Different items of the original.
    pub items: u64,
    /// Different items of the release.
    pub items_published: u64,
    /// Items of all records of the original.
    pub instances: u64,
    /// Items of all records of the release.
    pub instances_published: u64,
    /// What the original's are worth.
    pub utility: f64,
    /// What the release's are worth.
    pub utility_published: f64,
    /// Records without items in the original.
    pub empty: u64,
    /// Records with items that are published without any: they count as suppressed.
    pub emptied: u64,
    /// Different records that were decided about, where identical ones were collapsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collapsed_to: Option<u64>,
    /// Every item, those that lost most first.
    pub by_item: Vec<Item>,
}

impl Baskets {
    /// The names of sensitive items.
    pub fn sensitive(&self) -> Vec<&str> {
        let sensitive = self.by_item.iter().filter(|item| item.role == "sensitive");
        sensitive.map(|item| item.name.as_str()).collect()
    }
}

/// One item.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// `quasi` or `sensitive`.
    pub role: String,
    /// What an instance is worth.
    pub utility: f64,
    /// Instances in the original.
    pub instances: u64,
    /// Instances that are published.
    pub published: u64,
    /// Instances that were suppressed.
    pub suppressed: u64,
}
