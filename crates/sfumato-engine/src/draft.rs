//! A draft: files that nobody sees yet. [`Draft::commit`] is the one door through which a release
//! gets its name, and it asks for a [`Checked`].

use std::path::{Path, PathBuf};

use sfumato_core::{Error, Result};
use sfumato_io::{AtomicFile, AtomicFolder};

use crate::manifest::{MANIFEST, Manifest, beside};
use crate::verify::{Checked, failed_verification};

/// Files that were written and aren't a release yet.
pub struct Draft {
    place: Place,
}

enum Place {
    /// One file; `None` while it is being written.
    File {
        file: Option<AtomicFile>,
        destination: Option<PathBuf>,
    },
    Folder(AtomicFolder),
}

impl Draft {
    /// A draft of a single file. `-` stands for standard output: the bytes wait in a temporary file
    /// until they are checked.
    pub fn file(destination: &str) -> Result<Self> {
        let (file, destination) = match destination {
            "-" => (AtomicFile::create_anywhere()?, None),
            path => (AtomicFile::create(Path::new(path), false)?, Some(PathBuf::from(path))),
        };
        Ok(Draft { place: Place::File { file: Some(file), destination } })
    }

    /// A draft of a folder with several files.
    pub fn folder(destination: &str) -> Result<Self> {
        Ok(Draft { place: Place::Folder(AtomicFolder::create(Path::new(destination))?) })
    }

    /// Write the single file. The operating system starts to bring its bytes to disk while they are
    /// read back.
    pub fn write(&mut self, write: impl FnOnce(AtomicFile) -> Result<AtomicFile>) -> Result<()> {
        let Place::File { file, destination } = &mut self.place else {
            return Err(failed_verification("a draft of several files was written as one"));
        };
        let Some(empty) = file.take() else {
            return Err(failed_verification("a draft was written twice"));
        };
        let mut full = write(empty)?;
        match destination {
            None => full.flush_all()?,
            Some(_) => full.sync_early()?,
        }
        *file = Some(full);
        Ok(())
    }

    /// Write one of the files of a folder.
    pub fn write_within(
        &mut self,
        name: &str,
        write: impl FnOnce(AtomicFile) -> Result<AtomicFile>,
    ) -> Result<()> {
        match &self.place {
            Place::Folder(folder) => write(folder.file(name)?)?.commit(),
            Place::File { .. } => {
                Err(failed_verification("a draft of one file was written as several"))
            }
        }
    }

    /// The temporary path of the draft: its file, or its folder.
    pub fn path(&self) -> Result<&Path> {
        match &self.place {
            Place::Folder(folder) => Ok(folder.path()),
            Place::File { file: Some(file), .. } => Ok(file.path()),
            Place::File { file: None, .. } => Err(Error::internal("the draft was never written")),
        }
    }

    /// The single file, for code that needs more than its path to read it back.
    pub fn single(&self) -> Option<&AtomicFile> {
        match &self.place {
            Place::File { file, .. } => file.as_ref(),
            Place::Folder(_) => None,
        }
    }

    /// Make the draft a release: give it its name, with its manifest in the folder or beside the
    /// file. A release on standard output has no manifest. The release itself is renamed last.
    pub fn commit(self, checked: Checked, manifest: &Manifest) -> Result<Checked> {
        match self.place {
            Place::Folder(folder) => {
                folder.write_text(MANIFEST, &manifest.to_json())?;
                if Manifest::read(folder.path())? != *manifest {
                    return Err(failed_verification("the manifest isn't what was written"));
                }
                folder.commit()?;
            }
            Place::File { file: None, .. } => {
                return Err(failed_verification("the draft was never written"));
            }
            Place::File { file: Some(file), destination: None } => file.copy_to_stdout()?,
            Place::File { file: Some(file), destination: Some(path) } => {
                sfumato_io::write_text_atomically(&beside(&path), &manifest.to_json(), false)?;
                file.commit()?;
            }
        }
        Ok(checked)
    }
}
