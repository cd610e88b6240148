//! Verifies a bucket release: reads both files back and checks two things.
//!
//! Privacy: in every group that a recipient sees, no sensitive item is more frequent than one in p records. Truth: row i has exactly the
//! harmless items of record `order[i]`, and every group's counts are those of its records. Nothing is taken from the algorithm.

use rayon::prelude::*;
use sfumato_core::buckets::{FactCounts, Groups, degree_of};
use sfumato_core::column::Code;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::sets::{Baskets, Hiding, Transactions};
use sfumato_core::{FastMap, Result, with_sets};
use sfumato_io::{
    AtomicFile, BasketForm, BasketOptions, BasketWriteOptions, MANIFEST, Manifest, ManifestFile, ReadOptions,
    read_baskets,
};

use crate::data::layout as form;
use crate::data::read::{Loaded, split};
use crate::forms::subsets::subset::is_subset;
use crate::forms::subsets::verify::SetGuarantee;
use sfumato_engine::job::Job;
use sfumato_engine::job::group_column;
use sfumato_engine::verify::lie;

use super::linked::{Linked, of_permuted, read_linked};
use super::plan::{BucketPlan, sensitive_of};
use super::publish::{BucketCandidate, Place};

/// A release that was checked. Only [`verify`] makes one.
pub struct BucketVerified {
    place: Place,
    /// What was asked and what was reached.
    pub guarantees: Vec<SetGuarantee>,
    /// The groups of the original's records, as the files say.
    pub groups: Groups,
    /// What is published of their sensitive items.
    pub counts: FactCounts,
    /// The degree that was reached.
    pub degree: f64,
    /// How records lie in their file.
    pub form: BasketForm,
    /// SHA-256 of the file, or of both.
    pub sha256: String,
    /// Their bytes.
    pub bytes: u64,
    /// Items compared with the original.
    pub instances: u64,
}

impl BucketVerified {
    /// The folder or file, to be given its name.
    pub fn into_place(self) -> Place {
        self.place
    }
}

/// Check what was written.
pub fn verify(
    job: &Job,
    plan: &BucketPlan,
    loaded: &Loaded,
    candidate: BucketCandidate,
    observer: &dyn Observer,
) -> Result<BucketVerified> {
    let BucketCandidate { place, form, order } = candidate;
    let observer = Renamed { step: "verify", inner: observer };
    let (original, sensitive) = (&loaded.baskets, sensitive_of(loaded)?);
    let linked = match &place {
        Place::Linked(folder, (quasi, sensitive)) => {
            read_linked(folder.path(), (quasi, sensitive), &form, group_column(job), &observer)
        }
        Place::Permuted { file, options, .. } => read_permuted(file, &form, options, loaded, &observer),
    }
    .map_err(|error| lie(&error.message))?;
    check_rows(&linked, &original.quasi, &original.items.names, &order)?;

    // The groups of the original's records, as the file says, and what they have in truth.
    let mut labels = vec![0; order.len()];
    order.iter().zip(linked.groups.of_record()).for_each(|(record, group)| labels[*record as usize] = *group);
    let groups = Groups::from_labels(&labels);
    let counts = FactCounts::of(&groups, sensitive);
    check_counts(&linked, &labels, &groups, &counts, &original.items.names)?;

    let judged = degree_of(linked.groups.sizes(), &linked.counts, plan.p);
    let (degree, below) = judged.map_or((f64::INFINITY, 0), |(degree, below)| (degree.value(), below));
    if below > 0 {
        return Err(lie(&format!(
            "privacy degree {} doesn't hold {below} times in the written files: it is {degree}",
            plan.p
        )));
    }
    let guarantees = plan
        .requirements
        .all
        .iter()
        .map(|requirement| SetGuarantee {
            model: requirement.model(),
            requirement: requirement.describe(),
            hiding: Hiding::Bystanders,
            required: requirement.asks().first().map_or(1, |(_, p)| *p),
            achieved: if degree.is_finite() { degree.floor() as u64 } else { order.len() as u64 },
            violations: 0,
        })
        .collect();
    if let Place::Linked(folder, names) = &place {
        folder.write_text(MANIFEST, &manifest(&linked, &form, group_column(job), names).to_json())?;
    }
    let instances = linked.quasi.n_instances();
    let bytes = linked.quasi_source.bytes + linked.sensitive_source.0.bytes;
    let sha256 = format!("{} {}", linked.quasi_source.sha256, linked.sensitive_source.0.sha256);
    let sha256 = sha256.trim_end().to_string();
    Ok(BucketVerified { place, guarantees, groups, counts, degree, form, sha256, bytes, instances })
}

