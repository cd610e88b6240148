//! What the forms share that publish whole values, and no sets of them: perturbed values, made-up
//! records and tables of cells. They are written, described, reported and foreseen alike.

use sfumato_core::Result;
use sfumato_core::column::Provenance;
use sfumato_core::dataset::Table;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::exec::Records;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::kind::Kind as _;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::reports::params_json;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_io::write_rows;
use sfumato_report as shown;

use crate::data::encode::Encoded;
use crate::forms::column_details;
use crate::forms::generalized::apply::{Layout, open, publish_unchanged, write_columns};
use crate::forms::perturbed::ReadValues;
use crate::job::Job;
use crate::kind::{TableData, Tables};

/// Write the published columns of a table as they are.
pub(super) fn write(
    job: &Job,
    table: &Table,
    source: &Provenance,
    observer: &dyn Observer,
) -> Result<(Draft, Layout)> {
    let n_rows = table.n_rows;
    let (mut draft, options) = open(job, source)?;
    let format = options.format;
    let rendered: Vec<_> =
        table.published().map(|column| publish_unchanged(column, format)).collect();
    let columns = write_columns(&rendered);
    draft.write(|file| write_rows(file, &columns, n_rows, &options, observer))?;
    Ok((draft, Layout { n_rows, options }))
}

/// What the manifest says of the file.
pub(super) fn describe(job: &Job, read: &ReadValues) -> Described {
    let file = ManifestFile {
        holds: "rows".into(),
        rows: read.rows,
        sha256: read.sha256.clone(),
        ..ManifestFile::default()
    };
    Described { rows: read.rows, details: column_details(job), files: vec![file] }
}

/// The sections of the report that are about the file, and the one about the algorithm.
pub(super) fn report(
    encoded: &Encoded,
    (info, params): (&Info, &Params),
    details: serde_json::Value,
    read: &ReadValues,
) -> shown::Report {
    shown::Report {
        input: shown::Input {
            format: encoded.source.format.clone(),
            rows: encoded.table.n_rows as u64,
            columns: encoded.header.len() as u64,
            bytes: encoded.source.bytes,
            sha256: encoded.source.sha256.clone(),
            ..shown::Input::default()
        },
        algorithm: shown::Algorithm {
            name: info.name.into(),
            params: params_json(params),
            details,
        },
        suppressed: shown::Suppressed::new(0, 0, read.rows),
        evidence: shown::Evidence {
            rows: read.rows,
            cells: read.cells,
            ..shown::Evidence::default()
        },
        output: Some(shown::Output {
            rows: read.rows,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    }
}

/// What a form says of its plan, of the data that were read for it.
pub(super) struct Foreseen {
    pub(super) publishes: String,
    pub(super) call: String,
    pub(super) summary: String,
    pub(super) suppresses: &'static str,
    /// What memory holds beside the codes, such as "twice".
    pub(super) beside: &'static str,
}

/// The facts of a plan: the file is read, and `foresee` plans by what it holds.
pub(super) fn explain(
    job: &Job,
    context: &Context<'_>,
    foresee: impl FnOnce(&TableData) -> Result<Foreseen>,
) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let data = Tables { saved: None }.read(job, Records::AtOnce, context)?;
    let read_ms = clock.lap();
    let Foreseen { publishes, call, summary, suppresses, beside } = foresee(&data)?;
    let (table, source) = (&data.encoded.table, &data.encoded.source);
    Ok(PlanFacts {
        read: ReadFacts {
            records: table.n_rows as u64,
            called: "rows",
            bytes: source.bytes,
            ..ReadFacts::default()
        },
        requires: Vec::new(),
        publishes: vec![publishes],
        algorithm: AlgorithmFacts { call, summary, ..AlgorithmFacts::default() },
        suppresses: suppresses.into(),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::unknown(format!(
            "{} of codes, {beside}",
            shown::numbers::bytes(table.code_bytes() as u64)
        )),
        time: only_reading(read_ms),
        disk: None,
    })
}
