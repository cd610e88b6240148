//! Reads jobs of any kind from the text of a release.toml, and writes them as such a text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use sfumato_core::registry::edit_distance;
use sfumato_core::{Error, Result};

use super::{InputSpec, guesses};
use crate::kind::KindJob;
use crate::paths::resolve;

/// A job before its kind of data is known: sections by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Job {
    /// The text, and the name of the file that it was read from, so that errors can name its lines.
    text: Option<(String, String)>,
    sections: toml::Table,
    base: PathBuf,
    resume: bool,
}

impl Job {
    /// Read a release.toml. Paths in it start from `base`.
    pub fn parse(text: &str, file: &str, base: &Path) -> Result<Job> {
        let sections = toml::from_str(text).map_err(|error| at(text, file, &error))?;
        let text = Some((text.to_string(), file.to_string()));
        Ok(Job { text, sections, base: base.to_path_buf(), resume: false })
    }

    /// The sections of a job of a known kind.
    pub fn from_kind<J: KindJob>(job: &J) -> Job {
        let common = job.common();
        Job {
            text: None,
            sections: job.to_sections(),
            base: common.base.to_path_buf(),
            resume: common.run.resume,
        }
    }

    /// A job of sections that were written elsewhere than in a release.toml.
    pub fn of_sections(sections: toml::Table) -> Job {
        Job { sections, ..Job::default() }
    }

    /// Say where relative paths start from.
    pub fn set_base(&mut self, base: &Path) {
        self.base = base.to_path_buf();
    }

    /// The file that it was read from.
    pub fn file(&self) -> Option<&str> {
        self.text.as_ref().map(|(_, file)| file.as_str())
    }

    /// Where relative paths start from.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// The keys of a section, with their values.
    pub fn section(&self, section: &str) -> Option<&toml::Table> {
        self.sections.get(section)?.as_table()
    }

    /// Leave a section out.
    pub fn remove(&mut self, section: &str) {
        self.sections.remove(section);
    }

    /// Whether it has a section.
    pub fn has(&self, section: &str) -> bool {
        self.sections.contains_key(section)
    }

