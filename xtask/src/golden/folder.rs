//! A temporary folder for the data and for each case. It is removed in the end.

use std::path::{Path, PathBuf};

/// A temporary folder.
pub struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Folder {
    /// Make a new, empty folder. It is removed when dropped, unless `keep` is set.
    pub fn new(keep: bool) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("sfumato-golden-{}", std::process::id()));
        let folder = Folder { path, keep };
        folder.make("data")?;
        if keep {
            eprintln!("what is written stays in {}", folder.path.display());
        }
        Ok(folder)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A subfolder, which is made if it doesn't exist.
    pub fn make(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.path.join(name);
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Copy a file into a subfolder.
    pub fn bring(&self, file: &Path, to: &str) -> Result<(), String> {
        let name = file.file_name().ok_or("a file has a name")?;
        let said = |error: std::io::Error| format!("{}: {error}", file.display());
        std::fs::copy(file, self.make(to)?.join(name)).map(|_| ()).map_err(said)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Every file below a folder, sorted, as paths relative to it. Hidden files are included, since
/// nothing may be left behind.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let said = |error: std::io::Error| format!("{}: {error}", next.display());
        for entry in std::fs::read_dir(&next).map_err(said)? {
            let path = entry.map_err(said)?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).unwrap_or(&path).to_path_buf());
            }
        }
    }
    files.sort();
    Ok(files)
}
