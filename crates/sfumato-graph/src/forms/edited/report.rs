//! Fills the private report of a run that published a graph with its edges changed.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::registry::{Info, Params};
use sfumato_core::traits::ClassSizes;
use sfumato_engine::form::{Form, Written};
use sfumato_engine::reports::params_json;
use sfumato_engine::risks::risks;
use sfumato_report as shown;
use sfumato_report::numbers::count;

use super::publish::Witness;
use super::read_back::EditedRead;
use super::section::Told;
use crate::data::{Alike, Loaded};
use crate::forms::figures::hiding;
use crate::forms::pictures;
use crate::forms::stated::Stated;
use crate::job::Job;
use crate::kind::Graphs;
use crate::models::hidden_edges::HIDDEN_EDGES;
use crate::traits::{Edits, GraphView};

/// Who decided: the algorithm, its parameters, and whether it was chosen by the program.
pub(crate) struct Decider<'a> {
    pub info: &'static Info,
    pub params: &'a Params,
    pub is_auto: bool,
}

/// Make the report. The pipeline adds what all releases have in common.
pub(crate) fn report<F: Form<Graphs, Decision = Edits, Witness = Witness>>(
    written: &Written<'_, Graphs, F>,
    decider: &Decider<'_>,
    read: &EditedRead,
) -> Result<shown::Report> {
    let Written { job, data, witness, .. } = *written;
    let nodes = data.graph.n() as u64;
    let before = Stated::new(data.graph.clone(), data.labels.clone(), false);
    let classes = |stated: &Stated| -> Result<ClassSizes> {
        let sizes =
            |alike: &Alike| ClassSizes::from_sizes(alike.sizes.iter().map(|size| u64::from(*size)));
        let found = stated.alike(Structure::Refined(1), sizes)?;
        Ok(found.unwrap_or_else(|| ClassSizes::from_sizes([])))
    };
    let (classes_before, classes_after) = (classes(&before)?, classes(&read.stated)?);
    let told = Told {
        layout: witness.layout.spell(),
        nodes,
        edges: read.stated.graph.m(),
        edges_before: data.graph.m(),
        added: read.added.len() as u64,
        deleted: read.deleted.len() as u64,
        loops: data.left_out.loops,
        repeated: data.left_out.repeated,
        hiding_before: hiding(&before)?,
        hiding: hiding(&read.stated)?,
    };
    let found: serde_json::Map<String, serde_json::Value> = written
        .decision()
        .findings
        .iter()
        .map(|(name, value)| (name.to_string(), (*value).into()))
        .collect();
    // What metrics sample is no secret: they start from the same place in every run.
    let view = GraphView {
        original: &data.graph,
        published: &read.in_original,
        labels: data.labels.as_ref(),
        seed: 0,
    };
    let drawn = [pictures::degrees(Some(&data.graph), &read.in_original)].into_iter();
    let drawn = drawn.chain(pictures::changes(&data.graph, &read.in_original)).collect();
    let mut audit = shown::Audit::default();
    audit.add_public("--graph", &witness.layout.spell());
    audit.leave_out(HIDDEN_EDGES);
    Ok(shown::Report {
        input: shown::Input {
            format: data.layout.spell(),
            rows: nodes,
            columns: 0,
            bytes: data.source.bytes,
            sha256: data.source.sha256.clone(),
            holds: Some(format!("{} edges", count(data.graph.m()))),
            ..shown::Input::default()
        },
        algorithm: shown::Algorithm {
            name: decider.info.name.into(),
            params: params_json(decider.params),
            details: serde_json::json!({
                "chosen": if decider.is_auto { "auto" } else { "by the job" },
                "shape": "a graph with edges changed",
                "findings": found,
            }),
        },
        sections: vec![told.section(drawn, pictures::degrees(None, &read.stated.graph))],
        words: words(),
        audit,
        classes: Some(shown::Classes::from_sizes(classes_after.iter())),
        classes_before: Some(shown::Classes::from_sizes(classes_before.iter())),
        suppressed: shown::Suppressed::new(0, 0, nodes),
        metrics: crate::metrics::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        risks: risks(&classes_before, &classes_after, job.privacy.population)
            .into_iter()
            .map(|(name, before, after)| (name.replace('-', "_"), shown::Change { before, after }))
            .collect(),
        evidence: shown::Evidence {
            rows: nodes,
            cells: read.stated.graph.m(),
            note: Some(format!(
                "the file differs from the original in {} edges, which are those that were decided",
                count(told.added + told.deleted)
            )),
            ..shown::Evidence::default()
        },
        warnings: warnings(job, data),
        output: Some(shown::Output {
            rows: nodes,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    })
}

/// What records and their parts are called.
pub(crate) fn words() -> shown::Words {
    shown::Words {
        counted: "nodes",
        cells: "edges",
        suppresses: false,
        cost: "Change",
        cost_note: "How far the graph changed. Smaller is better unless the metric says otherwise.",
        ..shown::Words::default()
    }
}

/// What the reader left out, and what else a steward must know.
pub(crate) fn warnings(job: &Job, data: &Loaded) -> Vec<String> {
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push(
            "a seed was given: not for release, whoever knows it knows which node is whose".into(),
        );
    }
    let counted = [
        (data.left_out.loops, "edges of the input lead from a node to itself and were left out"),
        (
            data.left_out.repeated,
            "edges of the input were there before, in either direction, and count once",
        ),
        (
            data.more_fields,
            "edges of the input say more than their two ends (weights, times, labels), which \
             isn't published",
        ),
        (data.nameless, "nodes are known only by their number: they have no edge and no name"),
    ];
    for (n, what) in counted.into_iter().filter(|(n, _)| *n > 0) {
        warnings.push(format!("{} {what}", count(n)));
    }
    if data.is_directed {
        warnings.push("the directions of edges aren't published".into());
    }
    warnings
}
