//! Killed at any moment: never a half-written release, and a run that resumes writes the same
//! bytes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{COLUMNS, patients};
use crate::support::Folder;

/// How often the run is killed.
const TIMES: u32 = 50;

fn command(folder: &Folder, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sfumato"));
    command
        .current_dir(folder.path(""))
        .args(["anonymize", "in.csv", "-o", "o.csv", "-k", "5", "--seed", "11", "--quiet"])
        // A run may be killed behind the moment in which the release got its name.
        .arg("--force")
        .args(COLUMNS.split(' '))
        .args([
            "--engine",
            "tree",
            "--memory",
            "96MiB",
            "--algorithm",
            "rothko-tree(partition_rows=500)",
        ])
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn hidden(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with('.')).collect()
}

#[test]
fn kills_leave_no_release_and_resuming_writes_the_same_bytes() {
    let folder = Folder::new();
    folder.write("in.csv", patients(20_000));
    let started = Instant::now();
    assert!(command(&folder, &[]).status().unwrap().success());
    let mut whole = started.elapsed();
    let expected = folder.bytes("o.csv");
    assert!(hidden(&folder).is_empty());

    let (mut killed, mut resumed_from_something) = (0, 0);
    for time in 0..TIMES {
        std::fs::remove_file(folder.path("o.csv")).unwrap();
        // Evenly over the run, so that every step of it is hit.
        let wait = whole.mul_f64(f64::from(time) / f64::from(TIMES) * 0.98);
        let mut child = command(&folder, &[]).spawn().unwrap();
        let started = Instant::now();
        let deadline = started + wait;
        while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        let ended = child.wait().unwrap();
        match ended.success() {
            // It was faster this time: the machine is less busy than it was at first.
            true => {
                whole = whole.min(started.elapsed());
                assert_eq!(folder.bytes("o.csv"), expected, "time {time}");
            }
            false => {
                killed += 1;
                // Killed behind the moment in which the release got its name, it has left all of
                // it.
                let published = folder.path("o.csv").exists();
                assert!(
                    !published || folder.bytes("o.csv") == expected,
                    "time {time}: half a release"
                );
            }
        }
        if time % 5 == 4 {
            // A new run that doesn't resume leaves nothing of the old one.
            assert!(command(&folder, &[]).status().unwrap().success(), "time {time}");
        } else {
            let spill = hidden(&folder).into_iter().find(|name| name.ends_with(".spill"));
            let manifest = |name: &String| folder.path(name).join("partitions.json").exists();
            resumed_from_something += u32::from(spill.as_ref().is_some_and(manifest));
            assert!(command(&folder, &["--resume"]).status().unwrap().success(), "time {time}");
        }
        assert_eq!(folder.bytes("o.csv"), expected, "time {time}");
        assert_eq!(hidden(&folder), Vec::<String>::new(), "time {time}");
    }
    assert!(killed > TIMES / 2, "only {killed} runs were killed in time");
    assert!(resumed_from_something > 0, "no run was killed after its partitions were written");
}

#[test]
fn resuming_needs_the_same_job_and_the_same_input() {
    let folder = Folder::new();
    folder.write("in.csv", patients(20_000));
    let mut child = command(&folder, &[]).spawn().unwrap();
    let spilled = || hidden(&folder).into_iter().find(|name| name.ends_with(".spill"));
    let written =
        || spilled().is_some_and(|name| folder.path(&name).join("partitions.json").exists());
    let deadline = Instant::now() + Duration::from_secs(60);
    while !written() && Instant::now() < deadline && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    if !written() {
        // The run was over before it could be killed: nothing to resume.
        assert!(folder.path("o.csv").exists());
        return;
    }
    let mut other = patients(20_000);
    other.push_str("P1,30,170.5,f,cook,flu,w1\n");
    folder.write("in.csv", other);
    let words = format!(
        "anonymize in.csv -o o.csv -k 5 --seed 11 {COLUMNS} --engine tree --memory 96MiB \
            --algorithm rothko-tree(partition_rows=500) --resume"
    );
    let refused = folder.run(&words);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("another input"), "{}", refused.stderr);
    // What the killed run left holds originals: a resumption that fails leaves nothing of it.
    assert_eq!(spilled(), None);
    assert!(!folder.path("o.csv").exists());
}
