//! A folder for the results of a command, from `--out DIR`. It is made when there is something to
//! write, and not before: a command that fails leaves none behind.

use std::path::{Path, PathBuf};

use sfumato_core::{Error, Result};
use sfumato_engine::destinations::check_paths;
use sfumato_engine::paths::resolve;
use sfumato_table::Job;

/// Refuse, before minutes of work, a folder that can't be made.
pub fn check_folder(folder: &Path) -> Result<()> {
    match folder.ancestors().find(|above| above.exists()) {
        Some(above) if !above.is_dir() => {
            Err(Error::params("a file is in the place of the folder")
                .in_file(above.display().to_string())
                .hint("name another folder"))
        }
        _ => Ok(()),
    }
}

/// Refuse, before minutes of work, a folder that can't be made, or whose files would overwrite the
/// input of a job.
pub fn check_files(folder: Option<&PathBuf>, names: &[&str], job: &Job) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    check_folder(folder)?;
    if !folder.exists() {
        return Ok(());
    }
    let outputs: Vec<String> =
        names.iter().map(|name| folder.join(name).display().to_string()).collect();
    check_paths(&resolve(&job.base, &job.input.path), &outputs)
}

/// Write a file of the folder.
pub fn write_file(folder: &Path, name: &str, text: &str) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create", &error))?;
    sfumato_io::write_text_atomically(&folder.join(name), text, false)
}
