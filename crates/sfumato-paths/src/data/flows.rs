//! Flows: how many people began at a place and ended at another.

use std::collections::BTreeMap;

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::ReadOptions;

use super::PathData;
use super::read::Loaded;

/// Counts by origin and destination.
pub type Flows = BTreeMap<(String, String), u64>;

/// The matrix of some paths: each person counts once, from their first place to their last.
pub fn of_paths(data: &PathData) -> Flows {
    let name = |step: &u32| data.places[data.steps[*step as usize].place as usize].clone();
    let mut flows = Flows::new();
    for path in data.paths.iter() {
        if let (Some(first), Some(last)) = (path.first(), path.last()) {
            *flows.entry((name(first), name(last))).or_default() += 1;
        }
    }
    flows
}

/// Refuse records that aren't people, whom a count is about.
pub fn check(loaded: &Loaded) -> Result<()> {
    match loaded.tracks.as_ref().is_some_and(|tracks| tracks.is_cut) {
        true => Err(Error::unsupported("counts are of people, and tracks were cut into pieces")
            .hint("leave cut=.. and gap=.. away")),
        false => Ok(()),
    }
}

/// The columns of a release.
pub const COLUMNS: [&str; 3] = ["origin", "destination", "people"];

/// A matrix that was read from a file.
pub struct ReadFlows {
    /// The counts.
    pub flows: Flows,
    /// Whether rows are in the order of the names of places.
    pub in_order: bool,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Read a matrix from a file.
pub fn read(path: &str, options: &ReadOptions, observer: &dyn Observer) -> Result<ReadFlows> {
    let table = sfumato_io::read(path, options, &mut sfumato_io::select_all, observer)?;
    let column = |name: &str| {
        table.column(name).ok_or_else(|| {
            Error::input(format!("there is no column '{name}'"))
                .in_file(path)
                .hint("a matrix of flows has the columns origin, destination and people")
        })
    };
    let [from, to, people] = [column(COLUMNS[0])?, column(COLUMNS[1])?, column(COLUMNS[2])?];
    let mut flows = Flows::new();
    let mut in_order = true;
    for row in 0..table.n_rows {
        let text = |column: &sfumato_core::column::RawColumn| {
            column.values.get(column.codes.get(row)).to_string()
        };
        let n = text(people).trim().parse::<u64>().map_err(|_| {
            Error::input(format!("row {} has no count of people", row + 1)).in_file(path)
        })?;
        let pair = (text(from), text(to));
        in_order &= flows.last_key_value().is_none_or(|(last, _)| *last < pair);
        if flows.insert(pair, n).is_some() {
            let message = format!("row {} has a pair of places that was there before", row + 1);
            return Err(Error::input(message).in_file(path));
        }
    }
    let (sha256, bytes) = (table.source.sha256, table.source.bytes);
    Ok(ReadFlows { flows, in_order, sha256, bytes })
}
