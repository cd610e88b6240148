//! Reads a bucket release back from the bytes of its draft, and checks that it is true: row i has
//! exactly the harmless items of record `order[i]`, and every group's counts are those of its
//! records. Nothing that the algorithm says is trusted.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::transactions::Transactions;
use sfumato_core::{FastMap, Result, with_sets};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{BasketLayout, BasketOptions, BasketWriteOptions, read_baskets};

use super::facts::Stated;
use super::linked::{Linked, of_permuted, read_linked};
use super::plan::sensitive_of;
use super::publish::Files;
use super::{Buckets, Witness};
use crate::data::BasketData;
use crate::data::layout::spell;
use crate::data::read::{Loaded, split};
use crate::data::{FactCounts, Groups};
use crate::forms::release_file::describe_file;
use crate::forms::subsets::read_back::read_options;
use crate::forms::subsets::subset::is_subset;
use crate::kind;

/// What the bytes of a draft say, after it was compared with the original.
pub struct BucketRead {
    /// The release as a recipient sees it.
    pub linked: Linked,
    /// The groups of the original's records, as stated in the files.
    pub groups: Groups,
    /// The published counts of their sensitive items.
    pub counts: FactCounts,
    /// The achieved degree.
    pub degree: f64,
    /// The SHA-256 hash of the file, or of both files.
    pub sha256: String,
    /// The number of bytes of the file, or of both files.
    pub bytes: u64,
    /// The number of items compared with the original.
    pub instances: u64,
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, kind::Baskets, Buckets>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<BucketRead> {
    let Witness { layout, order, files } = written.witness;
    let observer = Renamed { step: "verify", inner: observer };
    let (original, sensitive) = (&written.data.baskets, sensitive_of(written.data)?);
    let path = draft.path()?;
    let linked = match files {
        Files::Linked(quasi, sensitive) => {
            read_linked(path, (quasi, sensitive), layout, written.job.group_column(), &observer)
        }
        Files::Permuted(options) => {
            read_permuted(&path.display().to_string(), layout, options, written.data, &observer)
        }
    }
    .map_err(cant_read_back)?;
    // Rows that are all true of their records don't say that every record has one.
    if order.len() != original.quasi.len() {
        return Err(failed_verification("there aren't as many rows as records"));
    }
    check_rows(&linked, &original.quasi, &original.items.names, order)?;

    // The groups of the original's records, as the file says, and what they have in truth.
    let mut labels = vec![0; order.len()];
    order
        .iter()
        .zip(linked.groups.of_record())
        .for_each(|(record, group)| labels[*record as usize] = *group);
    let groups = Groups::from_labels(&labels);
    let counts = FactCounts::of(&groups, sensitive);
    check_counts(&linked, &labels, &groups, &counts, &original.items.names)?;

    let degree = Stated { linked: &linked }.degree().map_or(f64::INFINITY, |degree| degree.value());
    let instances = linked.quasi.n_instances();
    let bytes = linked.quasi_source.bytes + linked.sensitive_source.0.bytes;
    let sha256 = format!("{} {}", linked.quasi_source.sha256, linked.sensitive_source.0.sha256);
    let sha256 = sha256.trim_end().to_string();
    Ok(BucketRead { linked, groups, counts, degree, sha256, bytes, instances })
}

/// Read a single file back. The job says which items are sensitive.
fn read_permuted(
    path: &str,
    layout: &BasketLayout,
    written: &BasketWriteOptions,
    loaded: &Loaded,
    observer: &dyn Observer,
) -> Result<Linked> {
    let options = BasketOptions { keep_keys: true, ..read_options(layout, written) };
    let mut read = read_baskets(path, layout, &options, observer)?;
    let (keys, source) = (read.keys.take(), read.source.clone());
    let items = loaded.baskets.items.clone();
    let (quasi, sensitive) = split(read.with_names(&items.names)?, &items.roles, &[]);
    of_permuted(BasketData { items, quasi, sensitive }, keys, source)
}

/// What the manifest says about a release.
pub fn describe(written: &Written<'_, kind::Baskets, Buckets>, read: &BucketRead) -> Described {
    let (Witness { layout, files, .. }, linked) = (written.witness, &read.linked);
    let rows = linked.quasi.len() as u64;
    let (quasi, sensitive) = match files {
        Files::Linked(quasi, sensitive) => (quasi, sensitive),
        Files::Permuted(_) => {
            let sensitive = written.data.baskets.items.sensitive_names();
            return describe_file(layout, rows, &linked.quasi_source.sha256, sensitive);
        }
    };
    let file = |path: &String, holds: &str, rows: u64, sha256: &String| ManifestFile {
        path: path.clone(),
        holds: holds.into(),
        column: None,
        rows,
        sha256: sha256.clone(),
    };
    let mut details = toml::Table::new();
    details.insert("layout".into(), spell(layout).into());
    details.insert("group".into(), written.job.group_column().into());
    details.insert("groups".into(), (linked.groups.len() as i64).into());
    let (source, counts) = &linked.sensitive_source;
    let files = vec![
        file(quasi, "quasi", rows, &linked.quasi_source.sha256),
        file(sensitive, "sensitive", *counts, &source.sha256),
    ];
    Described { rows, details, files }
}

/// Check that every row has exactly the items of its record.
fn check_rows(
    linked: &Linked,
    original: &Transactions,
    names: &[String],
    order: &[u32],
) -> Result<()> {
    if linked.quasi.len() != order.len() {
        return Err(failed_verification(&format!(
            "{} records were published and {} are in the file",
            order.len(),
            linked.quasi.len()
        )));
    }
    let codes: FastMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let table: Option<Vec<u32>> =
        linked.names.iter().map(|name| codes.get(name.as_str()).copied()).collect();
    let Some(table) = table else {
        return Err(failed_verification("the release has an item that the original hasn't"));
    };
    let in_order = table.is_sorted();
    let differing = with_sets!(&linked.quasi, rows => with_sets!(original, original => {
        (0..rows.len()).into_par_iter().find_first(|row| {
            let mut published: Vec<u32> =
                rows.get(*row).iter().map(|code| table[code.widen() as usize]).collect();
            if !in_order {
                published.sort_unstable();
            }
            let record: Vec<u32> =
                original.get(order[*row] as usize).iter().map(|code| code.widen()).collect();
            published.len() != record.len() || !is_subset(&published, &record)
        })
    }));
    differing.map_or(Ok(()), |row| {
        Err(failed_verification(&format!("row {} hasn't the items of its record", row + 1)))
    })
}

/// Check that every group's counts are those of its records. `labels` has the number that the
/// reader of the file gave to the group of each record.
fn check_counts(
    linked: &Linked,
    labels: &[u32],
    groups: &Groups,
    truth: &FactCounts,
    names: &[String],
) -> Result<()> {
    let mut number_in_file = vec![0; groups.len()];
    labels
        .iter()
        .zip(groups.of_record())
        .for_each(|(label, group)| number_in_file[*group as usize] = *label);
    let codes: FastMap<&str, u32> = linked.sensitive.iter().map(String::as_str).zip(0..).collect();
    for (group, number) in number_in_file.iter().enumerate() {
        let published = linked.counts.of_group(*number as usize);
        let is_true = |(fact, count): &(u32, u32)| {
            let code = codes.get(names[*fact as usize].as_str());
            code.is_some_and(|code| linked.counts.of_fact(*number as usize, *code) == *count)
        };
        let expected = truth.of_group(group);
        if published.len() != expected.len() || !expected.iter().all(is_true) {
            return Err(failed_verification("the counts of a group aren't those of its records"));
        }
    }
    Ok(())
}
