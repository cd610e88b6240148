//! Broken inputs: each must end with its exit code and its message, word for word, and leave
//! nothing behind.

mod columns;
mod files;
mod flags;
mod hierarchies;
mod jobs;
mod models;
mod others;

use crate::support::{Folder, ROLES, people};

/// One broken input.
pub struct Case {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    command: &'static str,
    code: i32,
    stderr: String,
}

/// Begin a case.
pub fn case(name: &'static str) -> Case {
    Case { name, files: Vec::new(), command: "", code: 2, stderr: String::new() }
}

impl Case {
    /// Add a file beside `people.csv`.
    fn file(mut self, name: &'static str, bytes: impl AsRef<[u8]>) -> Self {
        self.files.push((name, bytes.as_ref().to_vec()));
        self
    }
    /// Set the words of the command line, split at spaces. `$ROLES` gives every column of
    /// `people.csv` its role.
    fn run(mut self, command: &'static str) -> Self {
        self.command = command;
        self
    }
    /// Set the expected exit code, if it isn't 2.
    fn code(mut self, code: i32) -> Self {
        self.code = code;
        self
    }
    /// Set the expected message.
    fn error(mut self, message: &str) -> Self {
        self.stderr.push_str(&format!("error: {message}\n"));
        self
    }
    /// Set the expected hint after the message.
    fn hint(mut self, hint: &str) -> Self {
        self.stderr.push_str(&format!("hint: {hint}\n"));
        self
    }
    /// Set all of the expected standard error, where it isn't a message and a hint.
    fn stderr(mut self, text: &str) -> Self {
        self.stderr.push_str(text);
        self
    }
}

/// Run all cases of a table and list all that differ.
pub fn check(cases: Vec<Case>) {
    let mut wrong = String::new();
    for case in &cases {
        let folder = Folder::with_people();
        let mut expected = vec!["people.csv".to_string()];
        for (name, bytes) in &case.files {
            folder.write(name, bytes);
            expected.push((*name).to_string());
        }
        expected.sort();
        expected.dedup();
        let outcome = folder.run(&case.command.replace("$ROLES", ROLES));
        let left = folder.names();
        if outcome.code != case.code || outcome.stderr != case.stderr {
            wrong.push_str(&format!(
                "### {}\n    sfumato {}\n--- expected {}\n{}+++ got {}\n{}===\n",
                case.name, case.command, case.code, case.stderr, outcome.code, outcome.stderr
            ));
        }
        if !outcome.stdout.is_empty() {
            wrong.push_str(&format!(
                "### {}\nstandard output isn't empty: {}===\n",
                case.name, outcome.stdout
            ));
        }
        for (name, bytes) in &case.files {
            if left.iter().any(|file| file == name) && folder.bytes(name) != *bytes {
                wrong.push_str(&format!("### {}\n{name} was changed\n===\n", case.name));
            }
        }
        if folder.text("people.csv") != people(80) {
            wrong.push_str(&format!("### {}\npeople.csv was changed\n===\n", case.name));
        }
        if left != expected {
            wrong.push_str(&format!(
                "### {}\nthe folder has {left:?}, expected {expected:?}\n===\n",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
