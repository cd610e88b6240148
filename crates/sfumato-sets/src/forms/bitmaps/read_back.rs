//! Reads a bitmap release back from the bytes of its draft, and checks that it is true: the record
//! that a row stands for is one of the row's possible worlds, the row has that record's sensitive
//! items, and each record is a possible world of the rows that it should match. Only the graph of
//! matches is taken from the algorithm, and every edge of it is checked.

use rayon::prelude::*;
use sfumato_core::column::Provenance;
use sfumato_core::matches::Matches;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Result, with_sets};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::verify::{cant_read_back, failed_verification};

use super::publish::Witness;
use super::read::{Files, Release, read_files};
use crate::data::Bitmaps;
use crate::data::layout::spell;
use crate::kind::Baskets;

/// What the bytes of a draft say, after it was compared with the original.
pub struct BitmapRead {
    /// The content of the files, with the record that each row stands for.
    pub bitmaps: Bitmaps,
    /// The sensitive items of each row, if there are any.
    pub sensitive: Option<Transactions>,
    /// The files of base and distance sets.
    pub sources: [Provenance; 2],
    /// The SHA-256 hash of both files.
    pub sha256: String,
    /// The number of bytes of both files.
    pub bytes: u64,
    /// The number of items of base and distance sets that were read back.
    pub instances: u64,
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, Baskets, super::Bitmaps>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<BitmapRead> {
    let Witness { names: [base, distance], layout } = written.witness;
    let original = &written.data.baskets;
    let observer = Renamed { step: "verify", inner: observer };
    let sensitive = original.items.sensitive_names();
    let files =
        Files { folder: draft.path()?, names: [base, distance], layout, sensitive: &sensitive };
    let release =
        read_files(&files, Some(&original.items.names), &observer).map_err(cant_read_back)?;
    if release.bitmaps.len() != original.quasi.len() {
        return Err(failed_verification("there aren't as many rows as records"));
    }
    let label_of = &written.decision().bitmaps.label_of;
    check_truth(&release, original.sensitive.as_ref(), &original.quasi, label_of)?;
    check_matches(&release.bitmaps, &original.quasi, &written.decision().matches, label_of)?;
    let Release { bitmaps, sensitive, sources, .. } = release;
    Ok(BitmapRead {
        sha256: format!("{} {}", sources[0].sha256, sources[1].sha256),
        bytes: sources[0].bytes + sources[1].bytes,
        instances: bitmaps.base.n_instances() + bitmaps.distance.n_instances(),
        bitmaps: Bitmaps { label_of: label_of.clone(), ..bitmaps },
        sensitive,
        sources,
    })
}

/// What the manifest says about a release.
pub fn describe(written: &Written<'_, Baskets, super::Bitmaps>, read: &BitmapRead) -> Described {
    let rows = read.bitmaps.len() as u64;
    let Witness { names, layout } = written.witness;
    let file = |holds: &str, at: usize| ManifestFile {
        path: names[at].clone(),
        holds: holds.into(),
        column: None,
        rows,
        sha256: read.sources[at].sha256.clone(),
    };
    let mut details = toml::Table::new();
    details.insert("layout".into(), spell(layout).into());
    details.insert("sensitive".into(), written.data.baskets.items.sensitive_names().into());
    Described { rows, details, files: vec![file("base", 0), file("distance", 1)] }
}

/// Check that every row admits its record, and has its record's sensitive items.
fn check_truth(
    release: &Release,
    sensitive: Option<&Transactions>,
    original: &Transactions,
    label_of: &[u32],
) -> Result<()> {
    let bitmaps = &release.bitmaps;
    let untrue = with_sets!(original, sets => (0..bitmaps.len())
        .into_par_iter()
        .find_first(|row| !bitmaps.admits(*row, sets.get(label_of[*row] as usize))));
    if let Some(row) = untrue {
        return Err(failed_verification(&format!(
            "the record of row {} isn't one of its possible worlds",
            row + 1
        )));
    }
    let other = match (sensitive, &release.sensitive) {
        (None, None) => None,
        (Some(truth), Some(read)) => (0..bitmaps.len())
            .into_par_iter()
            .find_first(|row| read.set(*row) != truth.set(label_of[*row] as usize)),
        _ => Some(0),
    };
    match other {
        Some(row) => Err(failed_verification(&format!(
            "the sensitive items of row {} aren't those of its record",
            row + 1
        ))),
        None => Ok(()),
    }
}

/// Check that every match is a possible world, and that the true row is a match.
fn check_matches(
    bitmaps: &Bitmaps,
    original: &Transactions,
    matches: &Matches,
    label_of: &[u32],
) -> Result<()> {
    let mut row_of = vec![0; label_of.len()];
    label_of.iter().zip(0..).for_each(|(record, row)| row_of[*record as usize] = row);
    let records = (0..matches.len()).into_par_iter();
    let wrong = with_sets!(original, sets => records.find_first(|record| {
        let rows = matches.of(*record);
        !rows.contains(&row_of[*record])
            || rows.iter().any(|row| !bitmaps.admits(*row as usize, sets.get(*record)))
    }));
    match wrong {
        Some(record) => Err(failed_verification(&format!(
            "a match of record {} isn't one in the written files",
            record + 1
        ))),
        None => Ok(()),
    }
}
