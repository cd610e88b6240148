//! Saved recodings: written with a release, and read to publish new rows in the same regions.
//!
//! A recoding file contains real cells (bounds of ranges, labels of hierarchies), and says so.

mod algorithm;
mod apply;
mod balance;
pub mod box_tree;
mod locate;
mod look_up;
mod quote;
mod satisfy;
mod saved;
mod show;
mod sql;

pub use algorithm::SavedRecoding;
pub use apply::apply_saved;
pub use saved::{FORMAT, NOTE, SavedColumn, SavedFile, SavedValue, Shape};
pub use sfumato_engine::apply::Unseen;
pub use show::draw_recoding;
pub use sql::{Dialect, to_sql};

use std::path::Path;

use sfumato_core::recoding::Recoding;
use sfumato_core::{Error, Result};
use sfumato_io::{AtomicFile, read_text, write_text_unnamed};

use crate::data::encode::Encoded;
use crate::job::Job;
use sfumato_engine::paths::resolve;

/// Write a recoding for where the job asks for it. The file has no name yet.
pub fn save(job: &Job, encoded: &Encoded, recoding: &dyn Recoding) -> Result<Option<AtomicFile>> {
    let Some(path) = &job.output.recoding else { return Ok(None) };
    let file = SavedFile::new(job, encoded, recoding);
    let text = serde_json::to_string(&file)
        .map_err(|error| Error::internal(format!("the recoding can't be written: {error}")))?;
    write_text_unnamed(Path::new(&resolve(&job.base, path)), &text, true).map(Some)
}

/// Read a saved recoding.
pub fn load(path: &str) -> Result<SavedFile> {
    SavedFile::parse(&read_text(path)?).map_err(|error| error.in_file(path))
}
