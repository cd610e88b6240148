//! Measures what a bucket release of baskets really promises, from its files alone, whoever made it.

use std::path::Path;

use serde::Serialize;
use sfumato_core::buckets::degree_of;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::sets::Hiding;
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, Result};
use sfumato_io::{Manifest, ManifestFile};
use sfumato_report as shown;

use crate::data::layout as form;
use crate::data::read::load;
use crate::forms::subsets::report::guarantee;
use crate::forms::subsets::verify::SetGuarantee;
use sfumato_engine::job::{BasketSpec, InputSpec};

use super::linked::{Linked, of_permuted, read_linked};
use super::truth::check_against;

/// What to audit, and against what.
#[derive(Debug, Clone, Default)]
pub struct BucketAuditRequest {
    /// The folder of the release, or its one file.
    pub input: InputSpec,
    /// How that file lies, where groups are in it and which items are sensitive; a folder says so itself.
    pub baskets: Option<BasketSpec>,
    /// Models that must hold.
    pub models: Vec<String>,
    /// The data that it was made from, and how they lie in their file.
    pub original: Option<(InputSpec, BasketSpec)>,
}

/// What a bucket release promises.
#[derive(Debug, Clone, Serialize)]
pub struct BucketAudit {
    /// The folder, or the file.
    pub path: String,
    /// Its records.
    pub rows: u64,
    /// Its groups.
    pub groups: u64,
    /// Different sensitive items.
    pub sensitive_items: u64,
    /// All that the groups have of them.
    pub sensitive_instances: u64,
    /// The least number of records of a group for each that has a sensitive item; none where no group has one.
    pub privacy_degree: Option<f64>,
    /// The models asked for, and whether they hold.
    pub guarantees: Vec<shown::Guarantee>,
    /// Whether all of them hold.
    pub holds: bool,
    /// Whether the files were compared with the original.
    pub checked_against_original: bool,
    /// Records of a group.
    pub sizes: shown::Classes,
}

/// Audit a folder.
pub fn audit(request: &BucketAuditRequest, observer: &dyn Observer) -> Result<BucketAudit> {
    let requirements = match request.models.is_empty() {
        true => Default::default(),
        false => crate::models::bind(&request.models)?,
    };
    let asked = requirements.all.iter().flat_map(|requirement| requirement.asks());
    if let Some((other, _)) = asked.into_iter().find(|(hiding, _)| *hiding != Hiding::Bystanders) {
        return Err(Error::unsupported(format!(
            "a bucket release promises nothing about {}",
            other.describe()
        ))
        .hint("ask for privacy-degree(p=...)"));
    }
    let linked = open(&request.input, request.baskets.as_ref(), observer)?;
    if let Some((input, spec)) = &request.original {
        check_against(
            &linked,
            input,
            spec,
            &request.input.path,
            &Renamed { step: "read the original", inner: observer },
        )?;
    }
    let judge = |p: u64| degree_of(linked.groups.sizes(), &linked.counts, p);
    let found = |requirement: &dyn sfumato_core::sets::SetRequirement| {
        let required = requirement.asks().first().map_or(1, |(_, p)| *p);
        let (degree, violations) =
            judge(required).map_or((f64::INFINITY, 0), |(degree, below)| (degree.value(), below));
        SetGuarantee {
            model: requirement.model(),
            requirement: requirement.describe(),
            hiding: Hiding::Bystanders,
            required,
            achieved: if degree.is_finite() { degree.floor() as u64 } else { linked.quasi.len() as u64 },
            violations,
        }
    };
    let guarantees: Vec<shown::Guarantee> = requirements
        .all
        .iter()
        .map(|requirement| guarantee(&found(requirement.as_ref()), "counted in the files"))
        .collect();
    let per_group =
        |group: usize| linked.counts.of_group(group).iter().map(|(_, n)| u64::from(*n)).sum::<u64>();
    let sizes = ClassSizes::from_sizes(linked.groups.sizes().iter().map(|size| u64::from(*size)));
    Ok(BucketAudit {
        path: request.input.path.clone(),
        rows: linked.quasi.len() as u64,
        groups: linked.groups.len() as u64,
        sensitive_items: linked.sensitive.len() as u64,
        sensitive_instances: (0..linked.groups.len()).map(per_group).sum(),
        privacy_degree: judge(1).map(|(degree, _)| degree.value()),
        holds: guarantees.iter().all(|guarantee| guarantee.holds),
        guarantees,
        checked_against_original: request.original.is_some(),
        sizes: shown::Classes::from_sizes(sizes.iter()),
    })
}

/// Whether a path is the folder of a bucket release of baskets.
pub fn is_release(path: &str) -> bool {
    Manifest::read(Path::new(path)).is_ok_and(|manifest| manifest.of == "baskets")
}

/// Read a release: a folder as its manifest describes it, a file as the caller does.
pub fn open(input: &InputSpec, spec: Option<&BasketSpec>, observer: &dyn Observer) -> Result<Linked> {
    match spec.filter(|_| !Path::new(&input.path).is_dir()) {
        None => read_release(Path::new(&input.path), observer),
        Some(spec) => {
            let spec = BasketSpec { drop: Vec::new(), utilities: None, ..spec.clone() };
            let observer = Renamed { step: "read", inner: observer };
            let loaded = load(input, &spec, None, true, &observer)?;
            of_permuted(loaded.baskets, loaded.keys, loaded.source)
        }
    }
}

/// Read a release as its manifest describes it, and refuse files that aren't those it was made with.
fn read_release(folder: &Path, observer: &dyn Observer) -> Result<Linked> {
    let manifest = Manifest::read(folder)?;
    let shown = folder.display().to_string();
    let wrong = |what: String| Error::input(what).in_file(shown.clone());
    let form = match (&manifest.of[..], &manifest.form) {
        ("baskets", Some(form)) => form::parse(form)?.form,
        _ => return Err(wrong("this is no bucket release of baskets".into())),
    };
    let holding = |what: &str| -> Result<&ManifestFile> {
        let mut files = manifest.files.iter().filter(|file| file.holds == what);
        match (files.next(), files.next()) {
            (Some(file), None) => Ok(file),
            _ => Err(wrong(format!("the manifest doesn't name one file of {what} items"))),
        }
    };
    let (quasi, sensitive) = (holding("quasi")?, holding("sensitive")?);
    let observer = Renamed { step: "read", inner: observer };
    let linked = read_linked(folder, (&quasi.path, &sensitive.path), &form, &manifest.group, &observer)?;
    let changed = |file: &ManifestFile, rows: u64, sha256: &str| match file.rows == rows
        && file.sha256 == sha256
    {
        true => Ok(()),
        false => Err(wrong(format!(
            "{} isn't the file that the release was made with: its SHA-256 or its {rows} rows aren't those of the manifest",
            file.path
        ))),
    };
    changed(quasi, linked.quasi.len() as u64, &linked.quasi_source.sha256)?;
    changed(sensitive, linked.sensitive_source.1, &linked.sensitive_source.0.sha256)?;
    if manifest.rows != linked.quasi.len() as u64 || manifest.groups != linked.groups.len() as u64 {
        return Err(wrong("the manifest has other numbers of records or groups than the files".into()));
    }
    Ok(linked)
}
