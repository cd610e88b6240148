//! Measures what a file of baskets really promises, whoever made it.

use serde::Serialize;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::sets::{Hiding, SetRequirements, Transactions};
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, FastMap, Result};
use sfumato_report as shown;

use sfumato_engine::job::{BasketSpec, InputSpec};
use sfumato_engine::risks::risks;

use super::alike::Alike;
use super::report::guarantee;
use super::verify::{SetGuarantee, least};
use super::{images, supporters};
use crate::data::read::load;

/// What to audit, and against what.
#[derive(Debug, Clone, Default)]
pub struct SetAuditRequest {
    /// The release.
    pub input: InputSpec,
    /// How it lies in its file, and which items are sensitive.
    pub baskets: BasketSpec,
    /// Models that must hold.
    pub models: Vec<String>,
    /// The data that it was made from, and how that lies in its file.
    pub original: Option<(InputSpec, BasketSpec)>,
}

/// What a file of baskets promises.
#[derive(Debug, Clone, Serialize)]
pub struct SetAudit {
    /// The file.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its records.
    pub rows: u64,
    /// Records without quasi items.
    pub empty: u64,
    /// Items of all records.
    pub instances: u64,
    /// The models asked for, and whether they hold.
    pub guarantees: Vec<shown::Guarantee>,
    /// Whether all of them hold.
    pub holds: bool,
    /// The largest k with which each count holds: copies always, supporters and images against the original.
    pub achieved: Vec<(String, u64)>,
    /// Records with the same set.
    pub classes: shown::Classes,
    /// Risks: on the original, if it was given, and on the file.
    pub risks: shown::Ordered<shown::Change>,
}

/// Audit a file.
pub fn audit(request: &SetAuditRequest, observer: &dyn Observer) -> Result<SetAudit> {
    let requirements = match request.models.is_empty() {
        true => SetRequirements::default(),
        false => crate::models::bind(&request.models)?,
    };
    if requirements.is_about_buckets() {
        return Err(Error::params("the privacy degree is about bucket releases, and this is a file of sets")
            .hint("audit the folder that holds quasi and sensitive files"));
    }
    let needs_original = |hiding: Hiding| hiding.needs_original() && requirements.at_least(hiding).is_some();
    if request.original.is_none() && (needs_original(Hiding::Supporters) || needs_original(Hiding::Images)) {
        return Err(Error::params("these models are about the original records as well")
            .hint("name the data with --original"));
    }
    // What the job left out of the original isn't there to be left out again.
    let spec = BasketSpec { drop: Vec::new(), ..request.baskets.clone() };
    let release = load(&request.input, &spec, None, false, &Renamed { step: "read", inner: observer })?;
    let mut rows = release.baskets.quasi;
    let instances =
        rows.n_instances() + release.baskets.sensitive.as_ref().map_or(0, Transactions::n_instances);
    let original = match &request.original {
        None => None,
        Some((input, spec)) => {
            let original =
                load(input, spec, None, false, &Renamed { step: "read the original", inner: observer })?;
            rows = renamed(
                &rows,
                &release.baskets.items.names,
                &original.baskets.items.names,
                &request.input.path,
            )?;
            Some(original.baskets.quasi)
        }
    };
    let alike = Alike::of(&rows);
    let classes = ClassSizes::from_sizes(alike.copies.iter().map(|copies| u64::from(*copies)));
    let before = original.as_ref().map(|original| {
        ClassSizes::from_sizes(Alike::of(original).copies.iter().map(|copies| u64::from(*copies)))
    });
    let count = |hiding: Hiding, enough: u64| match (hiding, &original) {
        (Hiding::Supporters, Some(original)) => {
            least(supporters::count(original, &rows, &alike, enough, false, &|_| &[]).into_iter(), enough)
        }
        (Hiding::Images, Some(original)) => images::least(original, &rows, &alike, enough, &|_| None),
        _ => least(alike.copies.iter().map(|copies| u64::from(*copies)), enough),
    };
    let mut guarantees = Vec::new();
    for requirement in &requirements.all {
        for (hiding, required) in requirement.asks() {
            let (achieved, violations) = count(hiding, required);
            let (model, requirement) = (requirement.model(), requirement.describe());
            let found = SetGuarantee { model, requirement, hiding, required, achieved, violations };
            guarantees.push(guarantee(&found, "counted in the file"));
        }
    }
    let mut achieved = vec![(Hiding::Copies.describe().to_string(), count(Hiding::Copies, 1).0)];
    if original.is_some() {
        // Counted up to the number asked for, or a little beyond the copies: all supporters of all sets would take long.
        let enough = requirements.k().max(2 * achieved[0].1).max(10);
        for hiding in [Hiding::Supporters, Hiding::Images] {
            achieved
                .push((format!("{} (counted up to {enough})", hiding.describe()), count(hiding, enough).0));
        }
    }
    let risks = risks(before.as_ref().unwrap_or(&classes), &classes)
        .into_iter()
        .map(|(name, of_before, after)| {
            (name.replace('-', "_"), shown::Change { before: of_before.filter(|_| before.is_some()), after })
        })
        .collect();
    Ok(SetAudit {
        path: request.input.path.clone(),
        sha256: release.source.sha256,
        rows: rows.len() as u64,
        empty: (0..rows.len()).filter(|row| rows.size(*row) == 0).count() as u64,
        instances,
        holds: guarantees.iter().all(|guarantee| guarantee.holds),
        guarantees,
        achieved,
        classes: shown::Classes::from_sizes(classes.iter()),
        risks,
    })
}

/// The sets of a release with the codes of the original's items.
fn renamed(rows: &Transactions, names: &[String], original: &[String], path: &str) -> Result<Transactions> {
    let codes: FastMap<&str, u32> = original.iter().map(String::as_str).zip(0..).collect();
    let code_of = |name: &String| {
        codes.get(name.as_str()).copied().ok_or_else(|| {
            Error::input(format!("item '{name}' is in no record of the original")).in_file(path)
        })
    };
    // Items that only sensitive parts have needn't be known.
    let counts = rows.counts();
    let table: Vec<Option<u32>> = names
        .iter()
        .zip(&counts)
        .map(|(name, n)| if *n > 0 { code_of(name).map(Some) } else { Ok(None) })
        .collect::<Result<_>>()?;
    let set = |row: usize| rows.set(row).into_iter().filter_map(|item| table[item as usize]).collect();
    Ok(Transactions::from_sets(original.len(), (0..rows.len()).map(set)))
}
