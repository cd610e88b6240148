//! The program `sfumato`: reads the command line, calls the library, and says in plain words what
//! happened. It is a library so that a program with kinds of its own (`sfumato_kinds::add`) is one
//! line.
//!
//! stdout carries data only; progress and messages go to stderr.

mod command;
mod hints;
mod interrupt;
mod last_net;
mod progress;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use sfumato_core::Error;
use sfumato_report::tame_lines;

/// Do what the command line says.
pub fn main() -> ExitCode {
    last_net::spread();
    let mut show_values = false;
    let outcome = last_net::catch(|| {
        let mut program = command::groups::grouped(command::Arguments::command());
        let matches = program.get_matches_mut();
        let arguments = command::Arguments::from_arg_matches(&matches)
            .unwrap_or_else(|error| error.format(&mut program).exit());
        show_values = arguments.show_values;
        // Tests let a step on the disk fail; a released program has nothing of it.
        #[cfg(debug_assertions)]
        sfumato_io::steps::faults::arm_from_environment().map_err(sfumato_core::Error::params)?;
        interrupt::listen();
        command::run(arguments)
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            show(&error, std::env::args().nth(1).as_deref(), show_values);
            ExitCode::from(error.kind.exit_code())
        }
    }
}

/// Say what went wrong. Names and messages may hold escape sequences of a file, which must not
/// reach the terminal; values of the data are shown to whoever asks for them.
fn show(error: &Error, command: Option<&str>, show_values: bool) {
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "error: {}", tame_lines(&error.to_string()));
    let (shown, told) = match &error.values {
        Some(values) if show_values => (Some(values), None),
        Some(_) => (None, Some("--show-values shows the values")),
        None => (None, None),
    };
    if let Some(values) = shown {
        let _ = writeln!(stderr, "values: {}", tame_lines(values));
    }
    let hint = error.hint.as_ref().map(|hint| hints::for_command(hint, command));
    let hints: Vec<String> = hint.into_iter().chain(told.map(String::from)).collect();
    if !hints.is_empty() {
        let _ = writeln!(stderr, "hint: {}", tame_lines(&hints.join("; ")));
    }
}
