//! Folders that appear whole or not at all.

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn write(destination: &Path, text: &str) -> AtomicFolder {
    let folder = AtomicFolder::create(destination).unwrap();
    folder.write_text("quasi.csv", text).unwrap();
    let manifest =
        r#"{"format": "sfumato-release", "version": 2, "files": [{"path": "quasi.csv"}]}"#;
    folder.write_text(MANIFEST, manifest).unwrap();
    folder
}

#[test]
fn a_folder_appears_with_all_its_files_and_replaces_an_earlier_release() {
    let parent = tempfile::tempdir().unwrap();
    let destination = parent.path().join("release");
    let folder = write(&destination, "old");
    assert!(!destination.exists());
    folder.commit().unwrap();
    assert_eq!(names(&destination), ["quasi.csv", MANIFEST]);
    write(&destination, "new").commit().unwrap();
    assert_eq!(fs::read_to_string(destination.join("quasi.csv")).unwrap(), "new");
    assert_eq!(names(parent.path()), ["release"]);
    // An empty folder is as good as none.
    let empty = parent.path().join("empty");
    fs::create_dir(&empty).unwrap();
    write(&empty, "x").commit().unwrap();
    assert_eq!(names(&empty), ["quasi.csv", MANIFEST]);
}

#[test]
fn a_dropped_folder_leaves_nothing_and_the_old_release_as_it_was() {
    let parent = tempfile::tempdir().unwrap();
    let destination = parent.path().join("release");
    write(&destination, "old").commit().unwrap();
    let folder = write(&destination, "new");
    assert_eq!(names(parent.path()).len(), 2);
    drop(folder);
    assert_eq!(names(parent.path()), ["release"]);
    assert_eq!(fs::read_to_string(destination.join("quasi.csv")).unwrap(), "old");
}

#[test]
fn nobodys_other_files_are_deleted() {
    let parent = tempfile::tempdir().unwrap();
    let destination = parent.path().join("release");
    let refused = || AtomicFolder::create(&destination).unwrap_err();
    fs::write(&destination, "a file").unwrap();
    assert_eq!(refused().message, "a file has this name, and a folder is to be written");
    fs::remove_file(&destination).unwrap();
    fs::create_dir(&destination).unwrap();
    fs::write(destination.join("notes.txt"), "mine").unwrap();
    assert_eq!(refused().message, "this folder isn't empty, and it is no earlier release");
    assert_eq!(refused().kind, ErrorKind::Io);
    fs::remove_file(destination.join("notes.txt")).unwrap();
    write(&destination, "x").commit().unwrap();
    // It comes while the next one is being made.
    let folder = write(&destination, "y");
    fs::write(destination.join("notes.txt"), "mine").unwrap();
    let message = "this folder has something in it that is no part of the release there";
    assert_eq!(folder.commit().unwrap_err().message, message);
    assert_eq!(refused().message, message);
    assert_eq!(fs::read_to_string(destination.join("notes.txt")).unwrap(), "mine");
    assert_eq!(names(parent.path()), ["release"]);
}

#[test]
fn unfinished_files_and_impossible_places_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let destination = parent.path().join("release");
    let folder = AtomicFolder::create(&destination).unwrap();
    let file = folder.file("quasi.csv").unwrap();
    assert_eq!(folder.commit().unwrap_err().kind, ErrorKind::Internal);
    drop(file);
    assert!(names(parent.path()).is_empty());
    let error = AtomicFolder::create(&parent.path().join("no/where")).unwrap_err();
    assert_eq!(error.message, "there is no such folder");
}

#[test]
fn what_a_killed_process_left_is_removed_and_nothing_else() {
    let parent = tempfile::tempdir().unwrap();
    let path = |name: &str| parent.path().join(name);
    // No process has the largest number; this one has its own.
    let (dead, alive) =
        (".release.4294967295-abc.partial", format!(".release.{}-abc.partial", std::process::id()));
    for name in [dead, alive.as_str(), ".other.4294967295-abc.partial"] {
        fs::create_dir(path(name)).unwrap();
        fs::write(path(name).join("quasi.csv"), "x").unwrap();
    }
    write(&path("release"), "x").commit().unwrap();
    assert!(!path(dead).exists());
    assert!(path(&alive).exists() && path(".other.4294967295-abc.partial").exists());
}

