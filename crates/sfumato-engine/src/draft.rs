//! A draft: files that nobody sees yet. [`Draft::commit`] is the one door through which a release
//! gets its name, and it asks for a [`Checked`].

use std::path::Path;

use sfumato_core::{Error, Result};
use sfumato_io::{AtomicFile, AtomicFolder, Output, Sink, commit_together, write_text_unnamed};

use crate::manifest::{MANIFEST, Manifest, beside as manifest_path};
use crate::verify::{Checked, failed_verification};

/// Files that were written and aren't a release yet.
pub struct Draft {
    place: Place,
}

enum Place {
    /// One file; `None` while it is being written.
    File {
        file: Option<Output>,
        sink: Sink,
    },
    Folder(AtomicFolder),
}

impl Draft {
    /// A single file, wherever it goes. The bytes wait where nobody sees them until they are
    /// checked: beside their destination, among temporary files for standard output, or in memory.
    pub fn file(destination: &str) -> Result<Self> {
        let sink = Sink::of(destination);
        Ok(Draft { place: Place::File { file: Some(sink.create()?), sink } })
    }

    /// A draft of a folder with several files.
    pub fn folder(destination: &str) -> Result<Self> {
        let sink = Sink::of(destination);
        Ok(Draft { place: Place::Folder(AtomicFolder::create(sink.folder()?)?) })
    }

    /// Write the single file. Its bytes begin to go to the disk while it is read back.
    pub fn write(&mut self, write: impl FnOnce(Output) -> Result<Output>) -> Result<()> {
        let empty = self.begin()?;
        self.end(write(empty)?)
    }

    /// Take the single file out, to be written little by little.
    pub fn begin(&mut self) -> Result<Output> {
        match &mut self.place {
            Place::Folder(_) => {
                Err(failed_verification("a draft of several files was written as one"))
            }
            Place::File { file, .. } => {
                file.take().ok_or_else(|| failed_verification("a draft was written twice"))
            }
        }
    }

    /// Put the single file back, once it is full.
    pub fn end(&mut self, mut full: Output) -> Result<()> {
        let Place::File { file, sink } = &mut self.place else {
            return Err(failed_verification("a draft of several files was written as one"));
        };
        match (&mut full, sink) {
            (Output::File(file), Sink::Path(_)) => file.sync_early()?,
            (full, _) => full.flush_all()?,
        }
        *file = Some(full);
        Ok(())
    }

    /// Write one of the files of a folder.
    pub fn write_within(
        &mut self,
        name: &str,
        write: impl FnOnce(Output) -> Result<Output>,
    ) -> Result<()> {
        match &self.place {
            Place::Folder(folder) => write(folder.file(name)?.into())?.commit(),
            Place::File { .. } => {
                Err(failed_verification("a draft of one file was written as several"))
            }
        }
    }

    /// Where the bytes can be read meanwhile: the file, or the folder. A file in memory has a name
    /// that readers know.
    pub fn path(&self) -> Result<&Path> {
        match &self.place {
            Place::Folder(folder) => Ok(folder.path()),
            Place::File { file: Some(file), .. } => Ok(file.path()),
            Place::File { file: None, .. } => Err(Error::internal("the draft was never written")),
        }
    }

    /// Put the manifest into the folder of a draft of several files, for those who read it like a
    /// release before it is one.
    pub fn describe(&self, manifest: &Manifest) -> Result<()> {
        match &self.place {
            Place::Folder(folder) => folder.write_text(MANIFEST, &manifest.to_json()),
            Place::File { .. } => Ok(()),
        }
    }

    /// Wait until all bytes are on the disk, so that nothing but names is left to do.
    pub fn sync(&mut self) -> Result<()> {
        match &mut self.place {
            Place::File { file: Some(Output::File(file)), sink: Sink::Path(_) } => file.sync(),
            // The files of a folder were synced one by one; the others need no disk.
            Place::File { .. } | Place::Folder(_) => Ok(()),
        }
    }

    /// Make the draft a release: give it its name, with its manifest in the folder or beside the
    /// file. What goes to standard output has none, and what goes to memory is handed over with it.
    ///
    /// `beside` are files that belong to the release, such as reports. They get their names first,
    /// and the release comes last: if anything fails, all places are as they were before.
    pub fn commit(
        self,
        checked: Checked,
        manifest: &Manifest,
        mut beside: Vec<AtomicFile>,
    ) -> Result<Checked> {
        match self.place {
            Place::Folder(folder) => {
                folder.write_text(MANIFEST, &manifest.to_json())?;
                if Manifest::read(folder.path())? != *manifest {
                    return Err(failed_verification("the manifest isn't what was written"));
                }
                commit_together(beside, || folder.commit())?;
            }
            Place::File { file: None, .. } => {
                return Err(failed_verification("the draft was never written"));
            }
            Place::File { file: Some(Output::Memory(file)), .. } => {
                commit_together(beside, || file.deliver(manifest.to_json()))?;
            }
            Place::File { file: Some(Output::File(file)), sink } => match sink.path() {
                None => commit_together(beside, || file.copy_to_stdout())?,
                Some(path) => {
                    let manifest = manifest.to_json();
                    beside.push(write_text_unnamed(&manifest_path(path), &manifest, false)?);
                    beside.push(file);
                    commit_together(beside, || Ok(()))?;
                }
            },
        }
        Ok(checked)
    }
}
