//! Reads releases of the same people that were published before the one that is audited, by their
//! texts alone.

use std::path::Path;

use sfumato_core::chain::{Chain, Published};
use sfumato_core::column::RawTable;
use sfumato_core::dataset::Domain;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::ledger::Ledger;
use sfumato_engine::paths::resolve;

use super::{TableAuditRequest, hierarchy_of, job_of, read_columns};
use crate::data::encode::build_levels;
use crate::job::{InputSpec, Job, LedgerSpec};
use crate::over_time::cells::Labels;
use crate::over_time::recall::{noted_meanings, of_ledger};
use crate::over_time::{Meaning, Past, published};

/// The chain of the earlier releases and the one that was read.
pub(super) fn chain(
    request: &TableAuditRequest,
    ledger: &LedgerSpec,
    (quasi, raw): (&[String], &RawTable),
    observer: &dyn Observer,
) -> Result<Chain> {
    let columns = (quasi, request.sensitive.as_slice());
    let subject = request.subject.as_deref();
    let mut releases = match &ledger.path {
        Some(path) => {
            let opened = Ledger::open(Path::new(&resolve(&request.base, path)))?;
            let mut releases = of_ledger(&opened, quasi)?;
            // A release that is recorded already isn't beside itself.
            let own = raw.source.sha256.as_str();
            let mut recorded = opened.releases().into_iter();
            releases.retain(|_| {
                let files = recorded.next().map_or(&[][..], |recorded| &recorded.files);
                files.iter().all(|file| file.sha256 != own)
            });
            releases
        }
        None => Vec::new(),
    };
    for path in &ledger.before {
        let input = InputSpec { path: resolve(&request.base, path), ..request.input.clone() };
        releases.push(read(request, &input, columns, observer)?);
    }
    releases.push(published(raw, columns, subject, &request.input.path)?);
    let noted = noted_meanings(&releases);
    let meaning = |(name, noted): (&String, Meaning)| meaning(request, name, noted);
    let meanings = quasi.iter().zip(noted).map(meaning).collect::<Result<_>>()?;
    Past { releases, meanings }.chain()
}

fn read(
    request: &TableAuditRequest,
    input: &InputSpec,
    columns: (&[String], &[String]),
    observer: &dyn Observer,
) -> Result<Published> {
    let own = TableAuditRequest {
        input: input.clone(),
        original: None,
        pseudonyms: Vec::new(),
        ..request.clone()
    };
    let mut job = job_of(&own, input);
    let raw = read_columns(&mut job, observer)
        .map_err(|error| match error.place.file {
            Some(_) => error,
            None => error.in_file(&input.path),
        })?
        .raw;
    published(&raw, columns, request.subject.as_deref(), &input.path)
}

/// What the texts of a column mean: the labels of its hierarchy, where one is named that has labels
/// of its own, or what they say themselves.
fn meaning(request: &TableAuditRequest, name: &str, noted: Meaning) -> Result<Meaning> {
    let Some(call) = hierarchy_of(request, name) else { return Ok(noted) };
    let none: [&str; 0] = [];
    let built =
        build_levels(&Job::default(), &call, &Domain::of_texts(none), &[]).map_err(|error| {
            Error { message: format!("column '{name}': {}", error.message), ..error }
        })?;
    match built.levels.n_leaves() {
        // Made from values: its labels are ranges or masks, which say what they mean, or noted.
        0 => Ok(noted),
        _ => Ok(Meaning::Labels(Labels::of_levels(&built.levels))),
    }
}
