//! Makes the options of a reader from the `[input]` section of a job.

use sfumato_core::{Error, Result};
use sfumato_io::ReadOptions;

use crate::job::InputSpec;

/// The options for reading what the `[input]` section of a job describes.
pub fn read_options(input: &InputSpec) -> Result<ReadOptions> {
    let delimiter = match input.delimiter {
        None => None,
        Some('"' | '\n' | '\r' | '\0') => {
            return Err(Error::params("a delimiter can't be a quote, a line end or NUL"));
        }
        Some(c) if c.is_ascii() => Some(c as u8),
        Some(c) => {
            return Err(Error::params(format!(
                "the delimiter must be one ASCII character, not '{c}'"
            )));
        }
    };
    let format = input.format.as_deref().map(str::parse).transpose()?;
    Ok(ReadOptions {
        format,
        delimiter,
        header: input.header,
        encoding: input.encoding.as_deref().map(str::parse).transpose()?,
        missing: input.missing.clone(),
        ..ReadOptions::default()
    })
}
