//! One error type for all crates: what went wrong, where, and what to do next.
//!
//! The kind decides the exit code, so a message can be reworded without changing what scripts see.
//! No message may carry more of a cell than the user needs to find it: file, line and column.

use std::fmt;
use std::path::Path;

/// `Result` with our [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The family of an error. Each family has one exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The data or a file that describes it is wrong.
    Input,
    /// A parameter is missing, unknown or out of range.
    Params,
    /// What was asked for doesn't go together (model, algorithm and kind of data).
    Unsupported,
    /// The requirement can't be met. This is a normal answer: a requirement is never weakened
    /// silently.
    Infeasible,
    /// Memory, disk space or time ran out.
    Resources,
    /// The operating system refused to read or write.
    Io,
    /// The user stopped the run.
    Cancelled,
    /// The program has a bug.
    Internal,
}

impl ErrorKind {
    /// The exit code of the process for this kind of error.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Input | ErrorKind::Params | ErrorKind::Unsupported => 2,
            ErrorKind::Infeasible => 3,
            ErrorKind::Resources => 4,
            ErrorKind::Io => 5,
            ErrorKind::Cancelled => 130,
            ErrorKind::Internal => 70,
        }
    }
}

/// Where in a file an error was found. Lines and columns count from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it.
    pub file: Option<String>,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The byte of the line, or the field, counted from 1. The message says which.
    pub column: Option<u64>,
}

/// An error: what went wrong, where, and a hint at what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The family, which decides the exit code.
    pub kind: ErrorKind,
    /// What went wrong: lower case, no final period.
    pub message: String,
    /// Where it went wrong. Boxed, because errors are rare and results are passed through hot code.
    pub place: Box<Place>,
    /// What to do next.
    pub hint: Option<Box<str>>,
    /// The values of the data that it is about. They are cells of people: only whoever asks for
    /// them is shown them, and neither the message nor the hint has them.
    pub values: Option<Box<str>>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.place.file {
            write!(f, "{file}")?;
            if let Some(line) = self.place.line {
                write!(f, ":{line}")?;
                if let Some(column) = self.place.column {
                    write!(f, ":{column}")?;
                }
            }
            write!(f, ": ")?;
        } else if let Some(line) = self.place.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl Error {
    /// Make an error of a kind with a message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = without_controls(message.into());
        Error { kind, message, place: Box::default(), hint: None, values: None }
    }
    /// Make an error about wrong data.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, message)
    }
    /// Make an error about a wrong parameter.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Params, message)
    }
    /// Make an error about things that don't go together.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }
    /// Make an error about a requirement that can't be met.
    pub fn infeasible(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Infeasible, message)
    }
    /// Make an error about missing memory, disk space or time.
    pub fn resources(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Resources, message)
    }
    /// Make an error about a bug of the program.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }
    /// Make an error from one of the operating system, which occurred while doing something with a
    /// file. A full disk counts as missing resources.
    pub fn io(path: &Path, doing: &str, source: &std::io::Error) -> Self {
        let kind = match source.kind() {
            std::io::ErrorKind::StorageFull
            | std::io::ErrorKind::QuotaExceeded
            | std::io::ErrorKind::OutOfMemory => ErrorKind::Resources,
            _ => ErrorKind::Io,
        };
        Self::new(kind, format!("can't {doing}: {source}")).in_file(path.display().to_string())
    }

    /// Add the name of the file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.place.file = Some(file.into());
        self
    }
    /// Add the line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.place.line = Some(line);
        self
    }
    /// Add the column, counted from 1.
    #[must_use]
    pub fn at_column(mut self, column: u64) -> Self {
        self.place.column = Some(column);
        self
    }
    /// Add a hint at what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into().into_boxed_str());
        self
    }
    /// Add the values of the data that it is about.
    #[must_use]
    pub fn about_values(mut self, values: impl Into<String>) -> Self {
        self.values = Some(values.into().into_boxed_str());
        self
    }
}

/// A message without characters that move the cursor of a terminal: what a library says of a
/// damaged file may hold bytes of it. Ends of lines stay.
fn without_controls(message: String) -> String {
    let is_odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    match message.contains(is_odd) {
        true => message.replace(is_odd, "\u{fffd}"),
        false => message,
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn nothing_that_a_damaged_file_says_moves_the_cursor() {
        // The name of a column in a Parquet file with one changed byte, which the soak found.
        let error = Error::input("expected field named ts_z\u{1b}ne\r\n\tgot ts_zone");
        assert_eq!(error.message, "expected field named ts_z\u{fffd}ne\u{fffd}\n\tgot ts_zone");
    }
}
