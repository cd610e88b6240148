//! Reads releases of the same people that were published before the one that is audited, by their
//! texts alone.

use std::path::Path;

use sfumato_core::chain::{Chain, Published};
use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::ledger::Ledger;
use sfumato_engine::paths::resolve;

use super::{TableAuditRequest, job_of, read_columns};
use crate::job::{InputSpec, LedgerSpec};
use crate::over_time::recall::{meanings, of_ledger};
use crate::over_time::{Past, published};

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
    let meanings = meanings(&releases, &request.hierarchies)?;
    Past { meanings, releases }.chain()
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
