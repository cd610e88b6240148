//! Fills the private report of a run that generalizes items: loss, risk, and what is published.

use sfumato_core::Result;
use sfumato_core::traits::ClassSizes;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_engine::risks::risks;
use sfumato_report as shown;
use sfumato_report::numbers::count;

use super::section::{NodeFigures, Nodes, words};
use super::{Generalized, TreeRead, tree_of};
use crate::data::item_tree::{ItemTree, Node};
use crate::forms::subsets::Alike;
use crate::kind::Baskets;
use crate::metrics::frequent::Patterns;
use crate::metrics::generalized::{ALL, TreeView};

/// The number of records that are shown side by side.
const SAMPLE: usize = 10;

/// Make the report. The pipeline adds what all releases have in common.
pub(super) fn report(
    written: &Written<'_, Baskets, Generalized>,
    read: &TreeRead,
) -> Result<shown::Report> {
    let Written { job, data: loaded, plan, witness, .. } = *written;
    let tree = tree_of(loaded)?;
    let decided = written.decision();
    let baskets = &loaded.baskets;
    let (leaves, rows) = (&read.leaves, &read.rows);
    let patterns = Patterns::new(leaves, rows, Some(tree));
    let view = TreeView { tree, leaves, rows, order: &witness.order, patterns: &patterns };
    let before = Alike::of(&read.leaves);
    let before = ClassSizes::from_sizes(before.copies.iter().map(|copies| u64::from(*copies)));
    let n_records = baskets.quasi.len() as u64;
    let source = &loaded.source;
    let by_node = by_node(tree, read);
    let told = Nodes {
        layout: job.baskets.layout().into(),
        release_layout: crate::data::layout::spell(&loaded.release_layout),
        items: baskets.quasi.counts().iter().filter(|n| **n > 0).count() as u64,
        instances: baskets.quasi.n_instances(),
        nodes: by_node.len() as u64,
        published: read.rows.n_instances(),
        suppressed_items: decided.suppressed.len() as u64,
        sensitive: baskets.items.sensitive_names(),
        by_node,
    };
    let mut left_out = 0;
    view.each(|_, node| left_out += u64::from(node.is_none()));
    let is_emptied = |(row, record): &(usize, &u32)| {
        read.rows.size(*row) == 0 && read.leaves.size(**record as usize) > 0
    };
    let emptied = witness.order.iter().enumerate().filter(is_emptied).count() as u64;
    Ok(shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: n_records,
            columns: 0,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
            holds: Some(told.holds()),
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({ "chosen": if plan.is_auto { "auto" } else {
                "by the job" }, "shape": "generalized sets", "objective": "ncp" }),
        },
        sections: vec![told.section()],
        words: words(),
        audit: told.audit(job),
        classes: Some(shown::Classes::from_sizes(read.classes.iter())),
        classes_before: Some(shown::Classes::from_sizes(before.iter())),
        suppressed: shown::Suppressed::new(emptied, left_out, n_records),
        metrics: ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect(),
        risks: risks(&before, &read.classes, job.privacy.population)
            .into_iter()
            .map(|(name, before, after)| (name.replace('-', "_"), shown::Change { before, after }))
            .collect(),
        evidence: shown::Evidence {
            rows: n_records,
            cells: read.rows.n_instances(),
            ..shown::Evidence::default()
        },
        warnings: warnings(written),
        sample: sample(tree, read, &witness.order),
        output: Some(shown::Output {
            path: String::new(),
            rows: n_records,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
        }),
        ..shown::Report::default()
    })
}

/// Every published node, those in most rows first.
fn by_node(tree: &ItemTree, read: &TreeRead) -> Vec<NodeFigures> {
    let mut all: Vec<NodeFigures> = read
        .rows
        .counts()
        .into_iter()
        .enumerate()
        .filter(|(_, rows)| *rows > 0)
        .map(|(node, rows)| NodeFigures {
            label: tree.labels()[node].clone(),
            items: u64::from(tree.leaves(node as Node)),
            rows,
        })
        .collect();
    all.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.label.cmp(&b.label)));
    all
}

fn warnings(written: &Written<'_, Baskets, Generalized>) -> Vec<String> {
    let Written { job, data: loaded, .. } = *written;
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("records are in the order of the input, which can give people away".into());
    }
    if loaded.baskets.sensitive.is_some() {
        warnings.push(
            "sensitive items are published as they are, and no model guards them: all records \
             that look alike may share one"
                .into(),
        );
    }
    if loaded.has_utilities {
        warnings.push("what items are worth isn't looked at where items are generalized".into());
    }
    if loaded.repeated > 0 {
        warnings.push(format!(
            "{} items were in their record more than once and count once",
            count(loaded.repeated)
        ));
    }
    if loaded.dropped > 0 {
        let n = count(loaded.dropped);
        warnings.push(format!("{n} instances of items were left out as the job asks"));
    }
    warnings
}

fn sample(tree: &ItemTree, read: &TreeRead, order: &[u32]) -> Vec<shown::SamplePair> {
    let names = |nodes: Vec<Node>| {
        let all: Vec<&str> =
            nodes.iter().map(|node| tree.labels()[*node as usize].as_str()).collect();
        (!all.is_empty()).then(|| all.join(" "))
    };
    let rows = (0..order.len()).step_by(order.len().div_ceil(SAMPLE).max(1)).take(SAMPLE);
    rows.map(|row| {
        let mut pair = shown::SamplePair::default();
        let original = names(read.leaves.set(order[row] as usize));
        pair.original.insert("items".to_string(), original);
        pair.published.insert("items".to_string(), names(read.rows.set(row)));
        pair
    })
    .collect()
}
