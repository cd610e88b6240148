//! A spilled partition as tuples.

use std::path::{Path, PathBuf};

use sfumato_core::Result;

use super::folder::SpillFolder;
use super::reader::{SpillChunks, SpillReader};
use crate::spill::{Batch, Tuples};
use crate::steps;

/// Tuples in a file of a spill folder. The file is removed when they are dropped, unless it is
/// kept.
#[derive(Debug)]
pub struct SpillTuples {
    folder: SpillFolder,
    path: PathBuf,
    n_columns: usize,
    n_rows: u64,
    is_kept: bool,
}

impl SpillTuples {
    pub(super) fn new(folder: SpillFolder, path: PathBuf, n_columns: usize, n_rows: u64) -> Self {
        SpillTuples { folder, path, n_columns, n_rows, is_kept: false }
    }

    /// Tuples of an earlier run, by the name of their file in the folder. The file is kept until
    /// [`SpillTuples::kept`] says otherwise.
    pub fn open(folder: &SpillFolder, name: &str) -> Result<Self> {
        let path = folder.path().join(name);
        let reader = SpillReader::open(&path, folder.accountant(), folder.counts())?;
        let (n_columns, n_rows) = (reader.n_columns(), reader.n_rows());
        Ok(SpillTuples { folder: folder.clone(), path, n_columns, n_rows, is_kept: true })
    }

    /// Set whether the file is kept when these tuples are dropped, because a manifest names it.
    #[must_use]
    pub fn kept(mut self, is_kept: bool) -> Self {
        self.is_kept = is_kept;
        self
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The name of the file in the folder, for a manifest.
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
    /// The wanted columns, a chunk whenever one is asked for. Files that were written in chunks of
    /// as many rows by [`super::SpillWriter`] can be read side by side.
    pub fn chunks(&self, wanted: &[usize]) -> Result<SpillChunks<'_>> {
        SpillReader::open(&self.path, self.folder.accountant(), self.folder.counts())?
            .chunks(wanted)
    }
    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }
}

impl Tuples for SpillTuples {
    fn names(&self) -> Vec<String> {
        vec![self.name()]
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn scan(
        &self,
        wanted: &[usize],
        visit: &mut dyn FnMut(&Batch<'_>) -> Result<()>,
    ) -> Result<()> {
        SpillReader::open(&self.path, self.folder.accountant(), self.folder.counts())?
            .scan(wanted, visit)
    }
}

impl Drop for SpillTuples {
    fn drop(&mut self) {
        if !self.is_kept {
            // The folder goes too, sooner or later.
            let _ = steps::remove_file(&self.path);
        }
    }
}
