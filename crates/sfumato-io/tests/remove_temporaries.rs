//! The removal of all temporary files. This test is in a process of its own because the removal
//! affects every live temporary file.

#![allow(clippy::unwrap_used)]

use std::io::Write;

use sfumato_io::{AtomicFile, remove_temporaries};

#[test]
fn all_live_temporaries_go_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = AtomicFile::create(&folder.path().join("a"), false).unwrap();
    first.write_all(b"x").unwrap();
    let second = AtomicFile::create_anywhere().unwrap();
    AtomicFile::create(&folder.path().join("done"), false).unwrap().commit().unwrap();
    remove_temporaries();
    assert!(!first.path().exists());
    assert!(!second.path().exists());
    assert!(folder.path().join("done").exists());
    // Too late to commit: an error, not a panic.
    assert!(first.commit().is_err());
    assert!(!folder.path().join("a").exists());
}
