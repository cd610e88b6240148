//! What a server that ended leaves of its runs: each run that is begun writes its job into a hidden
//! folder, and removes it when it ends in whatever way. A server that starts finds the jobs of runs
//! that never ended, shows them as broken off, and goes on with them when somebody asks.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::site::folder::Folder;

/// Where jobs of runs are kept, below the folder that is served.
const PLACE: &str = ".sfumato-serve";
/// The largest job that is read back.
const LARGEST: u64 = 16 << 20;

/// The job of a run, for as long as this lives: its file is locked, so that another server of the
/// same folder knows that somebody is at work.
pub(crate) struct Kept {
    path: PathBuf,
    _file: File,
}

impl Kept {
    /// Write down a job. A run that can't be noted can't be resumed, which is no reason to refuse
    /// it.
    pub(crate) fn new(folder: &Folder, id: &str, told: &Value) -> Option<Kept> {
        let place = folder.below(PLACE).ok()?;
        std::fs::create_dir_all(&place).ok()?;
        let path = place.join(format!("{id}.json"));
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).ok()?;
        file.try_lock().ok()?;
        file.write_all(told.to_string().as_bytes()).ok()?;
        Some(Kept { path, _file: file })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // A file that stays says no more than that a run broke off: it can be dismissed.
        let _ = std::fs::remove_file(&self.path);
        if let Some(place) = self.path.parent() {
            // It goes with its last file.
            let _ = std::fs::remove_dir(place);
        }
    }
}

/// A run that broke off with its server.
#[derive(Debug, Clone)]
pub(crate) struct Left {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) began: u64,
    /// What it was asked to do, as a request says it.
    pub(crate) request: Value,
}

impl Left {
    /// What is written down of a run.
    pub(crate) fn told(title: &str, began: u64, request: &Value) -> Value {
        json!({ "title": title, "began": began, "request": request })
    }

    /// Whether it kept what it had decided on disk, so that it needn't begin anew.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.request.get("on_disk").and_then(Value::as_bool) == Some(true)
    }

    /// The runs that broke off, the oldest first. What can't be read isn't one.
    pub(crate) fn all(folder: &Folder) -> Vec<Left> {
        let Ok(place) = folder.below(PLACE) else { return Vec::new() };
        let Ok(entries) = place.read_dir() else { return Vec::new() };
        let mut found: Vec<Left> =
            entries.flatten().filter_map(|entry| Self::read(&entry.path())).collect();
        found.sort_by(|a, b| (a.began, &a.id).cmp(&(b.began, &b.id)));
        found
    }

    fn read(path: &Path) -> Option<Left> {
        let id = path.file_name()?.to_str()?.strip_suffix(".json")?;
        let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let about = path.symlink_metadata().ok()?;
        if !is_id || !about.is_file() || about.len() > LARGEST {
            return None;
        }
        let file = File::open(path).ok()?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            // Another server of this folder is at work on it.
            return None;
        }
        let told: Value = serde_json::from_reader(file).ok()?;
        Some(Left {
            id: id.into(),
            title: told.get("title")?.as_str()?.into(),
            began: told.get("began")?.as_u64()?,
            request: told.get("request")?.clone(),
        })
    }

    /// Forget a run that broke off.
    pub(crate) fn forget(folder: &Folder, id: &str) {
        let path = folder.below(&format!("{PLACE}/{id}.json"));
        let opened = path.ok().and_then(|path| File::open(&path).ok().map(|file| (path, file)));
        drop(opened.map(|(path, _file)| Kept { path, _file }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef";

    #[test]
    fn a_run_that_ended_leaves_nothing_and_one_that_broke_off_its_job() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let told = Left::told("out.csv", 7, &json!({ "toml": "[input]\n" }));
        let kept = Kept::new(&folder, ID, &told).unwrap();
        // It is at work: nobody else may take it up.
        assert!(Left::all(&folder).is_empty());
        assert!(Kept::new(&folder, ID, &told).is_none());
        drop(kept);
        assert_eq!(place.path().read_dir().unwrap().count(), 0);
        // A server that is killed drops nothing.
        let hidden = place.path().join(PLACE);
        std::fs::create_dir(&hidden).unwrap();
        std::fs::write(hidden.join(format!("{ID}.json")), told.to_string()).unwrap();
        std::fs::write(hidden.join("other.json"), told.to_string()).unwrap();
        std::fs::write(hidden.join("fedcba9876543210.json"), "torn").unwrap();
        let left = Left::all(&folder);
        assert_eq!(left.len(), 1);
        assert_eq!((left[0].title.as_str(), left[0].began), ("out.csv", 7));
        assert_eq!(left[0].request["toml"], "[input]\n");
        Left::forget(&folder, ID);
        assert!(Left::all(&folder).is_empty());
    }
}
