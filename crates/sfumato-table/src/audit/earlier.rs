//! Reads releases of the same people that were published before the one that is audited, by their
//! texts alone.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::chain::{Chain, Published};
use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Argument, Call};
use sfumato_core::traits::Requirement;
use sfumato_engine::ledger::Ledger;
use sfumato_engine::paths::resolve;

use super::{TableAuditRequest, job_of, read_columns};
use crate::job::{InputSpec, LedgerSpec};
use crate::over_time::people::name_people;
use crate::over_time::published::Who;
use crate::over_time::recall::{
    as_recorded, asked_joins, bind_about_earlier, meanings, noted_elsewhere, of_ledger, whole_file,
};
use crate::over_time::{Past, published};

/// The chain of the earlier releases and the one that was read.
pub(crate) fn chain(
    request: &TableAuditRequest,
    ledger: &LedgerSpec,
    (quasi, raw): (&[String], &RawTable),
    observer: &dyn Observer,
) -> Result<Chain> {
    let columns = (quasi, request.sensitive.as_slice());
    let subject = request.subject.as_deref();
    let (mut salt, mut own) = (None, None);
    let bound = request.models.iter().map(|model| bind_about_earlier(model));
    let bound: Vec<Box<dyn Requirement>> =
        bound.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let asked = asked_joins(bound.iter().map(|asked| asked.as_ref()));
    let whole =
        |path: &str, input: &InputSpec| whole_file(path, input, columns, Who::in_column(subject));
    let mut releases = match &ledger.path {
        Some(path) => {
            let opened = Ledger::open(Path::new(&resolve(&request.base, path)))?;
            salt = Some(opened.begun()?.salt.clone());
            let mut releases = match asked.is_empty() {
                true => of_ledger(&opened, quasi)?,
                false => as_recorded(&opened, quasi)?,
            };
            // A release that is recorded already isn't beside itself; the ledger knows who is who
            // in it.
            let sha256 = raw.source.sha256.as_str();
            let recorded = opened.releases();
            let is_own = |at: &usize| recorded[*at].files.iter().any(|file| file.sha256 == sha256);
            if let Some(at) = (0..recorded.len()).find(is_own) {
                own = Some(releases.remove(at));
            }
            releases
        }
        None => Vec::new(),
    };
    let recorded = releases.len();
    for path in &ledger.before {
        let input = InputSpec { path: resolve(&request.base, path), ..request.input.clone() };
        releases.push(match asked.is_empty() {
            true => read(request, &input, columns, observer)?,
            false => whole(&input.path, &input)?,
        });
    }
    let read = || match asked.is_empty() {
        true => published(raw, columns, Who::in_column(subject), &request.input.path),
        false => whole(&request.input.path, &request.input),
    };
    releases.push(own.map_or_else(read, Ok)?);
    if let Some(salt) = salt {
        // The ledger has names that only it can make.
        releases[recorded..].iter_mut().for_each(|release| name_people(release, &salt));
    }
    let named = placed(request);
    let meanings = meanings(&releases, &named)?;
    let first = releases.first().map_or(&[][..], |first| &first.columns);
    let elsewhere = noted_elsewhere(&releases, first, &named)?;
    Past { releases, meanings, asked, elsewhere, ..Past::default() }.chain()
}

/// The hierarchies with their paths from where the job is.
fn placed(request: &TableAuditRequest) -> Vec<(String, Call)> {
    let from_base = |(name, call): &(String, Call)| {
        let mut call = call.clone();
        if let Some(Argument::Word(path)) = call.args.get_mut("path") {
            *path = resolve(&request.base, path);
        }
        (name.clone(), call)
    };
    request.hierarchies.iter().map(from_base).collect()
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
    published(&raw, columns, Who::in_column(request.subject.as_deref()), &input.path)
}
