//! Files that get their names together or not at all.
//!
//! Everything that can fail is done before the first rename. Should a rename fail nevertheless,
//! those before it are undone: new files go, and old ones are back under their names.

use std::io;
use std::path::{Path, PathBuf};

use sfumato_core::Result;

use crate::atomic::{AtomicFile, forget, live};
use crate::steps::{self, insist};

/// Give files their names, in their order, and then do `last`, which publishes what the others
/// belong to. On any error all destinations are what they were, and nothing is left behind.
pub fn commit_together(
    mut files: Vec<AtomicFile>,
    last: impl FnOnce() -> Result<()>,
) -> Result<()> {
    files.iter_mut().try_for_each(AtomicFile::prepare)?;
    let mut named: Vec<Named> = Vec::with_capacity(files.len());
    let give_names = || -> Result<()> {
        for file in &mut files {
            let renaming = Named::keep_old(file)?;
            if let Err(error) = file.take_name() {
                renaming.iter().for_each(Named::put_back);
                return Err(error);
            }
            named.extend(renaming);
        }
        files.iter().try_for_each(AtomicFile::sync_name)?;
        last()
    };
    let done = give_names();
    if done.is_err() {
        named.iter().rev().for_each(Named::undo);
    }
    done
}

/// A file that has its name, and what had it before.
struct Named {
    destination: PathBuf,
    old: Option<PathBuf>,
}

impl Named {
    /// Keep what a file is about to replace under a hidden name. What can't be kept isn't replaced:
    /// it couldn't be put back.
    fn keep_old(file: &AtomicFile) -> Result<Option<Named>> {
        let (Some(destination), temporary) = file.places() else { return Ok(None) };
        let old = keep(destination, temporary).map_err(|source| file.error(&source))?;
        Ok(Some(Named { destination: destination.to_path_buf(), old }))
    }

    /// Put the old file back, if there was one. Nobody is left to tell about a failure.
    fn put_back(&self) {
        if let Some(old) = &self.old {
            let _ = insist(|| steps::rename(old, &self.destination));
        }
    }

    /// Make the destination what it was before the new file got its name.
    fn undo(&self) {
        match &self.old {
            Some(_) => self.put_back(),
            None => drop(insist(|| steps::remove_file(&self.destination))),
        }
    }
}

impl Drop for Named {
    /// The hidden name isn't needed any more, whether the new file stays or the old one is back.
    fn drop(&mut self) {
        if let Some(old) = &self.old {
            let _ = insist(|| steps::remove_file(old));
            forget(old);
        }
    }
}

/// Give a file a second name, and return it. `None` if there is no such file. Where the file system
/// has no second names the file steps aside; then the hidden name isn't that of a temporary file,
/// which a later run would remove: should the process be killed now, it is the only one.
fn keep(file: &Path, temporary: &Path) -> io::Result<Option<PathBuf>> {
    if !file.is_file() {
        return Ok(None);
    }
    let old = temporary.with_extension("old.partial");
    // The name is in the list of temporaries before it exists, as every other.
    let mut live = live();
    if steps::hard_link(file, &old).is_ok() {
        live.push(old.clone());
        return Ok(Some(old));
    }
    let aside = temporary.with_extension("replaced");
    steps::rename(file, &aside).map(|()| Some(aside))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use sfumato_core::Error;

    use super::*;
    use crate::atomic::write_text_unnamed;

    fn listed(folder: &Path) -> Vec<(String, String)> {
        let mut listed: Vec<(String, String)> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| {
                let text = fs::read_to_string(entry.path()).unwrap_or("folder".into());
                (entry.file_name().into_string().unwrap(), text)
            })
            .collect();
        listed.sort();
        listed
    }

    fn pair(name: &str, text: &str) -> (String, String) {
        (name.into(), text.into())
    }

    #[test]
    fn all_get_their_names_or_none_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "old").unwrap();
        let files = || -> Vec<AtomicFile> {
            ["a", "b", "c"]
                .map(|name| write_text_unnamed(&path(name), "new", false).unwrap())
                .into()
        };
        // The last step fails.
        let error = commit_together(files(), || Err(Error::internal("no"))).unwrap_err();
        assert_eq!(error.message, "no");
        assert_eq!(listed(folder.path()), [pair("a", "old")]);
        // A rename fails: somebody made a folder of that name meanwhile. `last` isn't reached.
        let ready = files();
        fs::create_dir(path("c")).unwrap();
        fs::write(path("c/x"), "x").unwrap();
        assert!(commit_together(ready, || panic!("a rename failed before")).is_err());
        assert_eq!(listed(folder.path()), [pair("a", "old"), pair("c", "folder")]);
        fs::remove_dir_all(path("c")).unwrap();
        // Nothing fails. At the last step all others have their names.
        commit_together(files(), || {
            assert_eq!(fs::read_to_string(path("a")).unwrap(), "new");
            Ok(())
        })
        .unwrap();
        assert_eq!(listed(folder.path()), [pair("a", "new"), pair("b", "new"), pair("c", "new")]);
    }

    /// Give three files their names, of which two are there already, with faults armed.
    #[cfg(debug_assertions)]
    fn commit_with_faults(folder: &Path) -> Result<()> {
        let path = |name: &str| folder.join(name);
        let write = |name: &str| write_text_unnamed(&path(name), "new", false);
        commit_together(vec![write("a")?, write("b")?, write("c")?], || Ok(()))
    }

    #[test]
    #[cfg(debug_assertions)]
    fn two_faults_in_one_commit_leave_all_as_it_was_or_all_new() {
        use crate::steps::Step;
        use crate::steps::faults::{Fault, arm};
        let all = |text: &str| vec![pair("a", text), pair("b", text), pair("c", text)];
        let (mut pairs, mut failed) = (0, 0);
        for first in 0.. {
            let mut is_first_met = false;
            for second in first.. {
                let folder = tempfile::tempdir().unwrap();
                for name in ["a", "b"] {
                    fs::write(folder.path().join(name), "old").unwrap();
                }
                let faults = [first, second].map(|at| arm(folder.path(), at, Fault::Refused));
                let ended = commit_with_faults(folder.path());
                let met = faults.each_ref().map(|fault| fault.met());
                drop(faults);
                is_first_met |= met[0].is_some();
                let [Some((one, _)), Some((other, _))] = met else { break };
                pairs += 1;
                failed += usize::from(ended.is_err());
                // What can't be removed in two tries may stay, under a hidden name.
                let mut found = listed(folder.path());
                let is_hidden = |name: &str| name.starts_with('.');
                if one == Step::Remove && other == Step::Remove {
                    found.retain(|(name, _)| !is_hidden(name));
                }
                let expected = match ended {
                    Ok(()) => all("new"),
                    Err(_) => all("old")[..2].to_vec(),
                };
                assert_eq!(found, expected, "{first} {one:?} and {second} {other:?}");
            }
            if !is_first_met {
                break;
            }
        }
        assert!(pairs > 200 && failed > 100, "{pairs} pairs, {failed} of them failed");
    }

    #[test]
    fn a_folder_that_vanished_leaves_all_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let first = folder.path().join("first");
        fs::write(&first, "old").unwrap();
        let files = vec![
            write_text_unnamed(&first, "new", false).unwrap(),
            write_text_unnamed(&inner.join("second"), "new", true).unwrap(),
        ];
        fs::remove_dir_all(&inner).unwrap();
        assert!(commit_together(files, || panic!("a rename failed before")).is_err());
        assert_eq!(listed(folder.path()), [pair("first", "old")]);
    }
}