/// Read one file back. Which items are sensitive is what the job says.
fn read_permuted(
    file: &AtomicFile,
    form: &BasketForm,
    options: &BasketWriteOptions,
    loaded: &Loaded,
    observer: &dyn Observer,
) -> Result<Linked> {
    let is_lines = matches!(form, BasketForm::Lines { .. });
    let options = BasketOptions {
        file: ReadOptions {
            format: (!is_lines).then_some(options.file.format),
            delimiter: Some(options.file.delimiter),
            header: Some(true),
            ..ReadOptions::default()
        },
        keep_keys: true,
        ..BasketOptions::default()
    };
    let mut read = read_baskets(&file.path().display().to_string(), form, &options, observer)?;
    let (keys, source) = (read.keys.take(), read.source.clone());
    let items = loaded.baskets.items.clone();
    let (quasi, sensitive) = split(read.with_names(&items.names)?, &items.roles, &[]);
    of_permuted(Baskets { items, quasi, sensitive }, keys, source)
}

/// That every row has the items of its record, no more and no less.
fn check_rows(linked: &Linked, original: &Transactions, names: &[String], order: &[u32]) -> Result<()> {
    if linked.quasi.len() != order.len() {
        return Err(lie(&format!(
            "{} records were published and {} are in the file",
            order.len(),
            linked.quasi.len()
        )));
    }
    let codes: FastMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let table: Option<Vec<u32>> = linked.names.iter().map(|name| codes.get(name.as_str()).copied()).collect();
    let Some(table) = table else { return Err(lie("the release has an item that the original hasn't")) };
    let in_order = table.is_sorted();
    let differing = with_sets!(&linked.quasi, rows => with_sets!(original, original => {
        (0..rows.len()).into_par_iter().find_first(|row| {
            let mut published: Vec<u32> = rows.get(*row).iter().map(|code| table[code.widen() as usize]).collect();
            if !in_order {
                published.sort_unstable();
            }
            let record: Vec<u32> = original.get(order[*row] as usize).iter().map(|code| code.widen()).collect();
            published.len() != record.len() || !is_subset(&published, &record)
        })
    }));
    differing.map_or(Ok(()), |row| Err(lie(&format!("row {} hasn't the items of its record", row + 1))))
}

/// That every group's counts are those of its records. `labels` has the number that the file's reader gave the group of each record.
fn check_counts(
    linked: &Linked,
    labels: &[u32],
    groups: &Groups,
    truth: &FactCounts,
    names: &[String],
) -> Result<()> {
    let mut number_in_file = vec![0; groups.len()];
    labels.iter().zip(groups.of_record()).for_each(|(label, group)| number_in_file[*group as usize] = *label);
    let codes: FastMap<&str, u32> = linked.sensitive.iter().map(String::as_str).zip(0..).collect();
    for (group, number) in number_in_file.iter().enumerate() {
        let published = linked.counts.of_group(*number as usize);
        let is_true = |(fact, count): &(u32, u32)| {
            let code = codes.get(names[*fact as usize].as_str());
            code.is_some_and(|code| linked.counts.of_fact(*number as usize, *code) == *count)
        };
        let expected = truth.of_group(group);
        if published.len() != expected.len() || !expected.iter().all(is_true) {
            return Err(lie("the counts of a group aren't those of its records"));
        }
    }
    Ok(())
}

fn manifest(linked: &Linked, form: &BasketForm, group: &str, names: &(String, String)) -> Manifest {
    let file = |path: &String, holds: &str, rows: u64, sha256: &String| ManifestFile {
        path: path.clone(),
        holds: holds.into(),
        column: None,
        rows,
        sha256: sha256.clone(),
    };
    let (source, rows) = &linked.sensitive_source;
    Manifest {
        rows: linked.quasi.len() as u64,
        groups: linked.groups.len() as u64,
        group: group.into(),
        form: Some(form::spell(form)),
        sensitive: Vec::new(),
        files: vec![
            file(&names.0, "quasi", linked.quasi.len() as u64, &linked.quasi_source.sha256),
            file(&names.1, "sensitive", *rows, &source.sha256),
        ],
        ..Manifest::new("baskets")
    }
}