    /// The names of the sections, in their order.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.keys().map(String::as_str)
    }

    /// The value of a key of a section.
    pub fn get(&self, section: &str, key: &str) -> Option<&toml::Value> {
        self.sections.get(section)?.get(key)
    }

    /// Set a key of a section, whether or not it was set before.
    pub fn set(&mut self, section: &str, key: &str, value: impl Into<toml::Value>) {
        let empty = || toml::Value::Table(toml::Table::new());
        let section = self.sections.entry(section.to_string()).or_insert_with(empty);
        if let toml::Value::Table(table) = section {
            table.insert(key.to_string(), value.into());
        }
    }

    /// Remove a key of a section.
    pub fn unset(&mut self, section: &str, key: &str) {
        if let Some(toml::Value::Table(table)) = self.sections.get_mut(section) {
            table.remove(key);
        }
    }

    /// Set whether to continue where a killed run of the same job stopped.
    pub fn resume(&mut self, resume: bool) {
        self.resume = resume;
    }

    /// Use all guesses that are still marked, as if a person had confirmed them.
    pub fn accept_guesses(&mut self) {
        let keys: Vec<String> = self.unconfirmed().into_iter().map(|guess| guess.key).collect();
        if !keys.is_empty() {
            self.set("run", "accept_guesses", keys);
        }
    }

    /// The guesses of its text that are still marked.
    fn unconfirmed(&self) -> Vec<guesses::Guess> {
        self.text.as_ref().map(|(text, _)| guesses::unconfirmed(text)).unwrap_or_default()
    }

    /// Refuse a job that was guessed from its data and that no person has looked at since: a wrong
    /// role publishes people.
    pub fn refuse_guesses(&self) -> Result<()> {
        let accepted = self.list("run", "accept_guesses");
        let mut guesses = self.unconfirmed();
        guesses.retain(|guess| !accepted.contains(&guess.key));
        let Some(first) = guesses.first() else { return Ok(()) };
        let keys: Vec<&str> = guesses.iter().take(5).map(|guess| guess.key.as_str()).collect();
        let others = match guesses.len() - keys.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let (what, are) = match guesses.len() {
            1 => ("1 guess".to_string(), "is"),
            n => (format!("{n} guesses"), "are"),
        };
        let error = Error::params(format!(
            "{what} of 'sfumato init' {are} still marked CHECK: {}{others}",
            keys.join(", ")
        ));
        Err(self.name_file(error.at_line(first.line)).hint(
            "look at each, correct it, and delete the word CHECK from its comment; \
             --accept-guesses runs the job as it was guessed, and the report says so",
        ))
    }

    /// How it reads its file.
    pub fn input(&self) -> Result<InputSpec> {
        let section = self.sections.get("input").cloned();
        let section = section.unwrap_or_else(|| toml::Value::Table(toml::Table::new()));
        InputSpec::deserialize(section)
            .map_err(|error: toml::de::Error| self.name_file(wrong(error.message())))
    }

    /// What it reads, as a path to open.
    pub fn input_path(&self) -> String {
        let path = self.get("input", "path").and_then(|path| path.as_str());
        resolve(&self.base, path.unwrap_or_default())
    }

    /// How many threads the job asks for.
    pub fn threads(&self) -> Option<usize> {
        usize::try_from(self.get("run", "threads")?.as_integer()?).ok()
    }

    /// The texts of a list under a key, such as the models.
    pub fn list(&self, section: &str, key: &str) -> Vec<String> {
        let list = self.get(section, key).and_then(|value| value.as_array());
        list.into_iter().flatten().filter_map(|item| Some(item.as_str()?.to_string())).collect()
    }

    /// The same list as the text of the job has it, whatever was said since.
    pub fn written_list(&self, section: &str, key: &str) -> Vec<String> {
        let Some((text, _)) = &self.text else { return Vec::new() };
        let sections = toml::from_str(text).unwrap_or_default();
        Job { sections, ..Job::default() }.list(section, key)
    }

    /// The job as one of a known kind. A key that doesn't belong to the kind is an error, which
    /// names its line.
    pub fn of_kind<J: KindJob>(&self) -> Result<J> {
        let job: J = self.without_output()?;
        let is_empty = job.common().output.is_empty();
        let missing = || {
            Error::params("the job names no output").hint(match self.text {
                Some(_) => "write path = \"release.csv\" under [output]",
                None => "say where the release goes with -o OUT",
            })
        };
        if is_empty { Err(self.name_file(missing())) } else { Ok(job) }
    }

    /// The job as one of a known kind, for commands that only read and so need no output.
    pub fn without_output<J: KindJob>(&self) -> Result<J> {
        // The text first: its errors have lines. What was said since then has none.
        if let Some((text, file)) = &self.text {
            J::from_toml(text).map_err(|error| self.name_new_key::<J>(at(text, file, &error)))?;
        }
        // Read from a text, too: a second way to read a job would be compiled for every kind again.
        let now = toml::to_string(&self.sections).map_err(|error| wrong(&error.to_string()))?;
        let mut job = J::from_toml(&now)
            .map_err(|error| self.name_new_key::<J>(self.name_file(wrong(error.message()))))?;
        job.place(&self.base, self.resume);
        check(&job).and_then(|()| job.check()).map_err(|error| self.name_file(error))?;
        Ok(job)
    }

    /// Say how a key is called now, if the error is about one that had another name.
    fn name_new_key<J: KindJob>(&self, error: Error) -> Error {
        let is_meant = |(section, old, _): &&(&str, &str, &str)| {
            error.message.contains(&format!("`{old}`")) && self.get(section, old).is_some()
        };
        match J::RENAMED.iter().find(is_meant) {
            Some((section, old, new)) => {
                error.hint(format!("the key {old} of [{section}] is called {new} now"))
            }
            None => error,
        }
    }

    fn name_file(&self, error: Error) -> Error {
        match &self.text {
            Some((_, file)) => error.in_file(file.clone()),
            None => error,
        }
    }

    /// The text of a release.toml with the sections of this job.
    pub fn to_toml(&self) -> String {
        spell(&self.sections)
    }
}

/// An error about a text, with its place in the file.
fn at(text: &str, file: &str, error: &toml::de::Error) -> Error {
    let place = error.span().map(|span| line_and_column(text, span.start));
    let (line, column) = place.unwrap_or((1, 1));
    wrong(error.message()).in_file(file).at_line(line).at_column(column)
}

/// The error about a text that isn't a job. A word that nobody knows gets the nearest known one.
fn wrong(message: &str) -> Error {
    let message = message.trim().replace('\n', " ");
    let hint = near_word(&message);
    let error = Error::input(message);
    match hint {
        Some(near) => error.hint(format!("did you mean '{near}'?")),
        None => error,
    }
}

