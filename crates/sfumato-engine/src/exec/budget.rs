//! Refuses a limit of memory that a form can't keep.

use sfumato_core::{Error, Result};

use super::Records;
use crate::job::Engine;
use crate::kind::Common;

/// Refuse a limit, a folder for temporary data and a resumption where a form needs all records in
/// memory at once. `form` and `records` are its name and what its records are called.
pub fn check_budget(job: &Common<'_>, needs: Records, (form, records): (&str, &str)) -> Result<()> {
    let run = job.run;
    let asked = run.memory.is_some()
        || run.spill.is_some()
        || run.resume
        || matches!(run.engine, Engine::Sample | Engine::Tree);
    match needs == Records::AtOnce && asked {
        false => Ok(()),
        true => Err(Error::unsupported(format!(
            "the form '{form}' of {records} needs all records in memory at once: it can't be given \
                a limit"
        ))
        .hint("leave --memory, --engine, --spill and --resume out")),
    }
}
