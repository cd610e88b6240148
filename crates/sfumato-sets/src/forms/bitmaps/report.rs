//! Fills the private report of a run that published bitmaps.

use sfumato_report as shown;

use crate::data::layout::spell;
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Baskets;
use crate::traits::{BitmapDecision, BitmapView};
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_io::BasketLayout;

use super::Bitmaps;
use super::read_back::BitmapRead;
use super::section::{self, tell};

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Baskets, Bitmaps>, verified: &BitmapRead) -> shown::Report {
    let Written { job, data: loaded, plan, witness, .. } = *written;
    let decision = written.decision();
    let baskets = &loaded.baskets;
    let n_records = baskets.quasi.len() as u64;
    let source = &loaded.source;
    let found: serde_json::Map<String, serde_json::Value> = decision
        .findings
        .iter()
        .map(|finding| (finding.name.to_string(), finding.value.into()))
        .collect();
    // The queries of the metric are no secret: they start from the same place in every run.
    let view = BitmapView { original: &baskets.quasi, bitmaps: &verified.bitmaps, seed: 0 };
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
                "shape": "bitmaps",
                "input layout": job.baskets.layout(),
                "findings": found,
            }),
        },
        suppressed: shown::Suppressed::new(0, 0, n_records),
        metrics: crate::metrics::bitmaps::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        evidence: shown::Evidence {
            rows: n_records,
            cells: verified.instances,
            note: Some(format!(
                "each of {} matches was looked at in the written files",
                shown::numbers::count(decision.matches.all().len() as u64)
            )),
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
    let sensitive = baskets.items.sensitive_names();
    tell(&mut report, job, &figures(decision, verified, &witness.layout, sensitive));
    report
}

fn figures(
    decision: &BitmapDecision,
    verified: &BitmapRead,
    layout: &BasketLayout,
    sensitive: Vec<String>,
) -> section::Bitmaps {
    let bitmaps = &verified.bitmaps;
    let n = bitmaps.len().max(1) as f64;
    let mut used = bitmaps.base.counts();
    used.iter_mut().zip(bitmaps.distance.counts()).for_each(|(n, more)| *n += more);
    section::Bitmaps {
        layout: spell(layout),
        matches: decision.matches.m() as u64,
        rows: bitmaps.len() as u64,
        items: used.iter().filter(|n| **n > 0).count() as u64,
        sensitive,
        mean_base: bitmaps.base.n_instances() as f64 / n,
        mean_distance: bitmaps.distance.n_instances() as f64 / n,
        mean_threshold: bitmaps.threshold.iter().map(|t| u64::from(*t)).sum::<u64>() as f64 / n,
        largest_threshold: bitmaps.threshold.iter().copied().max().unwrap_or(0),
        exact_rows: bitmaps.threshold.iter().filter(|t| **t == 0).count() as u64,
    }
}

fn warnings(job: &Job, loaded: &Loaded) -> Vec<String> {
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push(
            "a seed was given: not for release, whoever knows it knows which row stands for whom"
                .into(),
        );
    }
    let counted = [
        (loaded.repeated, "items were in their record more than once and count once"),
        (loaded.dropped, "instances of items were left out as the job asks"),
    ];
    for (n, what) in counted.into_iter().filter(|(n, _)| *n > 0) {
        warnings.push(format!("{} {what}", shown::numbers::count(n)));
    }
    warnings
}
