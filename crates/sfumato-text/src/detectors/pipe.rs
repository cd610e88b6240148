//! A detector of somebody else's, asked over a pipe.
//!
//! The command is started once. For each text it gets a line of JSON, `{"text": ...}`, on its
//! standard input and answers with one line: a list of `{"start", "end", "class"}`, where both ends
//! count characters. A command that ends, answers something else or doesn't answer stops the run:
//! what wasn't looked through isn't published.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use sfumato_core::{Error, FastMap, Result};

use crate::data::Span;

/// What the name of such a detector begins with.
pub const PREFIX: &str = "pipe:";

/// A detector behind a pipe.
pub struct Pipe {
    /// The command, as the shell reads it.
    pub command: String,
    state: Mutex<State>,
}

struct State {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What it said of a text, so that it is asked once and can't say two things.
    known: FastMap<String, Vec<Span>>,
    failed: Option<Error>,
}

#[derive(Deserialize)]
struct Answered {
    start: usize,
    end: usize,
    class: String,
}

impl Pipe {
    /// Start a command.
    pub fn start(command: &str) -> Result<Pipe> {
        let failed = |error: std::io::Error| {
            Error::params(format!("the detector '{command}' can't be started: {error}"))
        };
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::internal("a detector has no pipes"));
        };
        let output = BufReader::new(output);
        let state = State { child, input, output, known: FastMap::default(), failed: None };
        Ok(Pipe { command: command.into(), state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it finds in a text. Nothing once it failed: [`Pipe::failure`] says so.
    pub fn find(&self, text: &str) -> Vec<Span> {
        let mut state = self.state();
        if let Some(known) = state.known.get(text) {
            return known.clone();
        }
        if state.failed.is_some() {
            return Vec::new();
        }
        match state.ask(text) {
            Ok(found) => {
                state.known.insert(text.into(), found.clone());
                found
            }
            Err(what) => {
                let message = format!("the detector '{}' {what}", self.command);
                state.failed = Some(Error::input(message).hint(
                    "it reads {\"text\": ...} and answers with one line: a list of {\"start\", \
                     \"end\", \"class\"}, counted in characters",
                ));
                Vec::new()
            }
        }
    }

    /// Why it can't be relied on, if it failed.
    pub fn failure(&self) -> Option<Error> {
        self.state().failed.clone()
    }
}

impl State {
    fn ask(&mut self, text: &str) -> std::result::Result<Vec<Span>, String> {
        let ended = |error: std::io::Error| format!("doesn't read: {error}");
        let question = serde_json::json!({ "text": text }).to_string();
        writeln!(self.input, "{question}").and_then(|()| self.input.flush()).map_err(ended)?;
        let mut answer = String::new();
        let read = self.output.read_line(&mut answer);
        if !read.is_ok_and(|bytes| bytes > 0) {
            return Err("ended without an answer".into());
        }
        let answered: Vec<Answered> =
            serde_json::from_str(&answer).map_err(|_| "answered something else".to_string())?;
        // Where each character begins, and where the last one ends.
        let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        places.push(text.len());
        let span = |one: Answered| match (places.get(one.start), places.get(one.end)) {
            (Some(start), Some(end)) if start < end && !one.class.is_empty() => {
                Ok(Span::new(*start, *end, one.class))
            }
            _ => Err("named a part that the text hasn't".to_string()),
        };
        answered.into_iter().map(span).collect()
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_asked_and_fails_closed() {
        let pipe = Pipe::start(
            "while read -r line; do echo '[{\"start\":1,\"end\":3,\"class\":\"X\"}]'; done",
        )
        .unwrap();
        assert_eq!(pipe.find("äbc"), [Span::new(2, 4, "X")]);
        assert!(pipe.failure().is_none());
        // The text is too short for what it names.
        assert!(pipe.find("a").is_empty());
        assert_eq!(pipe.failure().unwrap().kind.exit_code(), 2);
        for command in ["true", "cat", "echo '[{}]'"] {
            let pipe = Pipe::start(command).unwrap();
            assert!(pipe.find("text").is_empty() && pipe.failure().is_some(), "{command}");
        }
    }
}
