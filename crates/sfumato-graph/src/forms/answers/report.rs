//! Fills the private report of a run that answered with noise.

use serde::Serialize;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use sfumato_report::numbers::{count, quantity};
use sfumato_report::{Block, Section, figures_of};

use super::{Answers, AnswersRead};
use crate::forms::edited::report::{warnings, words};
use crate::kind::Graphs;
use crate::metrics::answers::{ALL, AnswersView};

/// What was answered, and how large the noise is on average. It says nothing that the file doesn't.
#[derive(Debug, Clone, Serialize)]
struct Told {
    nodes: u64,
    mechanism: String,
    noise: Vec<(&'static str, f64)>,
}

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Graphs, Answers>, read: &AnswersRead) -> shown::Report {
    let Written { job, data, plan, .. } = *written;
    let drawn = written.decision();
    let nodes = read.published.nodes;
    let told = Told {
        nodes,
        mechanism: plan.params.describe(),
        noise: drawn.noise.iter().map(|one| (one.question.name(), one.law.mean_size())).collect(),
    };
    let sizes: Vec<String> =
        told.noise.iter().map(|(name, size)| format!("{name} {}", quantity(*size))).collect();
    let how = format!(
        "No node and no edge is published. Whether any one edge is there changes the probability \
         of this file by a factor of at most exp(epsilon), but for delta ({}).",
        told.mechanism
    );
    let size = format!("The noise is on average as large as: {}.", sizes.join(", "));
    let blocks = vec![Block::Banner(how), Block::Paragraph(size)];
    let section = Section {
        public: Some(figures_of(&told)),
        lines: vec![("noise".into(), format!("on average: {}", sizes.join(", ")))],
        public_blocks: blocks.clone(),
        blocks,
        ..Section::new("answers", "Answers", &told)
    };
    let view = AnswersView { original: &data.graph, published: &read.published };
    let mut said = warnings(job, data);
    if job.run.seed.is_some() {
        said.push("whoever knows the seed can take the noise out again".into());
    }
    said.push(
        "nothing is promised about all edges of a person together; every further file about the \
         same graph adds its epsilon to this one's"
            .into(),
    );
    shown::Report {
        input: shown::Input {
            format: data.layout.spell(),
            rows: nodes,
            bytes: data.source.bytes,
            sha256: data.source.sha256.clone(),
            holds: Some(format!("{} edges", count(data.graph.m()))),
            ..shown::Input::default()
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({ "chosen": "by the job", "shape": "answers with noise" }),
        },
        sections: vec![section],
        words: words(),
        suppressed: shown::Suppressed::new(0, 0, nodes),
        metrics: ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect(),
        evidence: shown::Evidence { rows: nodes, ..shown::Evidence::default() },
        warnings: said,
        output: Some(shown::Output {
            rows: nodes,
            bytes: read.source.bytes,
            sha256: read.source.sha256.clone(),
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    }
}
