//! A process that is told to stop leaves nothing behind. This test is in a file of its own because
//! it removes every temporary of the process.

use std::fs;

use sfumato_core::ErrorKind;
use sfumato_core::memory::Accountant;
use sfumato_io::spill::{SpillFolder, SpillWriter, remove_orphans, write_manifest};
use sfumato_io::{AtomicFile, remove_temporaries};

#[test]
fn nothing_is_left_and_nothing_comes_back() {
    let home = tempfile::tempdir().unwrap();
    let destination = home.path().join("o.csv");
    let folder = SpillFolder::create(&destination, None, &Accountant::default()).unwrap();
    let release = AtomicFile::create(&destination, false).unwrap();
    let writer = SpillWriter::create(&folder, &[1, 2], 10).unwrap();
    write_manifest(&folder, "manifest.json", &1).unwrap();
    // Not this one: it is in use.
    remove_orphans(&destination, None);
    assert!(writer.path().exists() && release.path().exists());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
    remove_temporaries();
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    // Threads that go on for a moment can't create anything any more.
    assert_eq!(folder.create_file("part").unwrap_err().kind, ErrorKind::Cancelled);
    assert!(writer.finish(false).is_err());
    assert!(write_manifest(&folder, "manifest.json", &2).is_err());
    drop((folder, release));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}
