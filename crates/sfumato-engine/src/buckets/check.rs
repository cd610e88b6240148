//! What doesn't go together with a bucket release is refused, by name and with the reason.

use std::path::Path;

use sfumato_core::dataset::Table;
use sfumato_core::traits::{Requirements, Scope};
use sfumato_core::{Error, Result};
use sfumato_io::{AtomicFolder, Format, format_of_destination};

use super::{COUNT, group_column};
use crate::job::{BucketForm, Engine, Job};
use crate::paths::resolve;
use crate::stage::report::is_json;
use crate::stage::write::check_paths;

/// Refuse what can't be done before anything is read.
pub(super) fn check_job(job: &Job, form: BucketForm) -> Result<()> {
    if job.output.recoding.is_some() {
        return Err(Error::unsupported(
            "a bucket release has no recoding to save: groups say nothing of other rows",
        ));
    }
    if job.run.memory.is_some() || !matches!(job.run.engine, Engine::Auto | Engine::Memory) || job.run.resume
    {
        return Err(Error::unsupported("a bucket release is made in memory: it can't be given a limit")
            .hint("leave --memory, --engine and --resume out"));
    }
    if let Some((name, _)) =
        job.columns.0.iter().find(|(_, spec)| !crate::job::Form::is_only_interval(&spec.publish))
    {
        return Err(Error::unsupported(format!(
            "column '{name}' is to be published with statistics of its classes, and a bucket release publishes its values as they are"
        )));
    }
    check_destinations(job, form, true)
}

/// Refuse places that can't be written to. `is_named_by_format`: whether the name of a single file must say its format.
pub(crate) fn check_destinations(job: &Job, form: BucketForm, is_named_by_format: bool) -> Result<()> {
    let output = &job.output;
    output.report.iter().chain(&output.public_report).try_for_each(|path| is_json(path).map(|_| ()))?;
    let reports = output.report.iter().chain(&output.public_report).map(|path| resolve(&job.base, path));
    let mut outputs: Vec<String> = reports.collect();
    let destination = resolve(&job.base, &output.path);
    match form {
        BucketForm::Permuted => {
            if destination != "-" && is_named_by_format {
                format_of_destination(&destination)?;
            }
            if output.format.is_some() {
                return Err(Error::params("the format of a release that is one file is told by its name")
                    .hint("leave format out, or publish it as linked tables"));
            }
            outputs.push(destination);
        }
        BucketForm::Linked => {
            if destination == "-" {
                return Err(Error::params("linked tables are a folder, and can't go to standard output")
                    .hint("name a folder, or say --buckets permuted"));
            }
            let looks_like_file = Path::new(&destination)
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| Format::from_extension(extension).is_some());
            if looks_like_file {
                return Err(Error::params("linked tables are a folder, and this is the name of a file")
                    .in_file(destination)
                    .hint("name a folder, or say --buckets permuted for one file"));
            }
            if let Some(format) = &output.format {
                format.parse::<Format>()?;
            }
            AtomicFolder::check(Path::new(&destination))?;
            // Nothing else goes where the folder will be.
            if outputs.iter().any(|path| Path::new(path).starts_with(&destination)) {
                return Err(
                    Error::params("a report can't be in the folder of the release").in_file(destination)
                );
            }
            let folder = Path::new(&destination).parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let message = format!("the folder '{}' isn't there", folder.display());
                return Err(Error::new(sfumato_core::ErrorKind::Io, message)
                    .in_file(destination)
                    .hint("make it first"));
            }
        }
    }
    check_paths(&resolve(&job.base, &job.input.path), &outputs)
}

/// Refuse tables whose columns leave no name for the group, or that have nothing to hide.
pub(super) fn check_columns(job: &Job, table: &Table) -> Result<()> {
    let group = group_column(job);
    if table.published().any(|column| column.name == group) {
        return Err(Error::params(format!(
            "the table has a column '{group}', which is to say the group of a record"
        ))
        .hint("name another with --group-column NAME or group = \"NAME\" under [output]"));
    }
    let sensitive = table.sensitive();
    if sensitive.is_empty() {
        return Err(Error::params("a bucket release needs a sensitive column: nothing else is hidden")
            .hint("name one with --sensitive COLUMN or role = \"sensitive\""));
    }
    if sensitive.iter().any(|column| column.name == COUNT) || group == COUNT {
        return Err(Error::params(format!(
            "'{COUNT}' is to say how often a group has a value: no sensitive column or group can be called so"
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
                "{} promises nothing about buckets: quasi values are published as they are, so whoever knows somebody finds the exact record",
                requirement.model()
            ))
            .hint("ask for a model about sensitive values, such as --model 'l-diversity-distinct(l=3)'"));
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
