//! Columns of statistics in a file that somebody else made, recognized by their names alone.

use sfumato_core::dataset::Role;

use super::RegionStatistic;
use crate::job::{ColumnSpec, Job};

/// Add the statistics of quasi columns to a job. A quasi column may be published as statistics of
/// its classes, together with its text or instead of it, and an attacker who knows the column knows
/// them too. An original has no statistics, so there a name stands for its column.
pub fn with_statistics(job: &mut Job, header: &[String]) {
    let named = job.columns.0.clone();
    let is_quasi = |spec: &ColumnSpec| spec.role == Role::Quasi;
    let parts = |name: &str| RegionStatistic::ALL.map(|part| part.name(name));
    for (name, spec) in named.iter().filter(|(_, spec)| is_quasi(spec)) {
        let found: Vec<String> =
            parts(name).into_iter().filter(|part| header.contains(part)).collect();
        if !header.contains(name) && !found.is_empty() {
            job.columns.0.retain(|(other, _)| other != name);
        }
        for part in found.into_iter().filter(|part| !named.iter().any(|(other, _)| other == part)) {
            job.columns.0.push((part, spec.clone()));
        }
        let base = header.iter().find(|base| !header.contains(name) && parts(base).contains(name));
        if let Some(base) = base {
            job.columns.0.retain(|(other, _)| other != name);
            if job.columns.get(base).is_none() {
                job.columns.0.push((base.clone(), spec.clone()));
            }
        }
    }
}
