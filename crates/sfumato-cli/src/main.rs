//! The binary `sfumato`: reads the command line, calls the library, and says in plain words what
//! happened.
//!
//! stdout carries data only; progress and messages go to stderr.

mod command;
mod hints;
mod interrupt;
mod last_net;
mod progress;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use sfumato_core::Error;

fn main() -> ExitCode {
    last_net::spread();
    let outcome = last_net::catch(|| {
        let arguments = command::Arguments::parse();
        interrupt::listen();
        command::run(arguments)
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            show(&error, std::env::args().nth(1).as_deref());
            ExitCode::from(error.kind.exit_code())
        }
    }
}

fn show(error: &Error, command: Option<&str>) {
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "error: {error}");
    if let Some(hint) = &error.hint {
        let hint = hints::for_command(hint, command);
        let _ = writeln!(stderr, "hint: {hint}");
    }
}
