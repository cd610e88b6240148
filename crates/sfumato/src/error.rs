//! What goes wrong: of which kind, what, where, and what to do next.

use std::fmt;

use sfumato_core as core;
use sfumato_engine::flags::{COMMON, Sets};

/// `Result` with the [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error. No message carries more of the data than is needed to find the place.
///
/// ```
/// use sfumato::{ErrorKind, Job};
///
/// let error = Job::from_toml("[privacy]\nmodels = [").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Input);
/// assert_eq!(error.place().line, Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(core::Error);

/// What family an error belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The data or a file that describes it is wrong.
    Input,
    /// A parameter is missing, unknown or out of range.
    Parameters,
    /// The parts asked for don't go together: a model, an algorithm, a kind of data.
    Unsupported,
    /// The requirement can't be met. A normal answer: nothing is weakened silently.
    Infeasible,
    /// Out of memory, disk or time.
    Resources,
    /// The operating system refused to read or write.
    Io,
    /// Somebody stopped the run.
    Cancelled,
    /// A bug of this library. Nothing was published.
    Internal,
}

/// Where something went wrong. Lines and columns count from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The file, as it was named.
    pub file: Option<&'a str>,
    /// The line.
    pub line: Option<u64>,
    /// The byte of the line, or the field; the message says which.
    pub column: Option<u64>,
}

impl Error {
    /// An error of the layers below.
    pub(crate) fn of(mut error: core::Error) -> Self {
        error.hint = error.hint.map(|hint| keys_for_flags(&hint).into());
        Error(error)
    }

    /// The family that it belongs to.
    pub fn kind(&self) -> ErrorKind {
        match self.0.kind {
            core::ErrorKind::Input => ErrorKind::Input,
            core::ErrorKind::Params => ErrorKind::Parameters,
            core::ErrorKind::Unsupported => ErrorKind::Unsupported,
            core::ErrorKind::Infeasible => ErrorKind::Infeasible,
            core::ErrorKind::Resources => ErrorKind::Resources,
            core::ErrorKind::Io => ErrorKind::Io,
            core::ErrorKind::Cancelled => ErrorKind::Cancelled,
            core::ErrorKind::Internal => ErrorKind::Internal,
        }
    }

    /// What went wrong, without its place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where it went wrong, as far as that is known.
    pub fn place(&self) -> Place<'_> {
        let place = &self.0.place;
        Place { file: place.file.as_deref(), line: place.line, column: place.column }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The exit code with which the command line ends on such an error.
    pub fn exit_code(&self) -> u8 {
        self.0.kind.exit_code()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}

/// For the other ways in, which call layers below this one, too.
impl From<core::Error> for Error {
    fn from(error: core::Error) -> Self {
        Self::of(error)
    }
}

/// A hint for whoever has no command line: a flag becomes the key of the job that it writes, such
/// as `run.memory` for `--memory`. What is no key of a job stays.
fn keys_for_flags(hint: &str) -> String {
    let mut words = hint.split("--");
    let mut told = words.next().unwrap_or_default().to_string();
    for rest in words {
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        match key_of(name) {
            Some(key) => told += &key,
            None => told += &format!("--{name}"),
        }
        told += after;
    }
    told
}

/// The key that a flag writes.
fn key_of(flag: &str) -> Option<String> {
    let kinds = sfumato_kinds::RELEASES.all().flat_map(|entry| entry.flags().list);
    let flag = COMMON.iter().chain(kinds).find(|known| known.name == flag)?;
    match flag.sets {
        Sets::Text(section, key)
        | Sets::Whole(section, key)
        | Sets::Yes(section, key)
        | Sets::Names(section, key)
        | Sets::Texts(section, key) => Some(format!("{section}.{key}")),
        Sets::By(told, _) => {
            let (key, section) = told.split_once(" in [")?;
            Some(format!("{}.{key}", section.trim_end_matches(']')))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_names_keys_where_the_command_line_has_flags() {
        for (hint, told) in [
            (
                "raise --memory, or leave the column out",
                "raise run.memory, or leave the column out",
            ),
            ("say --buckets permuted for one file", "say output.buckets permuted for one file"),
            ("say --baskets LAYOUT", "say baskets.layout LAYOUT"),
            ("allow more with --max-suppression", "allow more with privacy.max_suppression"),
            ("name the data with --nobody-knows", "name the data with --nobody-knows"),
            ("no flag at all - none", "no flag at all - none"),
        ] {
            assert_eq!(keys_for_flags(hint), told);
        }
    }
}
