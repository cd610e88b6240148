//! The forms in which a table may be published: one folder each.

pub mod buckets;
pub mod generalized;
pub mod perturbed;
pub mod synthetic;
pub mod tabulated;
mod whole_values;

use sfumato_core::dataset::Role;

use crate::job::Job;

/// What a manifest says about columns, so that a recipient can audit the release: which of its
/// columns are quasi and which sensitive. It has only names, and only of columns that are
/// published.
pub(crate) fn column_details(job: &Job) -> toml::Table {
    let named = |role: Role| -> toml::Value {
        let columns = job.columns.0.iter().filter(|(_, spec)| spec.role == role);
        columns.map(|(name, _)| name.clone()).collect::<Vec<_>>().into()
    };
    let details = [("quasi", named(Role::Quasi)), ("sensitive", named(Role::Sensitive))];
    let mut details: toml::Table =
        details.into_iter().map(|(key, names)| (key.to_string(), names)).collect();
    if crate::pseudonyms::are_asked(job) {
        let columns = job.columns.0.iter().filter(|(_, spec)| spec.shown_as.is_some());
        let names: Vec<String> = columns.map(|(name, _)| name.clone()).collect();
        details.insert("pseudonyms".into(), names.into());
    }
    details
}
