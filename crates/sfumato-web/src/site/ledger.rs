//! The ledgers of the folder: which there are, what was published of the same people, and whether
//! it holds together. Nothing is recorded here: a run that names a ledger does that.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::ledger::{Entry, Ledger, Recorded, RecordedFile};
use sfumato_engine::reports::shown_guarantee;
use sfumato_table::over_time::judge;

use super::answer::{self, Answer, json_with};
use super::errors::Failure;
use super::files::each_file;
use super::preview::aside;
use super::{Site, body};

/// The largest ledger that is shown.
const LARGEST: u64 = 256 << 20;
/// How many of its lines are told one by one.
const MOST_LINES: usize = 500;

/// `GET /api/v1/ledgers`
pub(crate) async fn list(State(site): State<Arc<Site>>) -> Answer {
    let mut found = Vec::new();
    each_file(&site, |path, shown| {
        if begins_a_ledger(path) {
            found.push(shown.to_string());
        }
    });
    found.sort();
    answer::json(&json!({ "ledgers": found }))
}

/// Whether a file begins as a ledger does: a hash, and the entry that begins it.
fn begins_a_ledger(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    let mut head = Vec::new();
    let is_read = file.take(100).read_to_end(&mut head).is_ok();
    let Some((hash, rest)) = head.split_at_checked(64).filter(|_| is_read) else { return false };
    hash.iter().all(u8::is_ascii_hexdigit) && rest.starts_with(b" {\"entry\":\"begin\"")
}

/// `POST /api/v1/ledgers`: begin one. One that is there is never written over.
pub(crate) async fn begin(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let failed = |error: Error| Failure::of_core(error, &site.folder);
    let name = body::text(&request, "path")?;
    let path = site.folder.below(name).map_err(failed)?;
    if name.split('/').any(|part| part.starts_with('.')) {
        return Err(Failure::wrong("a ledger can't have this name", "take another"));
    }
    // As the pipeline names them.
    let named = |model: &String| -> Result<String> {
        let call: Call = model.parse()?;
        let info = sfumato_table::models::find(&call.name)?.info();
        Ok(Params::check(info, &call.args)?.describe())
    };
    let models = texts(&request, "models");
    let models = models.iter().map(named).collect::<Result<Vec<_>>>().map_err(failed)?;
    if path.exists() {
        let message = "there is already a file of this name";
        return Err(Failure::new(StatusCode::CONFLICT, "parameters", 2, message, "take another"));
    }
    Ledger::create(&path, models).map_err(failed)?;
    Ok(json_with(StatusCode::CREATED, &json!({ "path": name })))
}

/// `POST /api/v1/ledger`: the chain of a ledger, and whether its releases hold together.
pub(crate) async fn look(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let name = body::text(&request, "path")?.to_string();
    let more = texts(&request, "models");
    let found = aside(&site, move |site| shown(site, &name, &more)).await?;
    answer::json(&found)
}

fn texts(request: &Value, key: &str) -> Vec<String> {
    let list = request.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|text| Some(text.as_str()?.trim().to_string())).collect()
}

fn shown(site: &Site, name: &str, more: &[String]) -> Result<Value> {
    let path = site.folder.below(name)?;
    let bytes = path.metadata().map(|about| about.len()).unwrap_or_default();
    if bytes > LARGEST {
        return Err(Error::resources("this ledger is too large to be shown here")
            .in_file(name)
            .hint("'sfumato ledger check' reads it on the command line"));
    }
    let ledger = Ledger::open(&path)?;
    refuse_outside(site, &ledger, name)?;
    let guarantees = judge(&ledger, more, &[])?;
    let holds = guarantees.iter().all(|found| found.holds);
    let judged: Vec<_> = guarantees
        .iter()
        .map(|found| shown_guarantee(found, "judged on what the ledger recorded"))
        .collect();
    let releases: Vec<Value> =
        ledger.releases().into_iter().map(|recorded| release(site, &ledger, recorded)).collect();
    let begun = ledger.begun()?;
    let entries = ledger.entries();
    let last = entries.len().saturating_sub(MOST_LINES);
    Ok(json!({
        "path": name,
        "begun": begun.at,
        "models": begun.models,
        "lines": entries[last..].iter().map(|entry| line(site, entry)).collect::<Vec<_>>(),
        "n_lines": entries.len(),
        "head": ledger.head(),
        "releases": releases,
        "faults": ledger.faults().iter().map(|fault| fault.words()).collect::<Vec<_>>(),
        "guarantees": judged,
        "holds": holds,
    }))
}

/// Refuse a ledger whose last release was announced outside the folder and not confirmed: what came
/// of it can't be told without looking there.
fn refuse_outside(site: &Site, ledger: &Ledger, name: &str) -> Result<()> {
    match ledger.entries().last() {
        Some(Entry::Intent(recorded)) if !is_inside(site, recorded) => {
            let message = "a release was announced outside the folder, and isn't confirmed";
            Err(Error::params(message)
                .in_file(name)
                .hint("'sfumato ledger show' looks there, on the command line"))
        }
        _ => Ok(()),
    }
}

/// Whether a release is below the folder, with all its files; others aren't looked at.
fn is_inside(site: &Site, recorded: &Recorded) -> bool {
    let place = Path::new(&recorded.path);
    let relative = place.strip_prefix(site.folder.root()).ok().and_then(Path::to_str);
    relative.is_some_and(|name| {
        let is_file_inside =
            |file: &RecordedFile| site.folder.below(&format!("{name}/{}", file.path)).is_ok();
        site.folder.below(name).is_ok()
            && (!place.is_dir() || recorded.files.iter().all(is_file_inside))
    })
}

fn release(site: &Site, ledger: &Ledger, recorded: &Recorded) -> Value {
    let files = match is_inside(site, recorded) {
        false => "outside",
        true if ledger.is_published(recorded) => "there",
        true => "changed",
    };
    let classes = recorded.facts.get("classes").and_then(Value::as_array).map(Vec::len);
    json!({
        "at": recorded.at,
        "path": site.folder.shorten(&recorded.path),
        "form": recorded.form,
        "rows": recorded.rows,
        "classes": classes,
        "models": recorded.models,
        "recipient": recorded.recipient,
        "files": files,
    })
}

fn line(site: &Site, entry: &Entry) -> Value {
    let of = |what: &str, at: &str, path: Option<&str>| {
        let path = path.map(|path| site.folder.shorten(path));
        json!({ "what": what, "at": at, "path": path })
    };
    match entry {
        Entry::Begin(begun) => of("begin", &begun.at, None),
        Entry::Intent(recorded) => of("intent", &recorded.at, Some(&recorded.path)),
        Entry::Done { at, recovered: false } => of("done", at, None),
        Entry::Done { at, recovered: true } => of("done-recovered", at, None),
        Entry::Void { at, recovered: false } => of("void", at, None),
        Entry::Void { at, recovered: true } => of("void-recovered", at, None),
        Entry::NewChain { at } => of("new-chain", at, None),
    }
}
