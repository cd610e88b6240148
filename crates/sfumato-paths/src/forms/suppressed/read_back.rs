//! Reads a release of suppressed paths back from the bytes of its draft, and checks that it is
//! true: path i of the file is a part of the path of record `order[i]`, in its order, and its
//! sensitive values are that record's. Its promises are judged later, on what was read here.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::ReadOptions;

use super::Suppressed;
use crate::data::layout::Said;
use crate::data::read::{Beside, Loaded, load_as};
use crate::data::sequences::contains;
use crate::data::{PathData, Paths, SensitiveColumn, Step};
use crate::kind;

/// What the bytes of a draft say, after it was compared with the original.
pub struct Read {
    /// The published paths, in the codes of the original's steps.
    pub data: PathData,
    /// The number of paths of which nothing is left.
    pub emptied: u64,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, kind::Paths, Suppressed>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<Read> {
    let (original, witness) = (&written.data.data, written.witness);
    let release = &written.data.release;
    let options = match &witness.options {
        None => ReadOptions::default(),
        Some(options) => ReadOptions {
            format: Some(options.format),
            delimiter: Some(options.delimiter),
            header: Some(true),
            ..ReadOptions::default()
        },
    };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let said = Said { layout: release.layout.clone(), dropped: Vec::new() };
    let names = |columns: &[SensitiveColumn]| columns.iter().map(|one| one.name.clone()).collect();
    let beside = Beside { sensitive: names(&original.sensitive), quasi: names(&original.quasi) };
    let read = load_as(&path, &said, &beside, &options, &observer).map_err(cant_read_back)?;
    let (sha256, bytes) = (read.source.sha256.clone(), read.source.bytes);
    let data = compare(original, read, &witness.order, &written.decision().paths)?;
    let had = |record: &usize| !original.paths.get(*record).is_empty();
    let emptied = ((0..original.paths.len()).filter(had).count() - data.paths.len()) as u64;
    if let Some(most) = written.plan.max_empty.filter(|most| emptied > *most) {
        return Err(Error::infeasible(format!(
            "nothing would be left of {emptied} paths, and {most} may be suppressed"
        ))
        .hint("allow more with --max-suppression, or ask for a smaller k or l"));
    }
    Ok(Read { data, emptied, sha256, bytes })
}

/// Compare what was read with the original and with what was decided.
fn compare(original: &PathData, read: Loaded, order: &[u32], decided: &Paths) -> Result<PathData> {
    if read.data.paths.len() != order.len() {
        return Err(failed_verification(&format!(
            "{} paths were published and {} are in the file",
            order.len(),
            read.data.paths.len()
        )));
    }
    if !read.in_order || !read.is_numbered || read.repeated > 0 {
        return Err(failed_verification("rows aren't in the order in which they were written"));
    }
    let code_of = codes(original, &read.data)?;
    let mut paths = Paths::new();
    for (row, record) in order.iter().enumerate() {
        let record = *record as usize;
        let published: Vec<u32> =
            read.data.paths.get(row).iter().map(|step| code_of[*step as usize]).collect();
        if !contains(original.paths.get(record), &published) {
            let what = format!("path {} isn't a part of its record's path", row + 1);
            return Err(failed_verification(&what));
        }
        if published != decided.get(record) {
            let what = format!("path {} isn't what was decided about its record", row + 1);
            return Err(failed_verification(&what));
        }
        paths.push(published);
    }
    let columns = |original: &[SensitiveColumn], read: &[SensitiveColumn]| {
        if original.len() != read.len() {
            return Err(failed_verification("a column beside the paths is missing"));
        }
        let pairs = original.iter().zip(read);
        pairs.map(|(original, read)| same_values(original, read, order)).collect::<Result<Vec<_>>>()
    };
    let sensitive = columns(&original.sensitive, &read.data.sensitive)?;
    let quasi = columns(&original.quasi, &read.data.quasi)?;
    Ok(PathData {
        places: original.places.clone(),
        times: original.times.clone(),
        steps: original.steps.clone(),
        paths,
        sensitive,
        quasi,
    })
}

/// The step of the original that each step of the file is, by the names of its place and time.
pub(super) fn codes(original: &PathData, read: &PathData) -> Result<Vec<u32>> {
    let by_name =
        |names: &[String]| -> FastMap<String, u32> { names.iter().cloned().zip(0..).collect() };
    let (places, times) = (by_name(&original.places), by_name(&original.times));
    let code = |step: &Step| {
        let place = places.get(&read.places[step.place as usize])?;
        let time = match read.times.get(step.time as usize) {
            Some(time) => *times.get(time)?,
            None => 0,
        };
        original.steps.binary_search(&Step { time, place: *place }).ok().map(|code| code as u32)
    };
    let no_step = || failed_verification("there is a point that no path of the original has");
    read.steps.iter().map(|step| code(step).ok_or_else(no_step)).collect()
}

/// A column beside the paths in the codes of the original, if every value is its record's.
fn same_values(
    original: &SensitiveColumn,
    read: &SensitiveColumn,
    order: &[u32],
) -> Result<SensitiveColumn> {
    let mut of_record = Vec::with_capacity(order.len());
    for (row, record) in order.iter().enumerate() {
        let own = original.of_record[*record as usize];
        if read.values[read.of_record[row] as usize] != original.values[own as usize] {
            return Err(failed_verification(&format!(
                "a value beside path {} isn't that of its record",
                row + 1
            )));
        }
        of_record.push(own);
    }
    Ok(SensitiveColumn { of_record, ..original.clone() })
}
