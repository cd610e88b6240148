//! Refuses what can't be combined with a bucket release, by name and with the reason.

use sfumato_core::dataset::Table;
use sfumato_core::traits::{Requirements, Scope};
use sfumato_core::{Error, Result};

use super::COUNT;
use crate::forms::generalized::make_plan::Plan;
use crate::job::{BucketLayout, Job};
use sfumato_engine::destinations::check_bucket_places;
use sfumato_engine::kind::KindJob as _;

/// Refuse what can't be done before anything is read.
pub(super) fn check_job(job: &Job, layout: BucketLayout) -> Result<()> {
    if job.output.recoding.is_some() {
        return Err(Error::unsupported(
            "a bucket release has no recoding to save: groups say nothing of other rows",
        ));
    }
    if let Some((name, _)) =
        job.columns.0.iter().find(|(_, spec)| !crate::job::ShownAs::is_only_interval(&spec.publish))
    {
        return Err(Error::unsupported(format!(
            "column '{name}' is to be published with statistics of its classes, and a bucket \
                release publishes its values as they are"
        )));
    }
    check_bucket_places(&job.common(), layout, job.output.format.as_deref(), true)
}

/// Refuse tables whose columns leave no name for the group, or that have nothing to hide.
pub(super) fn check_columns(job: &Job, table: &Table) -> Result<()> {
    let group = job.group_column();
    if table.published().any(|column| column.name == group) {
        return Err(Error::params(format!(
            "the table has a column '{group}', which is to say the group of a record"
        ))
        .hint("name another with --group-column NAME or group = \"NAME\" under [output]"));
    }
    let sensitive = table.sensitive();
    if sensitive.is_empty() {
        return Err(Error::params(
            "a bucket release needs a sensitive column: nothing else is hidden",
        )
        .hint("name one with --sensitive COLUMN or role = \"sensitive\""));
    }
    if sensitive.iter().any(|column| column.name == COUNT) || group == COUNT {
        return Err(Error::params(format!(
            "'{COUNT}' is to say how often a group has a value: no sensitive column or group can \
                be called so"
        ))
        .hint("give the column another name"));
    }
    Ok(())
}

/// Refuse models that promise nothing about buckets.
pub fn check_requirements(requirements: &Requirements) -> Result<()> {
    for requirement in requirements.iter() {
        if requirement.histograms().is_empty() {
            return Err(Error::unsupported(format!(
                "{} promises nothing about buckets: quasi values are published as they are, so \
                    whoever knows somebody finds the exact record",
                requirement.model()
            ))
            .hint(
                "ask for a model about sensitive values, such as --model \
                'l-diversity-distinct(l=3)'",
            ));
        }
        if requirement.scope() != Scope::Class {
            return Err(Error::unsupported(format!(
                "{} is about every {} of generalized columns, and buckets generalize none",
                requirement.model(),
                requirement.scope().name()
            ))
            .hint("ask for a model about classes, such as --model 'l-diversity-distinct(l=3)'"));
        }
    }
    Ok(())
}

/// Refuse jobs for which no bucket release can be made.
pub fn check(job: &Job, layout: BucketLayout, table: &Table, plan: &Plan) -> Result<()> {
    check_job(job, layout)?;
    check_columns(job, table)?;
    check_requirements(&plan.requirements)
}
