//! Ledgers that are cut at every byte, changed at every byte, and wanted by two.

use std::path::Path;

use sfumato_core::ErrorKind;
use sfumato_io::sha256_hex;

use super::line::{Entry, Recorded, RecordedFile};
use super::{Fault, Ledger};

fn recorded(path: &Path, bytes: &[u8]) -> Recorded {
    let file = RecordedFile { path: "r.csv".into(), sha256: sha256_hex(bytes) };
    Recorded {
        path: path.display().to_string(),
        kind: "table".into(),
        form: "generalized".into(),
        rows: 3,
        files: vec![file],
        facts: serde_json::json!({ "classes": [1, 2] }),
        ..Recorded::default()
    }
}

/// A ledger with two releases, and the bytes of its file.
fn two(folder: &Path) -> Vec<u8> {
    let path = folder.join("ledger");
    let mut ledger = Ledger::create(&path, vec!["bcf-anonymity(k=2)".into()]).unwrap();
    for name in ["one.csv", "two.csv"] {
        std::fs::write(folder.join(name), name).unwrap();
        ledger.add(recorded(&folder.join(name), name.as_bytes())).unwrap();
    }
    drop(ledger);
    std::fs::read(&path).unwrap()
}

#[test]
fn a_ledger_cut_at_any_byte_is_read_up_to_its_last_whole_line() {
    let folder = tempfile::tempdir().unwrap();
    let whole = two(folder.path());
    let path = folder.path().join("cut");
    let ends: Vec<usize> =
        (0..whole.len()).filter(|at| whole[*at] == b'\n').map(|at| at + 1).collect();
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let lines = ends.iter().filter(|end| **end <= length).count();
        if lines == 0 {
            assert_eq!(Ledger::open(&path).unwrap_err().kind, ErrorKind::Input);
            continue;
        }
        let torn = (length - ends[lines - 1]) as u64;
        let ledger = Ledger::open(&path).unwrap();
        assert_eq!(ledger.entries().len(), lines);
        let is_torn = ledger.faults().contains(&Fault::TornTail { bytes: torn });
        assert_eq!(is_torn, torn > 0, "a torn tail of {torn} bytes is said");
        // Two releases are there from their announcement on, since their files are.
        assert_eq!(ledger.releases().len(), lines / 2);
        let (ledger, notes) = Ledger::lock(&path).unwrap();
        let is_pending = lines.is_multiple_of(2);
        assert_eq!(notes.len(), usize::from(torn > 0) + usize::from(is_pending));
        assert_eq!(ledger.releases().len(), lines / 2);
        drop(ledger);
        assert!(
            !Ledger::open(&path).unwrap().faults().iter().any(|fault| *fault != Fault::Readable)
        );
    }
}

#[test]
fn a_ledger_changed_at_any_byte_is_refused_or_torn() {
    let folder = tempfile::tempdir().unwrap();
    let whole = two(folder.path());
    let path = folder.path().join("changed");
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        match Ledger::open(&path) {
            Err(error) => assert_eq!(error.kind, ErrorKind::Input),
            // The very last byte is the end of the last line: without it the line is torn.
            Ok(ledger) => assert!(at == whole.len() - 1 && !ledger.faults().is_empty()),
        }
    }
}

#[test]
fn lines_that_are_left_out_or_moved_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let whole = two(folder.path());
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let path = folder.path().join("moved");
    for out in 0..lines.len() - 1 {
        let kept: Vec<&[u8]> =
            lines.iter().enumerate().filter(|(at, _)| *at != out).map(|(_, line)| *line).collect();
        std::fs::write(&path, kept.concat()).unwrap();
        assert_eq!(Ledger::open(&path).unwrap_err().kind, ErrorKind::Input, "without line {out}");
    }
    std::fs::write(&path, [lines[0], lines[3], lines[4], lines[1], lines[2]].concat()).unwrap();
    assert!(Ledger::open(&path).is_err());
}

#[test]
fn what_was_announced_is_published_if_its_files_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let release = folder.path().join("r.csv");
    let announce = || {
        let (mut ledger, _) = Ledger::lock(&path).unwrap();
        ledger.append(Entry::Intent(recorded(&release, b"new"))).unwrap();
    };
    drop(Ledger::create(&path, Vec::new()).unwrap());
    std::fs::write(&release, "old").unwrap();
    announce();
    assert_eq!(Ledger::open(&path).unwrap().releases().len(), 0);
    let (ledger, notes) = Ledger::lock(&path).unwrap();
    assert!(ledger.releases().is_empty() && notes[0].contains("before its release"));
    drop(ledger);
    announce();
    std::fs::write(&release, "new").unwrap();
    let faults = Ledger::open(&path).unwrap().faults();
    assert!(faults.contains(&Fault::Pending { is_there: true }), "{faults:?}");
    let (ledger, notes) = Ledger::lock(&path).unwrap();
    assert!(ledger.releases().len() == 1 && notes[0].contains("behind its release"));
}

#[test]
fn two_writers_take_turns_and_only_the_owner_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    drop(Ledger::create(&path, Vec::new()).unwrap());
    assert_eq!(Ledger::create(&path, Vec::new()).unwrap_err().kind, ErrorKind::Io);
    let (mut first, _) = Ledger::lock(&path).unwrap();
    let refused = Ledger::lock(&path).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Resources);
    first.new_chain().unwrap();
    drop(first);
    let (ledger, notes) = Ledger::lock(&path).unwrap();
    assert_eq!((ledger.entries().len(), notes.len()), (2, 0));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(Ledger::open(&path).unwrap().faults().contains(&Fault::Readable));
    }
}
