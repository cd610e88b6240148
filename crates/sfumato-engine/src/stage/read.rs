//! Reads the input: only the columns that the job needs, after their roles are known.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{ReadOptions, read as read_table};

use crate::job::{InputSpec, Job};
use crate::paths::resolve;
use crate::stage::assign_roles::assign_roles;

/// The data as read, with a role for each column of the file.
#[derive(Debug)]
pub struct Dataset {
    /// All columns but identifiers.
    pub raw: RawTable,
    /// The role of each column of the file.
    pub roles: Vec<Role>,
}

/// Read the job's input.
pub fn read(job: &Job, observer: &dyn Observer) -> Result<Dataset> {
    let path = resolve(&job.base, &job.input.path);
    let mut roles = Vec::new();
    let mut select = |header: &[String]| {
        roles = assign_roles(job, header)?;
        Ok(roles.iter().map(|role| *role != Role::Identifier).collect())
    };
    let raw = read_table(&path, &read_options(&job.input)?, &mut select, observer);
    let raw = raw?;
    if raw.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(path));
    }
    if raw.n_rows >= u32::MAX as usize {
        return Err(Error::resources("more than 4,294,967,294 rows are not supported yet").in_file(path));
    }
    Ok(Dataset { raw, roles })
}

/// How to read, from what the job says about its input.
pub fn read_options(input: &InputSpec) -> Result<ReadOptions> {
    let delimiter = match input.delimiter {
        None => None,
        Some('"' | '\n' | '\r' | '\0') => {
            return Err(Error::params("a delimiter can't be a quote, a line end or NUL"));
        }
        Some(c) if c.is_ascii() => Some(c as u8),
        Some(c) => {
            return Err(Error::params(format!("the delimiter must be one ASCII character, not '{c}'")));
        }
    };
    let format = input.format.as_deref().map(str::parse).transpose()?;
    Ok(ReadOptions { format, delimiter, header: input.header, ..ReadOptions::default() })
}
