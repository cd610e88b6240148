//! Pseudonyms: identifier columns that are published under other names instead of vanishing.
//!
//! A pseudonym is no anonymity. Whoever holds the key can undo it, and rows and releases with the
//! same pseudonym can be linked. Originals are replaced while data are read, so that nothing behind
//! the reader, no writer and no report, ever has a name that it could publish; they are kept aside
//! for the verifier alone.

mod format_kept;
mod keyed;
mod linkage;
mod method;
mod secrets;
mod verify;

use linkage::section;
pub use linkage::{Linkage, linkage};
pub use method::Method;
pub use secrets::{Secrets, Space};
pub use verify::verify;

use sfumato_core::column::{Dictionary, RawTable};
use sfumato_core::dataset::{Role, Table};
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;

use crate::job::{ColumnSpec, Engine, Job};

/// The file that keeps the key and the mapping, if the job names none.
pub const DEFAULT_FILE: &str = "pseudonyms.json";

/// The pseudonyms of a run.
#[derive(Debug, Clone, Default)]
pub struct Pseudonyms {
    /// The columns, in file order.
    pub columns: Vec<PseudonymColumn>,
    /// The key and the mappings, as they will be kept.
    pub secrets: Option<Secrets>,
}

/// A column of which pseudonyms are published.
#[derive(Debug, Clone)]
pub struct PseudonymColumn {
    /// The name of the column.
    pub name: String,
    /// How its pseudonyms are made.
    pub method: Method,
    /// The name under which values are the same in several files.
    pub space: String,
    /// The texts of the original.
    pub originals: Dictionary,
    /// The texts that are published in their place, in the same order.
    pub published: Dictionary,
    /// Whether each text means a missing value, which has no pseudonym.
    pub is_missing: Vec<bool>,
}

/// How pseudonyms of a column are made, if it has any: what the job says under `as`.
pub fn asked(spec: &ColumnSpec) -> Result<Option<(Method, Option<String>)>> {
    spec.shown_as.as_ref().map(method::parse).transpose()
}

/// Whether pseudonyms of a column are published.
pub fn is_pseudonym(job: &Job, name: &str) -> bool {
    job.columns.get(name).is_some_and(|spec| spec.shown_as.is_some())
}

/// Whether the job publishes any pseudonyms.
pub fn are_asked(job: &Job) -> bool {
    job.columns.0.iter().any(|(_, spec)| spec.shown_as.is_some())
}

/// The path of the file that keeps the key and the mapping.
pub fn file(job: &Job) -> String {
    resolve(&job.base, job.output.pseudonyms.as_deref().unwrap_or(DEFAULT_FILE))
}

/// Refuse what can't be done, before anything is read.
pub fn check(job: &Job) -> Result<()> {
    for (name, spec) in &job.columns.0 {
        if asked(spec)?.is_some() && spec.role != Role::Identifier {
            return Err(Error::params(format!(
                "column '{name}' is {}, and pseudonyms are for identifiers",
                spec.role.name()
            ))
            .hint("say role = \"identifier\", as = \"pseudonym\""));
        }
    }
    if !are_asked(job) {
        return match &job.output.pseudonyms {
            None => Ok(()),
            Some(_) => Err(Error::params("there is a file for pseudonyms and no column of them")
                .hint("say --pseudonym COLUMN, or as = \"pseudonym\" of an identifier")),
        };
    }
    let is_in_memory = matches!(job.run.engine, Engine::Auto | Engine::Memory);
    if job.run.memory.is_some() || !is_in_memory {
        return Err(Error::unsupported("pseudonyms are made of a table in memory")
            .hint("leave --memory and --engine out, or drop the identifier"));
    }
    Ok(())
}

