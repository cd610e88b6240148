//! The role of all columns that a job doesn't name: `"*" = { role = "keep" }` under `[columns]`.

use sfumato_core::{Error, Result};
use sfumato_engine::Job;
use sfumato_engine::input::read_options;
use sfumato_io::read_header;

/// The key of `[columns]` that speaks about all columns that aren't named.
pub const OTHERS: &str = "*";

/// Say of every column of the file what the job says of those that it doesn't name. From then on
/// the job names them all, as if a person had written them.
pub fn expand(job: &mut Job) -> Result<()> {
    let Some(of_others) = job.get("columns", OTHERS).cloned() else { return Ok(()) };
    let path = job.input_path();
    if path == "-" {
        return Err(Error::unsupported(
            "standard input can't be read twice, so --others can't name its columns",
        )
        .hint("name all columns, or write the data to a file first"));
    }
    let header = read_header(&path, &read_options(&job.input()?)?)?;
    if header.iter().any(|name| name == OTHERS) {
        return Err(Error::params("the file has a column '*', which stands for all other columns")
            .in_file(path)
            .hint("rename the column, or name all columns"));
    }
    job.unset("columns", OTHERS);
    for name in header {
        if job.get("columns", &name).is_none() {
            job.set("columns", &name, of_others.clone());
        }
    }
    Ok(())
}
