//! Audits notes, whoever made the file: what texts give away counts with their rows.

use sfumato_core::dataset::Role;
use sfumato_core::facts::{ClassFacts, Facts};
use sfumato_core::group::Guarantee;
use sfumato_core::traits::Requirements;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::form::Form;
use sfumato_engine::manifest::Manifest;
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_report::numbers::count;
use sfumato_table::audit::Opened as OpenedTable;
use sfumato_table::job::ColumnSpec;
use sfumato_table::kind::Tables;

use super::GENERALIZED;
use super::joint::{joint, leftovers, open_joint};
use crate::data::{Noted, read, read_with};
use crate::job::Job;

/// A release that was opened.
pub struct Opened {
    /// Columns and what texts say beside them.
    pub joint: OpenedTable,
    /// The notes.
    pub noted: Noted,
    /// How many texts say something that their row doesn't.
    pub saying_more: u64,
    path: String,
}

impl Facts for &Opened {
    fn release(&self) -> &'static str {
        "a table with texts"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
}

impl ClassFacts for &Opened {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        self.joint.evaluate(requirements)
    }
}

/// What the flags don't say, the manifest may say.
pub fn said(mut job: Job, manifest: Option<&Manifest>) -> Result<Job> {
    if let Some(manifest) = manifest {
        if job.text.layout.is_empty() {
            job.text.layout = manifest.detail("layout")?.to_string();
        }
        if job.view.attributes.is_empty() {
            job.view.attributes = manifest.details_of("view");
        }
        if job.columns.0.is_empty() {
            for (detail, role) in [("quasi", Role::Quasi), ("sensitive", Role::Sensitive)] {
                let names = manifest.details_of(detail).into_iter();
                job.columns.0.extend(names.map(|name| (name, ColumnSpec::of_role(role))));
            }
        }
    }
    match job.text.layout.is_empty() {
        false => Ok(job),
        true => Err(Error::params("where the text is isn't said").hint("say --text 'field=NAME'")),
    }
}

/// The original of a request, read as notes.
pub fn original(
    request: &AuditRequest<Job>,
    release: &Job,
    context: &Context<'_>,
) -> Result<Option<(Job, Noted)>> {
    let Some(original) = &request.original else { return Ok(None) };
    let mut job = said(original.clone(), request.manifest.as_ref())?;
    job.text.detect = release.text.detect.clone();
    // Which person a note is about may be said of the original alone.
    let noted = read(&job, &resolve(&job.base, &job.input.path), context.observer)?;
    Ok(Some((job, noted)))
}

/// Read a release.
pub fn open(request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
    let job = said(request.job.clone(), request.manifest.as_ref())?;
    let path = resolve(&job.base, &job.input.path);
    let before = original(request, &job, context)?;
    let known = before.as_ref().map(|(_, noted)| &noted.extractor.attributes[..]);
    let noted = read_with(&job, &path, known, context.observer)?;
    if let Some(manifest) = &request.manifest {
        let hash = &noted.table.source.sha256;
        if manifest.files.iter().any(|file| file.sha256 != *hash) {
            return Err(Error::input("this isn't the file that the manifest beside it describes")
                .in_file(path)
                .hint("it was changed after it was written, or the manifest is another's"));
        }
    }
    let more = leftovers(&noted.extractor, &noted.table, &noted.texts);
    let (loan, columns) = joint(&job, &noted.table, &more.columns, Vec::new(), None)?;
    let joint = open_joint(&job, (&loan, columns), context)?;
    Ok(Opened { joint, noted, saying_more: more.rows, path })
}

/// What an audit shows.
pub fn figures(opened: &Opened) -> Result<Figures> {
    let mut figures = opened.joint.figures()?;
    figures.json.insert("texts_saying_more".into(), opened.saying_more.into());
    figures.json.insert("sha256".into(), opened.noted.table.source.sha256.clone().into());
    let named = figures.head.split_once('\n').map(|(_, rest)| rest.to_string());
    figures.head = format!(
        "file       {} ({} notes; columns and texts together)\n{}",
        opened.path,
        count(figures.rows),
        named.unwrap_or_default()
    );
    figures.tail += &format!(
        "text       {} of {} texts say something that their row doesn't\n",
        count(opened.saying_more),
        count(opened.noted.len() as u64)
    );
    Ok(figures)
}

/// Answer queries over the columns of a release.
pub fn query(request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
    let of_table = |job: &Job| {
        let mut table = job.of_table(&job.input.path, "", job.columns.clone());
        table.input = job.input.clone();
        table
    };
    let request = QueryRequest {
        job: of_table(&request.job),
        own_job: request.own_job.as_ref().map(of_table),
        manifest: request.manifest.clone(),
        queries: request.queries.clone(),
        original: request.original.as_ref().map(of_table),
    };
    Form::<Tables<'static>>::query(&GENERALIZED, &request, context)
}
