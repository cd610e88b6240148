//! Fills the private report of a run that published supernodes.

use serde::Serialize;
use sfumato_core::traits::ClassSizes;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use sfumato_report::numbers::{count, quantity};
use sfumato_report::{Block, Section, figures_of};

use super::{Supernodes, SupernodesRead};
use crate::forms::edited::report::{warnings, words};
use crate::forms::pictures;
use crate::kind::Graphs;
use crate::metrics::supernodes::{ALL, SupernodeView, WORLDS};
use crate::models::hidden_edges::HIDDEN_EDGES;

/// Figures about supernodes. They say nothing that the files don't.
#[derive(Debug, Clone, Serialize)]
struct Told {
    nodes: u64,
    edges: u64,
    supernodes: u64,
    superedges: u64,
    smallest: u64,
    largest: u64,
}

impl Told {
    fn words(&self) -> String {
        format!(
            "{} nodes in {} supernodes of {} to {}, {} edges",
            count(self.nodes),
            count(self.supernodes),
            count(self.smallest),
            count(self.largest),
            count(self.edges)
        )
    }

    fn section(&self, picture: Option<Block>) -> Section {
        let how = format!(
            "Nothing tells which of the nodes of a supernode has which edge. Analysts draw graphs \
             that fit; metrics were measured on {WORLDS} of them."
        );
        let mut blocks = vec![Block::Banner(how), Block::Paragraph(format!("{}.", self.words()))];
        blocks.extend(picture);
        Section {
            public: Some(figures_of(self)),
            lines: vec![("graph".into(), self.words())],
            public_blocks: blocks.clone(),
            blocks,
            ..Section::new("supernodes", "Supernodes", self)
        }
    }
}

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Graphs, Supernodes>, read: &SupernodesRead) -> shown::Report {
    let Written { job, data, plan, .. } = *written;
    let published = &read.stated.published;
    let nodes = published.nodes();
    let told = Told {
        nodes,
        edges: published.edges(),
        supernodes: published.sizes.len() as u64,
        superedges: published.between.len() as u64,
        smallest: published.sizes.iter().copied().min().unwrap_or(0),
        largest: published.sizes.iter().copied().max().unwrap_or(0),
    };
    let sizes = ClassSizes::from_sizes(published.sizes.iter().copied());
    let open = data.open_graph();
    let view = SupernodeView::new(&open, published, written.witness);
    let mut audit = shown::Audit::default();
    audit.leave_out(HIDDEN_EDGES);
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
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
                "shape": "supernodes",
                "spread over worlds": view.spreads().map(|(name, spread)| {
                    format!("{name}: {}", quantity(spread))
                }).collect::<Vec<_>>(),
            }),
        },
        sections: vec![told.section(pictures::supernodes(published))],
        words: words(),
        audit,
        classes: Some(shown::Classes::from_sizes(sizes.iter())),
        suppressed: shown::Suppressed::new(0, 0, nodes),
        metrics: ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect(),
        evidence: shown::Evidence {
            rows: nodes,
            cells: published.edges(),
            ..shown::Evidence::default()
        },
        warnings: warnings(job, data),
        output: Some(shown::Output {
            rows: nodes,
            bytes: read.sources.iter().map(|source| source.bytes).sum(),
            sha256: format!("{} {}", read.sources[0].sha256, read.sources[1].sha256),
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    }
}
