//! Reads a bitmap release from its two files, and checks everything: as many rows in both,
//! thresholds that are numbers and that their distance sets allow, no uncertain sensitive item.

use std::path::Path;

use sfumato_core::column::Provenance;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastSet, Result};
use sfumato_engine::manifest::Manifest;
use sfumato_io::{BasketLayout, BasketOptions, read_baskets};

use crate::data::layout;
use crate::data::read::split;
use crate::data::{Bitmaps, ItemRole};

use super::files::distance_layout;

/// A bitmap release as its recipient sees it.
pub struct Release {
    /// The names of items.
    pub names: Vec<String>,
    /// What is published of each row. Which record it stands for is unknown.
    pub bitmaps: Bitmaps,
    /// The sensitive items of each row, if there are any.
    pub sensitive: Option<Transactions>,
    /// The files of base and distance sets.
    pub sources: [Provenance; 2],
}

/// The files to read, and their layouts.
pub struct Files<'a> {
    /// The folder of the files.
    pub folder: &'a Path,
    /// The names of the files of base and distance sets.
    pub names: [&'a str; 2],
    /// The layout of base sets.
    pub layout: &'a BasketLayout,
    /// Which items are sensitive.
    pub sensitive: &'a [String],
}

/// Read the files of a folder. Given the names of an original's items, the codes are those of the
/// original.
pub fn read_files(
    files: &Files<'_>,
    known: Option<&[String]>,
    observer: &dyn Observer,
) -> Result<Release> {
    let path = |name: &str| files.folder.join(name).display().to_string();
    let options = BasketOptions::default();
    let base = read_baskets(&path(files.names[0]), files.layout, &options, observer)?;
    let options = BasketOptions { keep_keys: true, ..options };
    let mut distance =
        read_baskets(&path(files.names[1]), &distance_layout(files.layout), &options, observer)?;
    let keys = distance
        .keys
        .take()
        .ok_or_else(|| Error::internal("distance sets were read without keys"))?;
    let sources = [base.source.clone(), distance.source.clone()];
    let names = match known {
        Some(names) => names.to_vec(),
        None => {
            let seen: FastSet<&String> = base.names.iter().collect();
            let others = distance.names.iter().filter(|name| !seen.contains(name));
            base.names.iter().chain(others).cloned().collect()
        }
    };
    let mut roles = vec![ItemRole::Quasi; names.len()];
    let sensitive: FastSet<&String> = files.sensitive.iter().collect();
    let named = names.iter().zip(&mut roles).filter(|(name, _)| sensitive.contains(name));
    named.for_each(|(_, role)| *role = ItemRole::Sensitive);
    let (base, sensitive) = split(base.with_names(&names)?, &roles, &[]);
    let (distance, in_doubt) = split(distance.with_names(&names)?, &roles, &[]);
    let wrong = |what: String| Error::input(what).in_file(path(files.names[1]));
    if in_doubt.is_some_and(|sets| sets.n_instances() > 0) {
        return Err(wrong("a sensitive item is in a distance set".into()));
    }
    if base.len() != distance.len() {
        return Err(wrong(format!(
            "there are {} base sets and {} distance sets",
            base.len(),
            distance.len()
        )));
    }
    let mut threshold = Vec::with_capacity(distance.len());
    for (row, key) in keys.iter().enumerate() {
        let size = distance.size(row);
        match key.trim().parse::<u32>() {
            Ok(errors) if errors as usize <= size => threshold.push(errors),
            _ => {
                let message =
                    format!("the threshold of row {} isn't a number from 0 to {size}", row + 1);
                return Err(wrong(message));
            }
        }
    }
    if threshold.len() != base.len() {
        return Err(wrong("not every distance set has a threshold".into()));
    }
    let bitmaps = Bitmaps { base, distance, threshold, label_of: Vec::new() };
    Ok(Release { names, bitmaps, sensitive, sources })
}

/// Read a release as its manifest describes it, and refuse files with other hashes than in the
/// manifest.
pub fn open(
    path: &str,
    manifest: &Manifest,
    known: Option<&[String]>,
    observer: &dyn Observer,
) -> Result<Release> {
    let folder = Path::new(path);
    let named = |error: Error| error.in_file(path);
    let wrong = |what: String| named(Error::input(what));
    let layout = layout::parse(manifest.detail("layout").map_err(named)?)?.layout;
    let sensitive = manifest.details_of("sensitive");
    let holding = |what: &str| manifest.holding(what).map_err(named);
    let described = [holding("base")?, holding("distance")?];
    let names = described.map(|file| file.path.as_str());
    let files = Files { folder, names, layout: &layout, sensitive: &sensitive };
    let release = read_files(&files, known, &Renamed { step: "read", inner: observer })?;
    for (file, source) in described.iter().zip(&release.sources) {
        if file.sha256 != source.sha256 {
            let message = format!("{} isn't the file that the release was made with", file.path);
            return Err(wrong(message).hint("its hash is another than the manifest says"));
        }
        if file.rows != release.bitmaps.len() as u64 {
            return Err(wrong(format!("{} hasn't as many rows as the manifest says", file.path)));
        }
    }
    Ok(release)
}
