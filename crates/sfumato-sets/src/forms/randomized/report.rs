//! Fills the private report of a run that randomizes baskets.

use sfumato_core::Result;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use sfumato_report::numbers::{count, quantity};

use super::Randomized;
use super::read_back::{RandomRead, layout_of};
use crate::data::layout::spell;
use crate::kind::Baskets;
use crate::metrics::randomized::{self, RandomView};

/// Figures about the operator.
#[derive(serde::Serialize)]
struct OperatorFigures {
    items: u64,
    instances: u64,
    published: u64,
    amplification: f64,
    allowed: f64,
    by_size: Vec<SizeFigures>,
}

#[derive(serde::Serialize)]
struct SizeFigures {
    size: u32,
    records: u64,
    rho: f64,
    kept: f64,
}

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(
    written: &Written<'_, Baskets, Randomized>,
    read: &RandomRead,
) -> Result<shown::Report> {
    let Written { job, data: loaded, plan, .. } = *written;
    let drawn = written.decision();
    let quasi = &loaded.baskets.quasi;
    let rows = quasi.len() as u64;
    let of_size = |of: &crate::algorithms::randomization::operator::SizeOperator| SizeFigures {
        size: of.size,
        records: read.sizes.iter().filter(|size| **size == of.size).count() as u64,
        rho: of.rho,
        kept: of.mean_kept(),
    };
    let figures = OperatorFigures {
        items: quasi.counts().iter().filter(|n| **n > 0).count() as u64,
        instances: quasi.n_instances(),
        published: read.rows.n_instances(),
        amplification: drawn.operator.amplification(),
        allowed: plan.amplification,
        by_size: drawn.operator.by_size.iter().map(of_size).collect(),
    };
    let row = |of: &SizeFigures| {
        vec![of.size.to_string(), count(of.records), quantity(of.rho), quantity(of.kept)]
    };
    let table = shown::Block::Table {
        caption: "The operator".into(),
        header: vec![
            shown::Heading::words("Items of a record"),
            shown::Heading::numbers("Records"),
            shown::Heading::numbers("Chance that another item is added"),
            shown::Heading::numbers("Items kept on average"),
        ],
        rows: figures.by_size.iter().map(row).collect(),
    };
    let section = shown::Section {
        place: shown::Place::Details,
        blocks: vec![table],
        ..shown::Section::new("operator", "How sets were randomized", &figures)
    };
    let mut audit = shown::Audit::default();
    audit.add_public("--baskets", &spell(&layout_of(&loaded.release_layout)));
    let mut warnings = vec![
        "sizes of records and the names of all items are published as they are: nothing is \
         promised about them"
            .to_string(),
    ];
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, what was drawn can be replayed".into());
    }
    let view = RandomView {
        original: quasi,
        read,
        operator: &drawn.operator,
        order: &written.witness.order,
    };
    Ok(shown::Report {
        input: shown::Input {
            format: loaded.source.format.clone(),
            rows,
            bytes: loaded.source.bytes,
            sha256: loaded.source.sha256.clone(),
            holds: Some(format!(
                "{} different items, {} in all",
                count(figures.items),
                count(figures.instances)
            )),
            ..shown::Input::default()
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
                "shape": "random sets",
            }),
        },
        metrics: randomized::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        sections: vec![section],
        words: shown::Words { cells: "items", suppresses: false, ..shown::Words::default() },
        audit,
        evidence: shown::Evidence {
            rows,
            cells: read.rows.n_instances(),
            ..shown::Evidence::default()
        },
        warnings,
        output: Some(shown::Output {
            rows,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    })
}
