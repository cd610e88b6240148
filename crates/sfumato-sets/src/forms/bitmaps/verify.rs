//! Verifies a bitmap release: reads both files back and checks two things.
//!
//! Truth: the record that a row stands for is one of the row's possible worlds, and the row has that record's sensitive items. Privacy: each
//! record is a possible world of the k rows that it is said to match, each row is matched by k records, and where labels must differ,
//! those of a record's rows do. A graph in which everybody has k edges has k disjoint assignments (Koenig). Nothing is
//! taken from the algorithm but that graph, and every edge of it is looked at.

use rayon::prelude::*;
use sfumato_core::matches::Matches;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::sets::{BitmapDecision, Bitmaps, Hiding, Transactions};
use sfumato_core::{Result, with_sets};
use sfumato_io::{AtomicFolder, BasketForm, MANIFEST, Manifest, ManifestFile};

use crate::data::layout as form;
use crate::data::read::Loaded;
use crate::forms::subsets::verify::SetGuarantee;
use sfumato_engine::verify::lie;

use super::files::labels;
use super::plan::BitmapPlan;
use super::publish::BitmapCandidate;
use super::read::{Files, Release, read_files};

/// A release that was checked. Only [`verify`] makes one.
pub struct BitmapVerified {
    folder: AtomicFolder,
    /// What was asked and what was reached.
    pub guarantees: Vec<SetGuarantee>,
    /// What the files say, with the record that each row stands for.
    pub bitmaps: Bitmaps,
    /// How base sets lie in their file.
    pub form: BasketForm,
    /// SHA-256 of both files.
    pub sha256: String,
    /// Their bytes.
    pub bytes: u64,
    /// Items of base and distance sets that were read back.
    pub instances: u64,
}

impl BitmapVerified {
    /// The folder, to be given its name.
    pub fn into_folder(self) -> AtomicFolder {
        self.folder
    }
}

/// Check what was written.
pub fn verify(
    plan: &BitmapPlan,
    loaded: &Loaded,
    decision: &BitmapDecision,
    candidate: BitmapCandidate,
    observer: &dyn Observer,
) -> Result<BitmapVerified> {
    let BitmapCandidate { folder, names, form } = candidate;
    let original = &loaded.baskets;
    let observer = Renamed { step: "verify", inner: observer };
    let sensitive = original.items.sensitive_names();
    let [base, distance] = &names;
    let files = Files { folder: folder.path(), names: [base, distance], form: &form, sensitive: &sensitive };
    let release =
        read_files(&files, Some(&original.items.names), &observer).map_err(|error| lie(&error.message))?;
    if release.bitmaps.len() != original.quasi.len() {
        return Err(lie("there aren't as many rows as records"));
    }
    let label_of = &decision.bitmaps.label_of;
    check_truth(&release, original.sensitive.as_ref(), &original.quasi, label_of)?;
    check_matches(&release.bitmaps, &original.quasi, &decision.matches, label_of)?;
    let least_labels = match plan.labels {
        None => None,
        Some(_) => Some(least_labels(&release, &decision.matches)?),
    };
    let m = decision.matches.m() as u64;
    let mut guarantees = Vec::new();
    for requirement in &plan.requirements.all {
        for (hiding, required) in requirement.asks() {
            let achieved = match hiding {
                Hiding::Labels => least_labels.unwrap_or(0),
                _ => m,
            };
            if achieved < required {
                return Err(lie(&format!(
                    "{} doesn't hold in the written files: {} are {achieved}, required {required}",
                    requirement.describe(),
                    hiding.describe()
                )));
            }
            guarantees.push(SetGuarantee {
                model: requirement.model(),
                requirement: requirement.describe(),
                hiding,
                required,
                achieved,
                violations: 0,
            });
        }
    }
    folder.write_text(MANIFEST, &manifest(&release, &form, &names, sensitive).to_json())?;
    let Release { bitmaps, sources: [base, distance], .. } = release;
    let instances = bitmaps.base.n_instances() + bitmaps.distance.n_instances();
    Ok(BitmapVerified {
        folder,
        guarantees,
        bitmaps: Bitmaps { label_of: label_of.clone(), ..bitmaps },
        form,
        sha256: format!("{} {}", base.sha256, distance.sha256),
        bytes: base.bytes + distance.bytes,
        instances,
    })
}

/// That every row has a world that is its record, and its record's sensitive items.
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
        return Err(lie(&format!("the record of row {} isn't one of its possible worlds", row + 1)));
    }
    let other = match (sensitive, &release.sensitive) {
        (None, None) => None,
        (Some(truth), Some(read)) => (0..bitmaps.len())
            .into_par_iter()
            .find_first(|row| read.set(*row) != truth.set(label_of[*row] as usize)),
        _ => Some(0),
    };
    match other {
        Some(row) => Err(lie(&format!("the sensitive items of row {} aren't those of its record", row + 1))),
        None => Ok(()),
    }
}

/// That every match is among the possible worlds, and that the true one is a match.
fn check_matches(
    bitmaps: &Bitmaps,
    original: &Transactions,
    matches: &Matches,
    label_of: &[u32],
) -> Result<()> {
    let mut row_of = vec![0; label_of.len()];
    label_of.iter().zip(0..).for_each(|(record, row)| row_of[*record as usize] = row);
    let wrong = with_sets!(original, sets => (0..matches.len()).into_par_iter().find_first(|record| {
        let rows = matches.of(*record);
        !rows.contains(&row_of[*record]) || rows.iter().any(|row| !bitmaps.admits(*row as usize, sets.get(*record)))
    }));
    match wrong {
        Some(record) => Err(lie(&format!("a match of record {} isn't one in the written files", record + 1))),
        None => Ok(()),
    }
}

/// The least number of different labels among the rows that a record matches; rows without a sensitive item count one each.
fn least_labels(release: &Release, matches: &Matches) -> Result<u64> {
    let Some(sensitive) = &release.sensitive else { return Err(lie("no sensitive item was read back")) };
    let labels = labels(sensitive)?;
    let different = |record: usize| {
        let mut met: Vec<u32> = matches.of(record).iter().map(|row| labels[*row as usize]).collect();
        met.sort_unstable();
        met.dedup();
        met.len() as u64
    };
    Ok((0..matches.len()).into_par_iter().map(different).min().unwrap_or(0))
}

fn manifest(release: &Release, form: &BasketForm, names: &[String; 2], sensitive: Vec<String>) -> Manifest {
    let rows = release.bitmaps.len() as u64;
    let file = |holds: &str, at: usize| ManifestFile {
        path: names[at].clone(),
        holds: holds.into(),
        column: None,
        rows,
        sha256: release.sources[at].sha256.clone(),
    };
    Manifest {
        rows,
        form: Some(form::spell(form)),
        sensitive,
        files: vec![file("base", 0), file("distance", 1)],
        ..Manifest::new("bitmaps")
    }
}