/// Replace the originals of a table that was just read by their pseudonyms.
pub fn replace(job: &Job, raw: &mut RawTable) -> Result<Pseudonyms> {
    let mut pseudonyms = Pseudonyms::default();
    if !raw.columns.iter().any(|column| is_pseudonym(job, &column.name)) {
        return Ok(pseudonyms);
    }
    let mut secrets = Secrets::open(&file(job), job.run.seed)?;
    for column in &mut raw.columns {
        let Some(spec) = job.columns.get(&column.name) else { continue };
        let Some((method, space)) = asked(spec)? else { continue };
        let space = space.unwrap_or_else(|| column.name.clone());
        let originals = column.values.clone();
        let is_missing: Vec<bool> = (0..originals.len() as u32)
            .map(|code| {
                let text = originals.get(code);
                let said = text.is_empty() || job.input.missing.iter().any(|token| token == text);
                Some(code) == column.null || said
            })
            .collect();
        let mut maker = secrets.maker(&space, method)?;
        let mut published = Dictionary::new();
        for (text, is_missing) in originals.iter().zip(&is_missing) {
            match is_missing {
                true => published.push(text),
                false => published.push(&maker.pseudonym(text).map_err(|error| {
                    Error::input(format!("column '{}': {}", column.name, error.message))
                        .in_file(&raw.source.path)
                        .hint("say as = \"pseudonym(method=hash)\" or \"pseudonym(method=random)\"")
                })?),
            };
        }
        // A number becomes a text, unless its form is kept.
        column.values = published.clone();
        column.native_type = column.native_type.take().filter(|kind| kind.contains("Utf8"));
        let name = column.name.clone();
        let column = PseudonymColumn { name, method, space, originals, published, is_missing };
        pseudonyms.columns.push(column);
    }
    pseudonyms.secrets = Some(secrets);
    Ok(pseudonyms)
}

impl Pseudonyms {
    /// Whether a column consists of pseudonyms.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The file of the key and the mappings, for its owner only. It has no name yet: it gets one
    /// with the release.
    pub fn save(&self, job: &Job) -> Result<Option<sfumato_io::AtomicFile>> {
        let Some(secrets) = &self.secrets else { return Ok(None) };
        let path = file(job);
        let text = secrets.to_json();
        sfumato_io::write_text_unnamed(std::path::Path::new(&path), &text, true).map(Some)
    }

    /// Say in a report what pseudonyms mean, and what they let a recipient link.
    pub fn tell(
        &self,
        report: &mut sfumato_report::Report,
        job: &Job,
        table: &Table,
        classes: Option<&[u32]>,
    ) {
        let linked = self.linkage(table, classes);
        if linked.is_empty() {
            return;
        }
        let linking = linked.iter().filter_map(Linkage::warning);
        report.warnings.splice(0..0, self.warnings(job).into_iter().chain(linking));
        report.sections.push(section(&linked));
    }

    /// What the columns let a recipient link. `classes` are those of the rows of the table.
    fn linkage(&self, table: &Table, classes: Option<&[u32]>) -> Vec<Linkage> {
        let of_column = |column: &PseudonymColumn| {
            let found = table.columns.iter().find(|found| found.name == column.name)?;
            let missing: Vec<&str> = column
                .originals
                .iter()
                .zip(&column.is_missing)
                .filter(|(_, is_missing)| **is_missing)
                .map(|(text, _)| text)
                .collect();
            let domain = &found.domain;
            let is_missing = |code: u32| {
                code >= domain.missing() || missing.contains(&domain.label(code).as_ref())
            };
            let about = (column.name.as_str(), column.method.name());
            Some(linkage(about, &found.codes, &is_missing, classes, table.n_rows))
        };
        self.columns.iter().filter_map(of_column).collect()
    }

    /// What the steward must know before publishing pseudonyms.
    fn warnings(&self, job: &Job) -> Vec<String> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        match names.is_empty() {
            true => Vec::new(),
            false => vec![format!(
                "pseudonyms are no anonymity ({}): whoever holds {} can undo them, and rows and \
                 releases with the same pseudonym can be linked",
                names.join(", "),
                file(job)
            )],
        }
    }
}