#[test]
fn two_steps_do_where_one_is_not_possible() {
    let parent = tempfile::tempdir().unwrap();
    let (new, old) = (parent.path().join(".new.partial"), parent.path().join("release"));
    for (folder, text) in [(&new, "new"), (&old, "old")] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("x"), text).unwrap();
    }
    let aside = step_aside(&new, &old).unwrap();
    assert_eq!(fs::read_to_string(old.join("x")).unwrap(), "new");
    assert_eq!(fs::read_to_string(aside.join("x")).unwrap(), "old");
    // What can't be put in place leaves the old one where it was.
    assert!(step_aside(&parent.path().join("absent"), &old).is_err());
    assert_eq!(fs::read_to_string(old.join("x")).unwrap(), "new");
}

#[test]
fn a_name_that_may_not_last_is_taken_back() {
    let parent = tempfile::tempdir().unwrap();
    let destination = parent.path().join("release");
    let fails = |_: &Path| Err(io::Error::other("the disk is gone"));
    // Where nothing was, nothing is left.
    let error = write(&destination, "new").commit_and_sync(&fails).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Io);
    assert_eq!(names(parent.path()), Vec::<String>::new());
    // Where an earlier release was, it is again.
    write(&destination, "old").commit().unwrap();
    assert!(write(&destination, "new").commit_and_sync(&fails).is_err());
    assert_eq!(fs::read_to_string(destination.join("quasi.csv")).unwrap(), "old");
    assert_eq!(names(parent.path()), ["release"]);
    // The same where folders changed places in two steps.
    let new = parent.path().join(".new.partial");
    fs::create_dir(&new).unwrap();
    let aside = step_aside(&new, &destination).unwrap();
    take_back(&destination, &new, Some(&aside)).unwrap();
    assert_eq!(fs::read_to_string(destination.join("quasi.csv")).unwrap(), "old");
    assert_eq!(names(parent.path()), [".new.partial", "release"]);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_look_before_it_is_committed() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let usual = parent.path().join("usual");
    fs::create_dir(&usual).unwrap();
    let destination = parent.path().join("release");
    let folder = write(&destination, "x");
    assert_eq!(mode(folder.path()), 0o700);
    folder.commit().unwrap();
    assert_eq!(mode(&destination), mode(&usual));
}

#[test]
#[cfg(debug_assertions)]
fn two_faults_in_one_commit_leave_the_old_folder_or_the_new_one() {
    use crate::steps::faults::{Fault, arm};
    for is_there in [false, true] {
        let (mut pairs, mut failed) = (0, 0);
        for first in 0.. {
            let mut is_first_met = false;
            for second in first.. {
                let parent = tempfile::tempdir().unwrap();
                let destination = parent.path().join("release");
                if is_there {
                    write(&destination, "old").commit().unwrap();
                }
                let ready = write(&destination, "new");
                let faults = [first, second].map(|at| arm(parent.path(), at, Fault::Refused));
                let ended = ready.commit();
                let met = faults.each_ref().map(|fault| fault.met());
                drop(faults);
                is_first_met |= met[0].is_some();
                let [Some((one, _)), Some((other, _))] = met else { break };
                pairs += 1;
                failed += usize::from(ended.is_err());
                let about = format!("{first} {one:?} and {second} {other:?}");
                let text = fs::read_to_string(destination.join("quasi.csv")).ok();
                let expected = match ended {
                    Ok(()) => Some("new"),
                    Err(_) => is_there.then_some("old"),
                };
                assert_eq!(text.as_deref(), expected, "{about}");
                let mut found = names(parent.path());
                if one == Step::Remove && other == Step::Remove {
                    found.retain(|name| !name.starts_with('.'));
                }
                assert_eq!(found.is_empty(), expected.is_none(), "{about}: {found:?}");
                assert!(found.iter().all(|name| name == "release"), "{about}: {found:?}");
            }
            if !is_first_met {
                break;
            }
        }
        assert!(pairs >= 8 && failed >= 6, "{pairs} pairs, {failed} of them failed");
    }
}
