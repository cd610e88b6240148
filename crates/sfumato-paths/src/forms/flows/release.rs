//! Writes a matrix of flows to a draft, and reads it back.

use sfumato_core::Result;
use sfumato_core::column::Codes;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::paths::resolve;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{ReadOptions, WriteColumn, WriteOptions, write_rows};

use super::FlowsForm;
use crate::data::flows::{COLUMNS, Flows, ReadFlows, of_paths, read};
use crate::data::read::Loaded;
use crate::forms::suppressed::publish::write_options;
use crate::forms::texts::Texts;
use crate::job::Job;
use crate::kind;

/// Write a matrix, in the order of the names of places.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    flows: &Flows,
    observer: &dyn Observer,
) -> Result<(Draft, WriteOptions)> {
    let destination = resolve(&job.base, &job.output.path);
    let options = write_options(loaded, &destination)?;
    let mut texts: [Texts; 3] = Default::default();
    for ((from, to), n) in flows {
        let cells = [from.clone(), to.clone(), n.to_string()];
        texts.iter_mut().zip(cells).for_each(|(texts, cell)| texts.push(cell));
    }
    let codes: Vec<Codes> = texts
        .iter()
        .map(|texts| Codes::from_iter(texts.values.len(), texts.codes.iter().copied()))
        .collect();
    let column = |at: usize| WriteColumn {
        name: COLUMNS[at],
        values: &texts[at].values,
        null: None,
        native_type: None,
        source: &codes[at],
    };
    let columns: Vec<WriteColumn<'_>> = (0..3).map(column).collect();
    let mut draft = Draft::file(&destination)?;
    draft.write(|file| write_rows(file, &columns, flows.len(), &options, observer))?;
    Ok((draft, options))
}

/// What the bytes of a draft say, after it was compared with the original.
pub struct Read {
    /// The published matrix.
    pub flows: Flows,
    /// The true one.
    pub original: Flows,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, kind::Paths, FlowsForm>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<Read> {
    let witness = written.witness;
    let options = ReadOptions {
        format: Some(witness.format),
        delimiter: Some(witness.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let ReadFlows { flows, in_order, sha256, bytes } =
        read(&path, &options, &observer).map_err(cant_read_back)?;
    if !in_order || flows != *written.decision() {
        return Err(failed_verification("the matrix isn't what was decided"));
    }
    let original = of_paths(&written.data.data);
    let plan = written.plan;
    if let Some(places) = &plan.places {
        let is_known = |place: &String| places.binary_search(place).is_ok();
        if !flows.keys().all(|(from, to)| is_known(from) && is_known(to)) {
            return Err(failed_verification("there is a place that isn't in the list"));
        }
    }
    if !plan.algorithm.is_random() {
        let is_true = |(pair, n): (&(String, String), &u64)| original.get(pair) == Some(n);
        if !flows.iter().all(is_true) {
            return Err(failed_verification("a count isn't that of the original"));
        }
        let k = plan.k.unwrap_or(1);
        let is_there = |(pair, n): (&(String, String), &u64)| *n < k || flows.contains_key(pair);
        if !original.iter().all(is_there) {
            return Err(failed_verification("a count that is large enough is missing"));
        }
    }
    Ok(Read { flows, original, sha256, bytes })
}
