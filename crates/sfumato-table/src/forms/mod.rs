//! What may be published of a table: one folder each.

pub mod buckets;
pub mod generalized;
pub mod perturbed;

use sfumato_core::dataset::Role;

use crate::job::Job;

/// What a manifest says of columns, so that whoever has the release can audit it: which of its
/// columns are quasi and which sensitive. Names only, and only of columns that are published.
pub(crate) fn column_details(job: &Job) -> toml::Table {
    let named = |role: Role| -> toml::Value {
        let columns = job.columns.0.iter().filter(|(_, spec)| spec.role == role);
        columns.map(|(name, _)| name.clone()).collect::<Vec<_>>().into()
    };
    let details = [("quasi", named(Role::Quasi)), ("sensitive", named(Role::Sensitive))];
    details.into_iter().map(|(key, names)| (key.to_string(), names)).collect()
}
