//! The report about mixed records: that of their columns, and what was done to their items.

use std::collections::BTreeMap;

use serde::Serialize;
use sfumato_core::Result;
use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_report as shown;
use shown::numbers::{count, percent};
use shown::{Block, Section, Tile, figures_of};

use super::explain::about;
use super::read_back::Read;
use super::{Classes, shown_word};
use crate::data::MixedData;
use crate::kind::Mixed;

/// What was done to items.
#[derive(Serialize)]
struct Figures {
    column: String,
    items: u64,
    instances: u64,
    published: u64,
    left_out: u64,
    generalized: u64,
    loss: f64,
    classes: u64,
}

/// What may be published of it.
#[derive(Serialize)]
struct Public {
    published: u64,
    loss: f64,
    classes: u64,
}

/// The report of a run.
pub fn report(written: &Written<'_, Mixed, Classes>, read: &Read) -> Result<shown::Report> {
    let (job, data, decision) = (written.job, written.data, written.decision());
    let source = &data.table.source;
    let mut report = decision.sealed.report.clone();
    report.input = shown::Input {
        format: source.format.clone(),
        rows: data.len() as u64,
        columns: data.table.header.len() as u64,
        bytes: source.bytes,
        sha256: source.sha256.clone(),
        ..shown::Input::default()
    };
    let plan = written.plan;
    report.algorithm = shown::Algorithm {
        name: plan.algorithm.info().name.into(),
        params: params_json(&plan.params),
        details: serde_json::json!({ "shape": "classes of mixed records" }),
    };
    report.classes = Some(shown::Classes::from_sizes(alike(read)));
    report.sections.push(section(written));
    report.warnings.extend(warnings(data));
    report.words.counted = "mixed records";
    report.evidence = shown::Evidence {
        rows: read.table.n_rows as u64,
        cells: (read.table.n_rows * read.table.columns.len()) as u64
            + read.judged.rows.units.n_instances(),
        ..shown::Evidence::default()
    };
    let mut audit = shown::Audit::default();
    audit.add_public("--baskets", &format!("list(column={})", shown_word(&data.items_name)));
    if let Some(separator) = written.witness.separator {
        audit.add_public("--item-separator", &separator.to_string());
    }
    let quasi =
        job.columns.0.iter().filter(|(_, spec)| spec.role == sfumato_core::dataset::Role::Quasi);
    let quasi: Vec<&str> = quasi.map(|(name, _)| name.as_str()).collect();
    audit.add_public("--qi", &shown::name_list(&quasi));
    audit.add_original();
    report.audit = audit;
    report.output = Some(shown::Output {
        rows: read.table.n_rows as u64,
        bytes: read.table.source.bytes,
        sha256: read.table.source.sha256.clone(),
        ..shown::Output::default()
    });
    Ok(report)
}

/// How many rows are alike in columns and items, for each of those that differ.
fn alike(read: &Read) -> Vec<(u64, u64)> {
    let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
    for class in &read.judged.classes {
        let mut of_set: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for row in class {
            *of_set.entry(read.judged.rows.units.set(*row as usize)).or_default() += 1;
        }
        of_set.into_values().for_each(|n| *sizes.entry(n).or_default() += 1);
    }
    sizes.into_iter().collect()
}

fn warnings(data: &MixedData) -> Vec<String> {
    let mut warnings = vec![
        "an item that a row doesn't have may have been left out: who lacks an item isn't said"
            .to_string(),
    ];
    if data.sensitive.is_some() {
        warnings.push("sensitive items are published as they are".into());
    }
    if data.repeated > 0 {
        let n = count(data.repeated);
        warnings.push(format!("{n} items were in their row more than once and count once"));
    }
    warnings
}

fn section(written: &Written<'_, Mixed, Classes>) -> Section {
    let (data, decision) = (written.data, written.decision());
    let (mut instances, mut published, mut left_out, mut generalized) = (0, 0, 0, 0);
    for row in &decision.rows {
        let own = data.quasi.set(row.record);
        instances += own.len() as u64;
        published += row.units.len() as u64;
        for item in own {
            match &data.tree {
                None => left_out += u64::from(row.units.binary_search(&item).is_err()),
                Some(tree) => {
                    let Some(leaf) = tree.leaf(item) else { continue };
                    let above = row.units.iter().find(|node| tree.covers(**node, leaf));
                    left_out += u64::from(above.is_none());
                    generalized += u64::from(above.is_some_and(|node| *node != leaf));
                }
            }
        }
    }
    let loss = decision.items_lost / (instances as f64).max(1.0);
    let figures = Figures {
        column: data.items_name.clone(),
        items: data.quasi.counts().iter().filter(|n| **n > 0).count() as u64,
        instances,
        published,
        left_out,
        generalized,
        loss,
        classes: decision.classes as u64,
    };
    let public = Public { published, loss, classes: figures.classes };
    let words = format!(
        "{} items were published; {} of {} were left out, and {} stand for several. That loses {} \
         of what items say.",
        count(published),
        count(left_out),
        count(instances),
        count(generalized),
        percent(loss)
    );
    let told = format!("{} items were published; {} is lost.", count(published), percent(loss));
    Section {
        public: Some(figures_of(&public)),
        public_blocks: vec![Block::Paragraph(told)],
        tiles: vec![Tile::new("Items lost", percent(loss), "left out or generalized")],
        lines: vec![(
            "items".into(),
            format!(
                "{} of {} left out, {} generalized; {} lost, in {} classes",
                count(left_out),
                count(instances),
                count(generalized),
                percent(loss),
                count(figures.classes)
            ),
        )],
        blocks: vec![Block::Paragraph(words), Block::List(about(data))],
        ..Section::new("items", "What was done to items", &figures)
    }
}
