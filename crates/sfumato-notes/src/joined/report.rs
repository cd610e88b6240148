//! The report about notes: that of their columns, and what was done to their texts.

use std::collections::BTreeMap;

use serde::Serialize;
use sfumato_engine::form::Written;
use sfumato_report as shown;
use sfumato_text::data::{Replaced, replace};
use sfumato_text::job::Level;
use shown::numbers::{count, counted, percent};
use shown::{Block, Heading, Section, Tile, figures_of, shorten};

use super::Joined;
use super::explain::about;
use super::joint::RECORD;
use super::read_back::Read;
use crate::kind::Notes;

/// How many notes the private page shows with their marks.
const SHOWN: usize = 20;
/// The length to which notes are cut on the page.
const CUT: usize = 700;

/// What was done to texts.
#[derive(Serialize)]
struct Figures {
    notes: u64,
    people: u64,
    linked_by_number: u64,
    linked_by_name: u64,
    rounds: u64,
    replaced: u64,
    written_back: u64,
    by_class: BTreeMap<String, u64>,
    texts_saying_more: u64,
    characters_kept: Option<f64>,
}

/// What may be published of it.
#[derive(Serialize)]
struct Public<'a> {
    notes: u64,
    replaced: u64,
    written_back: u64,
    by_class: &'a BTreeMap<String, u64>,
    texts_saying_more: u64,
}

/// The report of a run.
pub fn report(written: &Written<'_, Notes, Joined>, read: &Read) -> shown::Report {
    let (noted, decision) = (written.data, written.decision());
    let source = &noted.table.source;
    let mut report = decision.sealed.report.clone().unwrap_or_default();
    report.input = shown::Input {
        format: source.format.clone(),
        rows: noted.len() as u64,
        columns: noted.table.columns.len() as u64,
        bytes: source.bytes,
        sha256: source.sha256.clone(),
        ..shown::Input::default()
    };
    // The number of a note is no column of anybody's file.
    report.columns.retain(|column| !column.name.starts_with('#'));
    report.warnings.retain(|warning| !warning.contains(RECORD));
    report.dependencies.retain(|dependency| dependency.column != RECORD);
    report.sample.clear();
    report.sections.push(section(written, read));
    if decision.sealed.report.is_none() {
        report.algorithm =
            shown::Algorithm { name: "detectors".into(), ..shown::Algorithm::default() };
    }
    report.warnings.extend(warnings(written));
    report.words.counted = "notes";
    report.evidence = shown::Evidence {
        rows: read.table.n_rows as u64,
        cells: (read.table.n_rows * read.table.columns.len()) as u64,
        ..shown::Evidence::default()
    };
    report.audit = audit(written);
    report.output = Some(shown::Output {
        rows: read.table.n_rows as u64,
        bytes: read.table.source.bytes,
        sha256: read.table.source.sha256.clone(),
        ..shown::Output::default()
    });
    report
}

fn audit(written: &Written<'_, Notes, Joined>) -> shown::Audit {
    let mut audit = shown::Audit::default();
    audit.add_public("--text", &written.job.text.layout);
    let detect = written.job.text.detect.join(",");
    if !detect.is_empty() {
        audit.add_private("--detect", &detect);
    }
    audit.add_original();
    audit
}

fn warnings(written: &Written<'_, Notes, Joined>) -> Vec<String> {
    let mut warnings = vec![
        "detectors promise nothing: what they overlook in a text is published, and isn't counted; \
         read a sample before you hand the release out"
            .to_string(),
    ];
    let measured = sfumato_text::forms::redacted::recall_words(&written.data.extractor.chosen);
    warnings.extend(measured.map(|words| format!("of what texts say, {words}")));
    if written.plan.level == Level::Partial {
        warnings.push("quasi identifiers stay as they are, in columns and in texts".into());
    }
    warnings
}

fn section(written: &Written<'_, Notes, Joined>, read: &Read) -> Section {
    let (noted, rows) = (written.data, &written.decision().rows);
    let mut by_class: BTreeMap<String, u64> = BTreeMap::new();
    let (mut n_replaced, mut written_back, mut gone, mut all) = (0, 0, 0, 0);
    for row in rows {
        all += noted.texts[row.record].len();
        for one in &row.replaced {
            *by_class.entry(one.class.to_string()).or_insert(0) += 1;
            n_replaced += 1;
            let inner = one.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
            let is_word = |c: char| c.is_ascii_uppercase() || c == '_';
            let is_mark = inner.is_some_and(|inner| inner.chars().all(is_word));
            written_back += u64::from(!is_mark && is_value(noted, one));
            gone += one.end - one.start;
        }
    }
    let linked = &noted.view.linked;
    let figures = Figures {
        notes: rows.len() as u64,
        people: linked.people,
        linked_by_number: linked.by_number,
        linked_by_name: linked.by_name,
        rounds: noted.view.rounds,
        replaced: n_replaced,
        written_back,
        by_class,
        texts_saying_more: read.leftovers.rows,
        characters_kept: (all > 0).then(|| 1.0 - gone as f64 / all as f64),
    };
    let public = Public {
        notes: figures.notes,
        replaced: figures.replaced,
        written_back: figures.written_back,
        by_class: &figures.by_class,
        texts_saying_more: figures.texts_saying_more,
    };
    let table = Block::Table {
        caption: "What was replaced in texts".into(),
        header: vec![Heading::words("Class"), Heading::numbers("Parts")],
        rows: figures.by_class.iter().map(|(class, n)| vec![class.clone(), count(*n)]).collect(),
    };
    let words = format!(
        "{} of texts were replaced, {} of them by what their row says; {} of the characters are \
         left. {} texts say something that their row doesn't.",
        counted(figures.replaced, "part"),
        count(figures.written_back),
        percent(figures.characters_kept.unwrap_or(1.0)),
        count(figures.texts_saying_more),
    );
    let mut blocks =
        vec![Block::Paragraph(words.clone()), Block::List(about(noted)), table.clone()];
    blocks.push(Block::Paragraph("Notes with what was replaced, and what took its place:".into()));
    let shown = rows.iter().filter(|row| !row.replaced.is_empty()).take(SHOWN).map(|row| {
        let text = &noted.texts[row.record];
        let mark = |one: &Replaced| Replaced {
            text: format!("⟦{} → {}⟧", &text[one.start..one.end], one.text),
            ..one.clone()
        };
        let marked: Vec<Replaced> = row.replaced.iter().map(mark).collect();
        format!("{}: {}", row.record + 1, shorten(&replace(text, &marked), CUT))
    });
    blocks.push(Block::List(shown.collect()));
    Section {
        public: Some(figures_of(&public)),
        public_blocks: vec![Block::Paragraph(words), table],
        tiles: vec![Tile::new("Written back", count(figures.written_back), "values in texts")],
        lines: vec![(
            "texts".into(),
            format!(
                "{} replaced, {} by what their row says; {} people",
                counted(figures.replaced, "part"),
                count(figures.written_back),
                count(figures.people)
            ),
        )],
        blocks,
        ..Section::new("texts", "What was done to texts", &figures)
    }
}

/// Whether a part is a value of the view.
fn is_value(noted: &crate::data::Noted, one: &Replaced) -> bool {
    noted.extractor.attributes.iter().any(|attribute| {
        attribute.classes.iter().any(|class| *class == one.class)
            || attribute.mark().trim_matches(['[', ']']) == one.class
    })
}
