//! Audits mixed records, whoever made the file: items count within the class of their row.

use std::fmt::Write as _;

use serde::Serialize;
use sfumato_core::dataset::Role;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::form::Form;
use sfumato_engine::manifest::Manifest;
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_io::Loan;
use sfumato_report::numbers::count;
use sfumato_sets::data::{ItemRole, Items};
use sfumato_table::job::ColumnSpec;
use sfumato_table::kind::Tables;
use sfumato_table::sealed::lend;

use super::judged::{GENERALIZED, Judged};
use super::promises::bind_both;
use crate::data::{RawRecords, Units, read_raw};
use crate::job::{Job, split_models};

/// How many rows of a failing combination are named.
const ROWS: usize = 20;

/// A file that was opened.
pub struct Opened {
    /// What is judged.
    pub judged: Judged,
    names: Vec<String>,
    secret: Vec<String>,
    models: Vec<String>,
    sha256: String,
    path: String,
}

/// The smallest combination that breaks a promise, for whoever audits the file.
#[derive(Serialize)]
struct Failing {
    model: String,
    items: Vec<String>,
    support: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<(String, u64)>,
    rows: Vec<u64>,
}

/// What the flags don't say, the manifest may say.
pub fn said(mut job: Job, manifest: Option<&Manifest>) -> Result<Job> {
    let Some(manifest) = manifest else { return Ok(job) };
    if !job.baskets.says_layout() {
        job.baskets.layout = manifest.detail("layout")?.to_string();
    }
    if job.mixed.separator.is_none() {
        job.mixed.separator = manifest.detail("separator").ok().map(String::from);
    }
    if job.baskets.sensitive.is_empty() {
        job.baskets.sensitive = manifest.details_of("sensitive_items");
    }
    if job.columns.0.is_empty() {
        for (detail, role) in [("quasi", Role::Quasi), ("sensitive", Role::Sensitive)] {
            let names = manifest.details_of(detail).into_iter();
            job.columns.0.extend(names.map(|name| (name, ColumnSpec::of_role(role))));
        }
    }
    Ok(job)
}

/// Read a file as its job describes it.
pub fn raw_of(job: &Job, context: &Context<'_>) -> Result<(RawRecords, String)> {
    let path = resolve(&job.base, &job.input.path);
    let options = crate::data::options(job, &path)?;
    let items = (&job.items_column()?[..], job.separator()?);
    Ok((read_raw(&path, &options, items, &job.input.missing, context.observer)?, path))
}

/// Open a file.
pub fn open(request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
    let job = said(request.job.clone(), request.manifest.as_ref())?;
    let (raw, path) = raw_of(&job, context)?;
    let sha256 = raw.table.source.sha256.clone();
    if let Some(manifest) = &request.manifest
        && manifest.files.iter().any(|file| file.sha256 != sha256)
    {
        return Err(Error::input("this isn't the file that the manifest beside it describes")
            .in_file(path)
            .hint("it was changed after it was written, or the manifest is another's"));
    }
    let mut items = Items::named(raw.names.clone());
    for name in &job.baskets.sensitive {
        // All rows with a sensitive item may have been left out.
        if let Some(item) = items.names.iter().position(|known| known == name) {
            items.roles[item] = ItemRole::Sensitive;
        }
    }
    let units = Units::of(&items, None);
    let rows = units.split(&raw.names, &raw.sets)?;
    let lent = original_table(request, context)?;
    let original = lent.as_ref().map(|(_, job)| job.clone());
    let judged = Judged::of(&job, &raw.table, rows, original, context)?;
    let (names, secret) = (units.names.clone(), units.sensitive_names().to_vec());
    let models = job.privacy.models.clone();
    Ok(Opened { judged, names, secret, models, sha256, path })
}

/// The columns of the original, lent.
fn original_table(
    request: &AuditRequest<Job>,
    context: &Context<'_>,
) -> Result<Option<(Loan, sfumato_table::Job)>> {
    let Some(original) = &request.original else { return Ok(None) };
    let original = said(original.clone(), request.manifest.as_ref())?;
    Ok(Some(lent_table(&original, context)?))
}

/// The columns of a file without its items, lent as a table, with the job that reads it.
pub fn lent_table(job: &Job, context: &Context<'_>) -> Result<(Loan, sfumato_table::Job)> {
    let (raw, _) = raw_of(job, context)?;
    let columns: Vec<_> = raw.table.columns.iter().collect();
    let loan = lend(&columns, raw.table.n_rows)?;
    let of_table = job.of_table(loan.name(), Vec::new());
    Ok((loan, of_table))
}

fn failing(opened: &Opened) -> Result<Vec<Failing>> {
    let mut all = Vec::new();
    for requirement in &bind_both(&split_models(&opened.models)?.1)?.all {
        let Some(asked) = requirement.combinations()? else { continue };
        let Some((rows, found)) = opened.judged.failing(&asked)? else { continue };
        let private = found.private.filter(|_| asked.most.is_some());
        all.push(Failing {
            model: requirement.describe(),
            items: found.items.iter().map(|item| opened.names[*item as usize].clone()).collect(),
            support: found.support,
            private: private.map(|(item, n)| (opened.secret[item as usize].clone(), n)),
            rows: rows.iter().take(ROWS).map(|row| u64::from(*row) + 1).collect(),
        });
    }
    Ok(all)
}

/// What an audit shows.
pub fn figures(opened: &Opened) -> Result<Figures> {
    let mut figures = opened.judged.columns.figures()?;
    let failing = failing(opened)?;
    let shown = serde_json::to_value(&failing)
        .map_err(|error| Error::internal(format!("figures can't be shown: {error}")))?;
    if !failing.is_empty() {
        figures.json.insert("failing_items".into(), shown);
    }
    let instances = opened.judged.rows.units.n_instances();
    figures.json.insert("instances".into(), instances.into());
    figures.json.insert("sha256".into(), opened.sha256.clone().into());
    let rest = figures.head.split_once('\n').map(|(_, rest)| rest.to_string());
    figures.head = format!(
        "file       {} ({} mixed records with {} items; classes are those of columns)\n{}",
        opened.path,
        count(figures.rows),
        count(instances),
        rest.unwrap_or_default()
    );
    for Failing { model, items, support, private, rows } in &failing {
        let items = if items.is_empty() { "columns alone".into() } else { items.join(", ") };
        let rows: Vec<String> = rows.iter().map(u64::to_string).collect();
        let (tail, n) = (&mut figures.tail, count(*support));
        let _ = writeln!(tail, "fails      {model}: {items}");
        let _ = writeln!(tail, "           in {n} records of a class: rows {}", rows.join(", "));
        if let Some((item, n)) = private {
            let _ = writeln!(tail, "           {} of them have {item}", count(*n));
        }
    }
    Ok(figures)
}

/// Answer queries over the columns of a release.
pub fn query(request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
    let job = said(request.job.clone(), request.manifest.as_ref())?;
    let (_lent, of_release) = lent_table(&job, context)?;
    let original = match &request.original {
        None => None,
        Some(original) => {
            Some(lent_table(&said(original.clone(), request.manifest.as_ref())?, context)?)
        }
    };
    let request = QueryRequest {
        job: of_release,
        own_job: request.own_job.as_ref().map(|job| job.of_table("", Vec::new())),
        // The hash of its file isn't that of the columns alone.
        manifest: None,
        queries: request.queries.clone(),
        original: original.as_ref().map(|(_, job)| job.clone()),
    };
    let mut answers = Form::<Tables<'static>>::query(&GENERALIZED, &request, context)?;
    answers.path = job.input.path.clone();
    Ok(answers)
}