/// The word that was probably meant, where a message says which there are: unknown field `a`,
/// expected one of `b`, `c`.
fn near_word(message: &str) -> Option<String> {
    let known = message.split_once("expected ")?;
    let mut words = message.split('`').skip(1).step_by(2);
    let given = words.next().filter(|_| message.starts_with("unknown "))?;
    let known = known.1.split('`').skip(1).step_by(2);
    let nearest = known.min_by_key(|word| edit_distance(word, given))?;
    let is_near = edit_distance(nearest, given) <= 1.max(given.chars().count() / 3);
    is_near.then(|| nearest.to_string())
}

/// Check what depends neither on the data nor on their kind.
fn check<J: KindJob>(job: &J) -> Result<()> {
    let common = job.common();
    if common.input.path.is_empty() {
        return Err(
            Error::params("the job names no input").hint("write path = \"data.csv\" under [input]")
        );
    }
    // TOML has no larger whole numbers: a job that can't be written down can't be repeated.
    let largest = i64::MAX as u64;
    if common.run.seed.is_some_and(|seed| seed > largest)
        || common.run.threads.is_some_and(|n| n as u64 > largest)
    {
        return Err(Error::params(format!("seed and threads must be at most {largest}")));
    }
    Ok(())
}

/// How a job is read from a text of TOML and becomes sections of one: two methods of [`KindJob`].
/// They are written into the crate of the job, because whoever called a generic function for them
/// would compile the reading of all sections again, which was a third of some crates.
#[macro_export]
macro_rules! job_as_toml {
    () => {
        fn from_toml(text: &str) -> ::std::result::Result<Self, $crate::job::TomlError> {
            $crate::job::read_toml(text)
        }
        fn to_sections(&self) -> $crate::job::Sections {
            $crate::job::sections(self)
        }
    };
}

/// Why a text isn't a job.
pub type TomlError = toml::de::Error;

/// The sections of a job, by name.
pub type Sections = toml::Table;

/// For [`job_as_toml`](crate::job_as_toml) alone.
#[doc(hidden)]
pub fn read_toml<J: DeserializeOwned>(text: &str) -> std::result::Result<J, TomlError> {
    toml::from_str(text)
}

/// For [`job_as_toml`](crate::job_as_toml) alone.
#[doc(hidden)]
pub fn sections<J: Serialize>(job: &J) -> Sections {
    toml::Table::try_from(job).expect("a job has only texts, numbers, lists and tables")
}

/// The text of a release.toml for a job of a known kind.
pub fn to_toml<J: KindJob>(job: &J) -> String {
    spell(&job.to_sections())
}

fn spell(sections: &toml::Table) -> String {
    let mut text = String::new();
    for (name, section) in sections {
        let toml::Value::Table(table) = section else { continue };
        if table.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{}[{name}]", if text.is_empty() { "" } else { "\n" });
        for (key, value) in table {
            let _ = writeln!(text, "{} = {}", quote_key(key), inline(value));
        }
    }
    text
}

/// A value on a single line, since a job reads best with one line per column.
fn inline(value: &toml::Value) -> String {
    match value {
        toml::Value::Table(table) => {
            let entries: Vec<String> = table
                .iter()
                .map(|(key, value)| format!("{} = {}", quote_key(key), inline(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        toml::Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A key, quoted if TOML requires it.
pub fn quote_key(key: &str) -> String {
    let bare =
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare {
        return key.to_string();
    }
    // As JSON quotes a text: TOML would put one with quotes between three of them, which no key may
    // have. It wants one more letter escaped than JSON does.
    serde_json::Value::from(key).to_string().replace('\u{7f}', "\\u007F")
}

fn line_and_column(text: &str, at: usize) -> (u64, u64) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.len() - before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1) + 1;
    (line as u64, column as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_may_have_any_letters() {
        for name in ["a b", "it's", "say \"hi\"", "it's \"a`b\\", "a\nb\t\u{1}\u{7f}", "ü", ""] {
            let mut job = Job::default();
            let column = toml::Table::from_iter([("role".to_string(), "quasi".into())]);
            job.set("columns", name, column);
            let again = Job::parse(&job.to_toml(), "release.toml", Path::new("")).unwrap();
            let columns = again.section("columns").unwrap();
            assert_eq!(columns.keys().collect::<Vec<_>>(), [name]);
        }
    }
}
