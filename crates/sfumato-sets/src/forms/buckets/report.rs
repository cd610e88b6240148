//! Fills the private report of a run that made buckets of baskets.

use sfumato_core::FastMap;
use sfumato_core::traits::ClassSizes;
use sfumato_report as shown;

use crate::data::read::{Loaded, near_remark};
use crate::forms::subsets::report::{by_item, instances_before};
use crate::forms::subsets::section;
use crate::job::Job;
use crate::kind::Baskets;
use crate::traits::BucketView;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_engine::section_of_buckets::{self, BucketColumn};

use super::Buckets;
use super::plan::BucketPlan;
use super::read_back::BucketRead;

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Baskets, Buckets>, verified: &BucketRead) -> shown::Report {
    let Written { job, data: loaded, plan, witness, .. } = *written;
    let findings = &written.decision().findings;
    let baskets = &loaded.baskets;
    let before = instances_before(loaded);
    let n_records = baskets.quasi.len() as u64;
    let instances: u64 = before.iter().sum();
    let source = &loaded.source;
    let sizes = ClassSizes::from_sizes(verified.groups.sizes().iter().map(|size| u64::from(*size)));
    let empty =
        (0..baskets.quasi.len()).filter(|record| baskets.quasi.size(*record) == 0).count() as u64;
    let found: serde_json::Map<String, serde_json::Value> =
        findings.iter().map(|finding| (finding.name.to_string(), finding.value.into())).collect();
    let items = before.iter().filter(|n| **n > 0).count() as u64;
    let utility = baskets.items.worth(&before);
    let told = section::BasketSection {
        layout: job.baskets.layout().into(),
        release_layout: crate::data::layout::spell(&witness.layout),
        items,
        items_published: items,
        instances,
        instances_published: instances,
        utility,
        utility_published: utility,
        empty,
        emptied: 0,
        collapsed_to: None,
        by_item: by_item(loaded, &before, &before),
    };
    let buckets = section_of_buckets::Buckets {
        layout: job.output.buckets.unwrap_or_default().name().into(),
        group: job.group_column().into(),
        groups: shown::Classes::from_sizes(sizes.iter()),
        exact: vec!["all items that aren't sensitive".into()],
        sensitive: by_sensitive_item(loaded, verified),
    };
    let mut report = shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: n_records,
            columns: 0,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
            holds: None,
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
                "shape": "buckets",
                "privacy degree": verified.degree.is_finite().then_some(verified.degree),
                "findings": found,
            }),
        },
        suppressed: shown::Suppressed::new(0, 0, n_records),
        metrics: metrics(loaded, plan, verified),
        evidence: shown::Evidence {
            rows: n_records,
            cells: verified.instances,
            note: Some(
                "harmless items are published exactly: a record can be found, its sensitive \
                items can't be told from its group's"
                    .into(),
            ),
            ..shown::Evidence::default()
        },
        warnings: warnings(job, loaded),
        output: Some(shown::Output {
            path: String::new(),
            rows: n_records,
            bytes: verified.bytes,
            sha256: verified.sha256.clone(),
        }),
        ..shown::Report::default()
    };
    super::section::tell(&mut report, job, &told, &buckets);
    report
}

/// How well the item of a person who is known to be in a group can be guessed.
fn by_sensitive_item(loaded: &Loaded, verified: &BucketRead) -> Vec<BucketColumn> {
    let names = &loaded.baskets.items.names;
    // For each item: the largest share, the sum of shares over those who have it, and how many have
    // it.
    let mut found: FastMap<u32, (f64, f64, f64)> = FastMap::default();
    for (group, size) in verified.groups.sizes().iter().enumerate() {
        for (item, count) in verified.counts.of_group(group) {
            let (share, n) = (f64::from(*count) / f64::from(*size), f64::from(*count));
            let entry = found.entry(*item).or_default();
            *entry = (entry.0.max(share), entry.1 + n * share, entry.2 + n);
        }
    }
    let mut items: Vec<u32> = found.keys().copied().collect();
    items.sort_unstable();
    items
        .into_iter()
        .map(|item| {
            let (largest_share, shares, n) = found[&item];
            BucketColumn {
                name: names[item as usize].clone(),
                largest_share,
                association: shares / n,
            }
        })
        .collect()
}

/// Measure how well the release retains the correlation between harmless and sensitive items.
fn metrics(
    loaded: &Loaded,
    plan: &BucketPlan,
    verified: &BucketRead,
) -> shown::Ordered<Option<f64>> {
    let Some(sensitive) = &loaded.baskets.sensitive else { return shown::Ordered::default() };
    let view = BucketView {
        quasi: &loaded.baskets.quasi,
        sensitive,
        groups: &verified.groups,
        counts: &verified.counts,
        seed: plan.seed,
    };
    crate::metrics::buckets::ALL
        .iter()
        .map(|metric| (metric.info().name, metric.measure(&view)))
        .collect()
}

fn warnings(job: &Job, loaded: &Loaded) -> Vec<String> {
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("records are in the order of the input, which can give people away".into());
    }
    if loaded.repeated > 0 {
        warnings.push(format!(
            "{} items were in their record more than once and count once",
            shown::numbers::count(loaded.repeated)
        ));
    }
    if loaded.dropped > 0 {
        warnings.push(format!(
            "{} instances of items were left out as the job asks",
            shown::numbers::count(loaded.dropped)
        ));
    }
    warnings.extend(near_remark(loaded));
    warnings
}
