//! A full disk: an error that says where and how much, and nothing left.

use std::process::Command;

use super::{COLUMNS, patients};
use crate::support::Folder;

/// Run a script in a namespace of its own, where anybody may mount a small file system; `None`
/// where that isn't allowed.
fn on_a_small_disk(folder: &Folder, size: &str, script: &str) -> Option<std::process::Output> {
    let unshare = |script: &str| {
        Command::new("unshare")
            .args(["-rm", "sh", "-c", script])
            .current_dir(folder.path(""))
            .output()
            .ok()
    };
    let possible = unshare("mkdir -p small && mount -t tmpfs -o size=1m none small")?;
    if !possible.status.success() {
        return None;
    }
    unshare(&format!(
        "mount -t tmpfs -o size={size} none small && {script}; code=$?; ls -A small; exit $code"
    ))
}

#[test]
fn a_full_disk_is_said_and_nothing_is_left() {
    let folder = Folder::new();
    folder.write("in.csv", patients(60_000));
    let binary = env!("CARGO_BIN_EXE_sfumato");
    let flags = format!(
        "anonymize in.csv -k 5 {COLUMNS} --quiet --engine tree --memory 96MiB --algorithm \
            'rothko-tree(partition_rows=1500)'"
    );
    // Once the spilled data doesn't fit, once the release.
    let cases = [
        ("1500k", "-o small/o.csv"),
        ("200k", "-o o.csv --spill small"),
        ("1500k", "-o small/o.csv --spill ."),
    ];
    for (size, places) in cases {
        let Some(output) = on_a_small_disk(&folder, size, &format!("{binary} {flags} {places}"))
        else {
            eprintln!("skipped: a small file system can't be mounted here");
            return;
        };
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let code = output.status.code().unwrap();
        assert!(code == 4 || code == 5, "{places}: {code} {stderr}");
        assert!(stderr.contains("small/"), "{places}: {stderr}");
        assert!(stderr.contains("space") && stderr.contains("bytes"), "{places}: {stderr}");
        assert_eq!(stdout, "", "{places}: nothing is left on the disk");
        let left: Vec<String> =
            folder.names().into_iter().filter(|name| name != "in.csv" && name != "small").collect();
        assert!(left.is_empty(), "{places}: {left:?}");
    }
}
