//! A folder to run the binary in, and made-up people to feed it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Output;

use tempfile::TempDir;

/// What a run printed and returned.
pub struct Outcome {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error, with the folder's path written as `$DIR`.
    pub stderr: String,
}

/// A folder that lasts as long as its test, and the program that runs in it.
pub struct Folder(TempDir, PathBuf);

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        Folder(TempDir::new().unwrap(), env!("CARGO_BIN_EXE_sfumato").into())
    }

    /// An empty folder for the program that has the made-up kind too, an example of this crate.
    pub fn with_toy() -> Self {
        let mut folder = Self::new();
        folder.1 = folder.1.with_file_name("examples").join("sfumato-with-toy");
        let built = "'cargo test' builds the examples, but not if it is told which tests to build";
        assert!(folder.1.exists(), "{} isn't there: {built}", folder.1.display());
        folder
    }

    /// A folder with `people.csv`: see [`people`].
    pub fn with_people() -> Self {
        let folder = Self::new();
        folder.write("people.csv", people(80));
        folder
    }

    /// The path of a file of the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Write a file into the folder.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// The bytes of a file of the folder.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The text of a file of the folder.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// The names in the folder, sorted, with hidden and temporary files, but without the manifests
    /// that lie beside their releases.
    pub fn names(&self) -> Vec<String> {
        let entry = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.unwrap().file_name().into_string().unwrap()
        };
        let mut names: Vec<String> = std::fs::read_dir(self.0.path()).unwrap().map(entry).collect();
        let release =
            |name: &String| name.strip_suffix(".release.json").map(|name| self.path(name));
        names.retain(|name| !release(name).is_some_and(|release| release.exists()));
        names.sort();
        names
    }

    /// Run the binary in this folder. The words of the command line are split at spaces.
    pub fn run(&self, words: &str) -> Outcome {
        self.run_with_input(words, &[])
    }

    /// Run the binary in this folder with something on its standard input.
    pub fn run_with_input(&self, words: &str, input: &[u8]) -> Outcome {
        let arguments: Vec<&str> = words.split_whitespace().collect();
        self.run_arguments(&arguments, input)
    }

    /// Run the binary in this folder with arguments that may hold spaces.
    pub fn run_arguments(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let Output { status, stdout, stderr } = assert_cmd::Command::new(&self.1)
            .current_dir(self.0.path())
            .args(arguments)
            .write_stdin(input)
            .output()
            .unwrap();
        Outcome {
            code: status.code().expect("no signal ends it"),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr)
                .replace(&self.0.path().display().to_string(), "$DIR"),
        }
    }

    /// Run the binary and expect that it succeeds. What an earlier run of the test left is
    /// replaced.
    pub fn succeed(&self, words: &str) -> Outcome {
        let makes_release = words.starts_with("anonymize ") || words.starts_with("run ");
        let force = if makes_release && !words.contains("--force") { " --force" } else { "" };
        let outcome = self.run(&format!("{words}{force}"));
        assert_eq!(outcome.code, 0, "sfumato {words}\n{}", outcome.stderr);
        outcome
    }

    /// Run the binary with `--json` and read the report that it prints.
    pub fn report(&self, words: &str) -> serde_json::Value {
        let outcome = self.succeed(&format!("{words} --json"));
        serde_json::from_str(&outcome.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
    }
}

/// A table of `n` made-up people: name, person, age, sex, zip, disease, pay. Two successive rows
/// belong to one person. No column determines another.
pub fn people(n: usize) -> String {
    const DISEASES: [&str; 4] = ["flu", "asthma", "gout", "angina"];
    let mut text = String::from("name,person,age,sex,zip,disease,pay\n");
    for i in 0..n {
        let person = i / 2;
        let age = 20 + (person * 7) % 60;
        let sex = if person % 3 == 0 { "f" } else { "m" };
        let zip = 10_000 + (person * 13 % 40) * 10 + person % 3;
        let disease = DISEASES[(i * i + i / 4) % 4];
        let pay = 1000 + (i * 11 % 17) * 100;
        let _ = writeln!(text, "Name {i},P{person},{age},{sex},{zip},{disease},{pay}");
    }
    text
}

/// The roles of the columns of [`people`], as flags; rows are counted.
pub const ROLES: &str = "--identifier name,person --qi age,sex,zip --sensitive disease --keep pay";

/// The roles of the columns of [`people`] with a subject column, as flags, so that people are
/// counted.
pub const ROLES_WITH_SUBJECT: &str =
    "--identifier name --subject person --qi age,sex,zip --sensitive disease --keep pay";

/// The rows of a CSV text without quotes, header included.
pub fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(',').collect()).collect()
}

/// The lines of a text, sorted, to compare what a shuffle must not change.
pub fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}
