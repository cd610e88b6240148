//! Fills the private report of a run over paths: loss, risk, and what became of every point.

use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_engine::risks::risks;
use sfumato_report as shown;

use super::Suppressed;
use super::alike::classes;
use super::read_back::Read;
use super::section::{PathSection, PointLoss, words};
use crate::algorithms::suppression::MOST_FREQUENT;
use crate::data::PathData;
use crate::data::layout::spell;
use crate::data::sequences::{Frequent, maximal_frequent};
use crate::kind::Paths;
use crate::metrics::suppressed::{self as metrics, SuppressedView};

/// The number of records that are shown side by side.
const SAMPLE: usize = 10;

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Paths, Suppressed>, read: &Read) -> shown::Report {
    let Written { data: loaded, plan, .. } = *written;
    let (before, after) = (&loaded.data, &read.data);
    let decided = written.decision();
    let support = decided.support;
    let frequent =
        |data: &PathData| maximal_frequent(&data.paths, data.steps.len(), support, MOST_FREQUENT);
    let frequent_before = frequent(before);
    let frequent_after = frequent_before.as_ref().and_then(|_| frequent(after));
    let view = SuppressedView {
        before,
        after,
        frequent: frequent_before.as_ref().zip(frequent_after.as_ref()),
    };
    let told = section(written, read, &view);
    let (classes_before, classes_after) = (classes(before), classes(after));
    let n_paths = before.paths.len() as u64;
    let source = &loaded.source;
    let mut audit = shown::Audit::default();
    audit.add_public("--paths", &told.release_layout);
    audit.add_original();
    audit.add_private("--original-paths", &told.layout);
    let sensitive: Vec<&str> = before.sensitive.iter().map(|column| column.name.as_str()).collect();
    if !sensitive.is_empty() {
        audit.add_public("--sensitive", &shown::name_list(&sensitive));
    }
    let quasi: Vec<&str> = before.quasi.iter().map(|column| column.name.as_str()).collect();
    if !quasi.is_empty() {
        audit.add_public("--qi", &shown::name_list(&quasi));
    }
    shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: n_paths,
            columns: 0,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
            holds: Some(told.holds()),
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
                "violating": decided.violating,
                "suppressed": decided.suppressed,
                "support": support,
            }),
        },
        words: words(),
        audit,
        classes: Some(shown::Classes::from_sizes(classes_after.iter())),
        classes_before: Some(shown::Classes::from_sizes(classes_before.iter())),
        suppressed: shown::Suppressed::new(
            read.emptied,
            told.points - told.points_published,
            n_paths,
        ),
        sections: vec![told.section()],
        metrics: metrics::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        risks: risks(&classes_before, &classes_after, written.job.privacy.population)
            .into_iter()
            .map(|(name, before, after)| (name.replace('-', "_"), shown::Change { before, after }))
            .collect(),
        evidence: shown::Evidence {
            rows: after.paths.len() as u64,
            cells: after.paths.n_steps() as u64,
            ..shown::Evidence::default()
        },
        warnings: warnings(written, read, frequent_before.as_ref()),
        sample: sample(written),
        output: Some(shown::Output {
            path: String::new(),
            rows: after.paths.len() as u64,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
        }),
        ..shown::Report::default()
    }
}

fn section(
    written: &Written<'_, Paths, Suppressed>,
    read: &Read,
    view: &SuppressedView<'_>,
) -> PathSection {
    let (before, after) = (&written.data.data, &read.data);
    let n_steps = before.steps.len();
    let (counts, left) = (before.paths.counts(n_steps), after.paths.counts(n_steps));
    let mut by_point: Vec<PointLoss> = (0..n_steps)
        .filter(|step| counts[*step] > left[*step])
        .map(|step| PointLoss {
            name: before.step_name(step as u32),
            paths: counts[step],
            published: left[step],
        })
        .collect();
    by_point.sort_by_key(|point| std::cmp::Reverse(point.paths - point.published));
    let different = |counts: &[u64]| counts.iter().filter(|n| **n > 0).count() as u64;
    let decided = written.decision();
    PathSection {
        layout: written.job.paths.layout.clone(),
        release_layout: spell(&written.data.release.layout),
        paths: before.paths.len() as u64,
        paths_published: after.paths.len() as u64,
        emptied: read.emptied,
        points: before.paths.n_steps() as u64,
        points_published: after.paths.n_steps() as u64,
        different: different(&counts),
        different_published: different(&left),
        violating: decided.violating,
        support: decided.support,
        frequent: view.frequent.map(|(before, _)| before.maximal.len() as u64),
        frequent_published: view.frequent.map(|(_, after)| after.maximal.len() as u64),
        frequent_kept: view.frequent_kept(),
        beside: written.data.generalized.clone(),
        by_point,
    }
}

fn warnings(
    written: &Written<'_, Paths, Suppressed>,
    read: &Read,
    frequent: Option<&Frequent>,
) -> Vec<String> {
    let Written { job, data: loaded, plan, .. } = *written;
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("paths are in the order of the input, which can give people away".into());
    }
    if plan.max_empty.is_none() && read.emptied > 0 {
        warnings.push(format!(
            "nothing is left of {} ({}), since no limit was set: --max-suppression 0 refuses that",
            shown::numbers::counted(read.emptied, "path"),
            shown::numbers::percent(read.emptied as f64 / loaded.data.paths.len().max(1) as f64)
        ));
    }
    if loaded.data.sensitive.is_empty() && plan.asked.iter().any(|asked| asked.most.value() < 1.0) {
        warnings.push("no column is sensitive, so that c says nothing".into());
    }
    let is_guarded = plan.asked.iter().any(|asked| asked.most.value() < 1.0);
    if !loaded.data.sensitive.is_empty() && !is_guarded {
        warnings.push(
            "sensitive values are published as they are, and c=1 doesn't guard them: all paths \
             that look alike may share one"
                .into(),
        );
    }
    if loaded.repeated > 0 {
        warnings.push(format!(
            "{} points were in their path more than once and count once",
            shown::numbers::count(loaded.repeated)
        ));
    }
    if frequent.is_none() {
        warnings.push(format!(
            "more than {} sequences are frequent: how many are kept wasn't counted; say a larger \
             support",
            shown::numbers::count(MOST_FREQUENT as u64)
        ));
    }
    warnings
}

fn sample(written: &Written<'_, Paths, Suppressed>) -> Vec<shown::SamplePair> {
    let (data, order) = (&written.data.data, &written.witness.order);
    let names = |steps: &[u32]| {
        let all: Vec<String> = steps.iter().map(|step| data.step_name(*step)).collect();
        (!all.is_empty()).then(|| all.join(" "))
    };
    let rows = (0..order.len()).step_by(order.len().div_ceil(SAMPLE).max(1)).take(SAMPLE);
    rows.map(|row| {
        let record = order[row] as usize;
        let mut pair = shown::SamplePair::default();
        pair.original.insert("path".to_string(), names(data.paths.get(record)));
        let published = names(written.decision().paths.get(record));
        pair.published.insert("path".to_string(), published);
        pair
    })
    .collect()
}
