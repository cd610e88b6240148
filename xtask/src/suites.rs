//! The test programs of the workspace, several at a time.
//!
//! `cargo test` runs one program after the other. Many end with a long test that keeps one core
//! busy, or that waits, while the other cores have nothing to do: that was a third of the time.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Outcome, cargo, root};

/// Something that is run beside others and prints nothing until it is over.
pub struct Suite {
    name: String,
    program: String,
    arguments: Vec<String>,
    /// Those that no other suite has.
    variables: Vec<(String, String)>,
    folder: PathBuf,
    /// Programs that test a crate from outside take longest, so they begin first; among them the
    /// larger ones do.
    rank: (bool, u64),
}

impl Suite {
    /// A command that runs in the root and begins before all others.
    pub fn first(name: &str, program: &str, arguments: &[&str]) -> Self {
        Suite {
            name: name.into(),
            program: program.into(),
            arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
            variables: Vec::new(),
            folder: root(),
            rank: (true, u64::MAX),
        }
    }

    /// The suite with environment variables of its own.
    pub fn with(mut self, variables: &[(&str, &str)]) -> Self {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        self.variables.extend(variables.iter().map(owned));
        self
    }

    fn run(&self, variables: &[(&str, &str)]) -> Result<String, String> {
        let output = Command::new(&self.program)
            .args(&self.arguments)
            .envs(variables.iter().copied())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .current_dir(&self.folder)
            .output()
            .map_err(|error| format!("can't run {}: {error}", self.program))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        match output.status.success() {
            true => Ok(stdout),
            false => Err(format!("{stdout}{stderr}")),
        }
    }
}

/// Build the test programs of the workspace.
pub fn build(variables: &[(&str, &str)]) -> Result<Vec<Suite>, String> {
    let arguments =
        ["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"];
    eprintln!("$ {} {}", cargo(), arguments.join(" "));
    let output = Command::new(cargo())
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(root())
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("can't run cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests can't be built".into());
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let suites: Vec<Suite> = text.lines().filter_map(program).collect();
    if suites.is_empty() {
        return Err("cargo has built no test program".into());
    }
    Ok(suites)
}

/// The test program that a message of cargo is about.
fn program(line: &str) -> Option<Suite> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let program = message["executable"].as_str()?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    let from_outside = message["target"]["kind"][0] == "test";
    let package = folder.file_name()?.to_string_lossy();
    Some(Suite {
        name: format!("{package} {}", message["target"]["name"].as_str()?),
        program: program.into(),
        arguments: vec!["--quiet".into()],
        variables: Vec::new(),
        folder: folder.into(),
        rank: (from_outside, std::fs::metadata(program).map_or(0, |file| file.len())),
    })
}

/// Run suites on all cores, those that take long first. What a suite says is printed if it fails;
/// every suite runs, also behind one that failed. The last line counts the tests of all.
pub fn run(mut suites: Vec<Suite>, variables: &[(&str, &str)]) -> Outcome {
    suites.sort_by(|a, b| b.rank.cmp(&a.rank).then_with(|| a.name.cmp(&b.name)));
    let lanes = std::thread::available_parallelism().map_or(1, usize::from);
    let waiting = Mutex::new(VecDeque::from(suites));
    let done = Mutex::new(Done::default());
    std::thread::scope(|scope| {
        for _ in 0..lanes {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no lane panics").pop_front();
                    let Some(suite) = next else { return };
                    let begun = Instant::now();
                    let ran = suite.run(variables);
                    done.lock().expect("no lane panics").add(suite.name, ran, begun.elapsed());
                }
            });
        }
    });
    let done = done.into_inner().expect("no lane panics");
    println!("{} passed, {} failed", done.counts.passed, done.counts.failed);
    if done.failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", done.failed.join(", "))) }
}

/// What came out of the suites so far.
#[derive(Default)]
struct Done {
    counts: Counts,
    failed: Vec<String>,
}

impl Done {
    /// Count a suite and say how it ended.
    fn add(&mut self, name: String, ran: Result<String, String>, time: Duration) {
        let seconds = time.as_secs_f64();
        match ran {
            Ok(said) => {
                let counts = Counts::of(&said);
                eprintln!("passed: {name} in {seconds:.0} s, {} tests", counts.passed);
                self.counts.passed += counts.passed;
            }
            Err(said) => {
                let counts = Counts::of(&said);
                eprintln!("FAILED: {name} in {seconds:.0} s\n{said}");
                self.counts.passed += counts.passed;
                // A program that died before it could count is a failure all the same.
                self.counts.failed += counts.failed.max(1);
                self.failed.push(name);
            }
        }
    }
}

/// How many tests a program says that it ran.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    passed: u64,
    failed: u64,
}

impl Counts {
    /// From the lines `test result: ok. 3 passed; 0 failed; ...` of Rust and `3 passed, 1 skipped
    /// in 2.00s` of Python.
    fn of(said: &str) -> Self {
        let mut counts = Counts::default();
        for line in said.lines().filter(|line| line.contains(" passed") || line.contains(" failed"))
        {
            let line = line.rsplit_once(". ").map_or(line, |(_, counted)| counted);
            for counted in line.split([';', ',']) {
                let mut words = counted.split_whitespace();
                let number = words.next().and_then(|word| word.parse::<u64>().ok());
                match (number, words.next()) {
                    (Some(number), Some("passed")) => counts.passed += number,
                    (Some(number), Some("failed")) => counts.failed += number,
                    _ => {}
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Suite, program, run};

    #[test]
    fn a_suite_that_fails_is_named_and_the_others_run() {
        let folder = std::env::temp_dir().join(format!("suites-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let made = folder.join("made").display().to_string();
        let shell = |name: &str, script: &str| Suite::first(name, "sh", &["-c", script]);
        let suites = || vec![shell("bad", "exit 1"), shell("good", &format!("touch {made}"))];
        assert_eq!(run(suites(), &[]), Err("failed: bad".into()));
        assert!(std::fs::exists(&made).unwrap());
        assert_eq!(run(vec![shell("good", "exit 0")], &[]), Ok(()));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn tests_are_counted_as_programs_say_it() {
        let said =
            "test result: ok. 3 passed; 0 failed\n\ntest result: FAILED. 4 passed; 1 failed\n";
        assert_eq!(Counts::of(said), Counts { passed: 7, failed: 1 });
        assert_eq!(Counts::of("2 failed, 68 passed in 3.1s"), Counts { passed: 68, failed: 2 });
        assert_eq!(Counts::of("68 passed, 1 skipped in 3.1s"), Counts { passed: 68, failed: 0 });
        assert_eq!(Counts::of("nothing passed here"), Counts::default());
    }

    #[test]
    fn messages_about_other_things_than_tests_are_passed_over() {
        assert!(program("{\"profile\":{\"test\":false},\"executable\":\"/x\"}").is_none());
        assert!(program("no JSON").is_none());
        let line = "{\"profile\":{\"test\":true},\"executable\":\"/x\",\"manifest_path\":\
                    \"/a/b/Cargo.toml\",\"target\":{\"name\":\"c\",\"kind\":[\"test\"]}}";
        let suite = program(line).unwrap();
        assert_eq!((suite.name.as_str(), suite.rank), ("b c", (true, 0)));
    }
}
