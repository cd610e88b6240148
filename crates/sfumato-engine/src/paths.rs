//! Resolves the paths of a job: relative paths start from the folder of its release.toml.

use std::path::Path;

/// The path to open. `-` and the name for batches in memory stay as they are, since they are no
/// paths.
pub fn resolve(base: &Path, path: &str) -> String {
    if path == "-"
        || sfumato_io::is_lent(path)
        || base.as_os_str().is_empty()
        || Path::new(path).is_absolute()
    {
        path.to_string()
    } else {
        base.join(path).display().to_string()
    }
}
