//! Resolves the paths of a job: relative paths start from the folder of its release.toml.

use std::path::Path;

use sfumato_io::Source;

/// The path to open. `-` and the name of something in memory stay: they are no paths.
pub fn resolve(base: &Path, path: &str) -> String {
    if !Source::of(path).is_path() || base.as_os_str().is_empty() || Path::new(path).is_absolute() {
        path.to_string()
    } else {
        base.join(path).display().to_string()
    }
}
