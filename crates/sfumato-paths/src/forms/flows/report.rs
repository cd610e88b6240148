//! Fills the private report of a run over flows.

use serde::Serialize;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use sfumato_report::numbers::count;
use sfumato_report::{Block, Place, Section, Words, figures_of};

use super::FlowsForm;
use super::release::Read;
use crate::kind::Paths;
use crate::metrics::flows::{self as metrics, FlowsView};

/// Figures about flows.
#[derive(Clone, Debug, Default, Serialize)]
struct FlowSection {
    people: u64,
    pairs: u64,
    pairs_published: u64,
    people_published: u64,
}

#[derive(Serialize)]
struct PublicFlows {
    pairs: u64,
}

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Paths, FlowsForm>, read: &Read) -> shown::Report {
    let Written { data: loaded, plan, job, .. } = *written;
    let told = FlowSection {
        people: read.original.values().sum(),
        pairs: read.original.len() as u64,
        pairs_published: read.flows.len() as u64,
        people_published: read.flows.values().sum(),
    };
    let words = format!(
        "{} people went from one place to another on {} pairs of places. {} pairs are published, \
         with \
         {} people.",
        count(told.people),
        count(told.pairs),
        count(told.pairs_published),
        count(told.people_published)
    );
    let section = Section {
        place: Place::Details,
        public: Some(figures_of(&PublicFlows { pairs: told.pairs_published })),
        blocks: vec![Block::Paragraph(words)],
        ..Section::new("flows", "Flows", &told)
    };
    let view = FlowsView { before: &read.original, after: &read.flows };
    let source = &loaded.source;
    let n_paths = loaded.data.paths.len() as u64;
    let mut warnings = Vec::new();
    if job.run.seed.is_some() && plan.algorithm.is_random() {
        warnings.push("a seed was given: not for release, the noise can be taken out again".into());
    }
    shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: n_paths,
            columns: 0,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
            holds: Some(format!("{} points", count(loaded.data.paths.n_steps() as u64))),
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
            }),
        },
        words: Words { cells: "pairs", ..Words::default() },
        suppressed: shown::Suppressed::new(
            0,
            told.pairs.saturating_sub(told.pairs_published),
            told.people,
        ),
        sections: vec![section],
        metrics: metrics::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        evidence: shown::Evidence {
            rows: told.pairs_published,
            cells: told.pairs_published,
            ..shown::Evidence::default()
        },
        warnings,
        output: Some(shown::Output {
            path: String::new(),
            rows: told.pairs_published,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
        }),
        ..shown::Report::default()
    }
}
