//! Reads the input: only the columns that the job needs, once their roles are known.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_io::{ReadOptions, read as read_table};

use crate::data::assign_roles::assign_roles;
use crate::job::Job;
use crate::pseudonyms::{Pseudonyms, is_pseudonym, replace};
use sfumato_engine::paths::resolve;

/// The data as read, with a role for each column of the file.
#[derive(Debug)]
pub struct Dataset {
    /// All columns except identifiers.
    pub raw: RawTable,
    /// The role of each column of the file.
    pub roles: Vec<Role>,
    /// The pseudonyms that stand in place of identifiers.
    pub pseudonyms: Pseudonyms,
}

/// How to read the files of a job: as its `[input]` says, with columns in their plain form.
pub fn options_of(job: &Job) -> Result<ReadOptions> {
    let mut options = read_options(&job.input)?;
    for (name, spec) in &job.columns.0 {
        if let Some(written) = &spec.written {
            options.written.push((name.clone(), written.parse()?));
        }
    }
    Ok(options)
}

/// Read the job's input.
pub fn read(job: &Job, observer: &dyn Observer) -> Result<Dataset> {
    read_from(job, &resolve(&job.base, &job.input.path), observer)
}

/// Read a copy of the job's input.
pub fn read_from(job: &Job, path: &str, observer: &dyn Observer) -> Result<Dataset> {
    let mut roles = Vec::new();
    let mut select = |header: &[String]| {
        roles = assign_roles(job, header)?;
        let is_read =
            |(role, name): (&Role, &String)| *role != Role::Identifier || is_pseudonym(job, name);
        Ok(roles.iter().zip(header).map(is_read).collect())
    };
    let mut raw = read_table(path, &options_of(job)?, &mut select, observer)?;
    if raw.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(path));
    }
    if raw.n_rows >= u32::MAX as usize {
        return Err(
            Error::resources("more than 4,294,967,294 rows are not supported yet").in_file(path)
        );
    }
    let pseudonyms = replace(job, &mut raw)?;
    Ok(Dataset { raw, roles, pseudonyms })
}
