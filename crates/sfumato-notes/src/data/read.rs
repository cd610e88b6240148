//! Reads notes: a table, the text of its rows, and what the text says.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{read as read_table, select_all};
use sfumato_table::data::read::options_of;
use sfumato_text::detectors::Chosen;

use super::attribute::{Attribute, attributes};
use super::lend::cell;
use super::parts::Extractor;
use super::view::{View, view};
use crate::job::Job;

/// Notes as they were read.
pub struct Noted {
    /// All columns, the text among them.
    pub table: RawTable,
    /// The column with the text.
    pub text_at: usize,
    /// The text of each row.
    pub texts: Vec<String>,
    /// What finds parts of texts.
    pub extractor: Extractor,
    /// What the texts say of people.
    pub view: View,
}

impl Noted {
    /// How many notes there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
    /// A cell of a column.
    pub fn cell(&self, column: usize, row: usize) -> &str {
        cell(&self.table.columns[column], row)
    }
}

/// Read the notes of a job from a path.
pub fn read(job: &Job, path: &str, observer: &dyn Observer) -> Result<Noted> {
    read_with(job, path, None, observer)
}

/// Read notes with attributes that are known already: those of the original, for a release.
pub fn read_with(
    job: &Job,
    path: &str,
    known: Option<&[Attribute]>,
    observer: &dyn Observer,
) -> Result<Noted> {
    let (text, subject) = job.text_column()?;
    let options = options_of(&job.of_table(path, "", job.columns.clone()))?;
    let own = sfumato_engine::input::read_options(&job.input)?;
    let options = sfumato_io::ReadOptions { written: options.written, ..own };
    let table = read_table(path, &options, &mut select_all, observer)?;
    if table.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(path));
    }
    let place = |name: &str| {
        let found = table.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| Error::input(format!("there is no column '{name}'")).in_file(path))
    };
    let text_at = place(&text)?;
    if let Some(spec) = job.columns.get(&text) {
        let role = spec.role.name();
        return Err(Error::params(format!("column '{text}' has the text, and is given as {role}"))
            .hint("leave its role out: what is found in it is replaced"));
    }
    let subject_at = subject.as_deref().map(place).transpose();
    // A release hasn't the column that says whom a note is about.
    let subject_at = if known.is_some() { subject_at.unwrap_or(None) } else { subject_at? };
    let texts: Vec<String> =
        (0..table.n_rows).map(|row| cell(&table.columns[text_at], row).to_string()).collect();
    let quasi: Vec<String> = job
        .columns
        .0
        .iter()
        .filter(|(_, spec)| spec.role == Role::Quasi)
        .map(|(name, _)| name.clone())
        .collect();
    let attributes = match known {
        None => attributes(job, &table, &quasi)?,
        Some(known) => {
            let again = |attribute: &Attribute| {
                let column = table.columns.iter().position(|column| column.name == attribute.name);
                attribute.in_column(column)
            };
            known.iter().map(again).collect()
        }
    };
    let detect = match job.text.detect.is_empty() {
        true => vec!["default".to_string()],
        false => job.text.detect.clone(),
    };
    let extractor = Extractor { chosen: Chosen::new(&detect, &job.base)?, attributes };
    let view = view(job, &table, &texts, subject_at, &extractor);
    Ok(Noted { table, text_at, texts, extractor, view })
}
