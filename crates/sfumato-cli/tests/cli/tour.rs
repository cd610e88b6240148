//! The tour of the README, line by line: every command succeeds within a minute and shows
//! something.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::Folder;

/// Commands that have tests of their own: a server that never ends, and an experiment of a paper.
const ELSEWHERE: [&str; 2] = ["sfumato serve-sets", "sfumato reproduce"];

/// What no command of the tour may take. They take seconds: this finds one that would bore.
const MOST: Duration = Duration::from_secs(60);

/// The commands of the tour, without comments, in their order.
fn tour() -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(readme).unwrap();
    let from = text.find("## 60 seconds").unwrap();
    let to = text.find("## From Rust").unwrap();
    let mut commands = Vec::new();
    for block in text[from..to].split("```").skip(1).step_by(2) {
        let joined = block.replace("\\\n", " ");
        for line in joined.lines() {
            let command = line.split(" #").next().unwrap_or_default().trim();
            if !command.is_empty() {
                commands.push(command.to_string());
            }
        }
    }
    commands
}

#[test]
fn every_command_of_the_readme_runs() {
    let commands = tour();
    assert!(commands.len() > 18, "{commands:#?}");
    let folder = Folder::new();
    // Fewer rows than in the README: the tests are built without optimization.
    folder.succeed("demo --rows 2000");
    let bin = folder.path("bin");
    std::fs::create_dir(&bin).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sfumato"), bin.join("sfumato")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut told = 0;
    for command in commands {
        if command.starts_with("cd ") {
            assert_eq!(command, "cd sfumato-demo");
            continue;
        }
        if ELSEWHERE.iter().any(|other| command.starts_with(other)) {
            continue;
        }
        let start = Instant::now();
        let output = Command::new("sh")
            .args(["-c", command.as_str()])
            .current_dir(folder.path("sfumato-demo"))
            .env("PATH", &path)
            .output()
            .unwrap();
        let took = start.elapsed();
        assert!(took < MOST, "{command} took {took:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{stderr}");
        let says = !output.stdout.is_empty() || !stderr.is_empty();
        let makes_data = command.starts_with("sfumato generate");
        assert!(says || makes_data, "{command} says nothing");
        told += usize::from(says);
    }
    assert!(told > 14);
}
