//! The report about redacted documents.

use std::collections::BTreeMap;

use serde::Serialize;
use sfumato_engine::form::Written;
use sfumato_report as shown;
use shown::numbers::{count, counted, percent};
use shown::{Block, Heading, Section, Tile, figures_of, shorten};

use super::certificate::{covers, name_of};
use super::read_back::Read;
use super::{Plan, Redacted};
use crate::data::{Corpus, Entities, Reason, Replaced, replace};
use crate::detectors::Chosen;
use crate::detectors::tagger::Measured;
use crate::job::Layout;
use crate::kind::Documents;
use crate::metrics::{self, Outcome};

/// How many documents the private page shows with their marks.
const SHOWN: usize = 20;
/// The length to which documents are cut on the page.
const CUT: usize = 700;

/// What was done to documents, for the private report.
#[derive(Serialize)]
struct Figures<'a> {
    documents: u64,
    documents_changed: u64,
    replaced: u64,
    by_class: BTreeMap<&'a str, u64>,
    terms_taken_out: u64,
    replaced_by: &'a str,
    detectors: Vec<String>,
    measured: BTreeMap<String, Recall>,
}

/// How much of a class a tagger found where that was measured.
#[derive(Serialize)]
struct Recall {
    tagger: String,
    there: u64,
    covered: u64,
    share: f64,
    low: f64,
    high: f64,
}

/// What may be published of it.
#[derive(Serialize)]
struct Public<'a> {
    documents: u64,
    replaced: u64,
    by_class: &'a BTreeMap<&'a str, u64>,
    replaced_by: &'a str,
    detectors: &'a [String],
}

/// What was done, in words, where no model promises anything.
pub fn mechanism(plan: &Plan) -> String {
    let names = plan.chosen.as_ref().map(|chosen| chosen.names()).unwrap_or_default();
    let known = plan.chosen.as_ref().and_then(recall_words);
    let known = known.unwrap_or_else(|| "how much they find wasn't measured".into());
    format!("what these detectors found was replaced: {}; {known}", names.join(", "))
}

/// How much taggers find of each class, with its interval, where that was measured.
pub fn recall_words(chosen: &Chosen) -> Option<String> {
    let measured = recalls(Some(chosen));
    let words = measured.iter().map(|(class, recall)| {
        let Recall { share, low, high, .. } = recall;
        format!("{class} {} ({} to {})", percent(*share), percent(*low), percent(*high))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| {
        format!(
            "measured on the texts that a tagger was trained on, by cross-validation, the share of \
             parts of which nothing stays: {}",
            words.join(", ")
        )
    })
}

fn recalls(chosen: Option<&Chosen>) -> BTreeMap<String, Recall> {
    let mut all = BTreeMap::new();
    for tagger in chosen.into_iter().flat_map(|chosen| chosen.taggers()) {
        for (class, measured) in &tagger.measured.0 {
            let Measured { there, covered, .. } = *measured;
            if let Some((share, low, high)) = measured.coverage() {
                let tagger = tagger.name.clone();
                all.insert(class.clone(), Recall { tagger, there, covered, share, low, high });
            }
        }
    }
    all
}

/// The report of a run.
pub fn report(written: &Written<'_, Documents, Redacted>, read: &Read) -> shown::Report {
    let (corpus, plan) = (written.data, written.plan);
    let replaced = &written.decision().replaced;
    let terms = plan.entities.as_ref().map(|entities| terms(corpus, read, entities));
    let outcome = Outcome { corpus, replaced, terms: terms.as_deref() };
    let documents = corpus.documents.len() as u64;
    let n_replaced: usize = replaced.iter().map(Vec::len).sum();
    let bytes = read.files.iter().map(|(_, bytes, _)| bytes).sum();
    let characters: usize = corpus.documents.iter().map(|one| one.text.len()).sum();
    shown::Report {
        input: shown::Input {
            format: corpus.format.into(),
            rows: documents,
            columns: corpus.others.len() as u64 + 1,
            holds: Some(format!("{} of text", shown::numbers::bytes(characters as u64))),
            bytes: corpus.bytes,
            sha256: corpus.sha256.clone(),
            ..shown::Input::default()
        },
        algorithm: shown::Algorithm {
            name: match (plan.requirements.0.is_empty(), plan.algorithm) {
                (true, _) => "detectors".into(),
                (false, Some(algorithm)) => algorithm.info().name.into(),
                (false, None) => {
                    let names = written.decision().algorithms.iter();
                    names.copied().collect::<Vec<_>>().join(" and ")
                }
            },
            ..shown::Algorithm::default()
        },
        sections: vec![section(written, replaced, read)],
        metrics: metrics::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&outcome)))
            .collect(),
        evidence: shown::Evidence {
            rows: documents,
            cells: n_replaced as u64,
            ..shown::Evidence::default()
        },
        warnings: warnings(written, terms.as_deref()),
        words: shown::Words {
            counted: "documents",
            cells: "parts",
            suppresses: false,
            cost: "Kept",
            cost_note: "What is left of the documents, over the whole release.",
            ..shown::Words::default()
        },
        audit: audit(written),
        output: Some(shown::Output {
            rows: documents,
            bytes,
            sha256: match &read.files[..] {
                [(_, _, sha256)] if !read.corpus.is_folder() => sha256.clone(),
                _ => read.corpus.sha256.clone(),
            },
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    }
}

/// How to audit the release.
fn audit(written: &Written<'_, Documents, Redacted>) -> shown::Audit {
    let mut audit = shown::Audit::default();
    audit.add_public("--text", &written.job.text.layout);
    let spec = &written.job.text;
    for (flag, file) in [("--entities", &spec.entities), ("--protected", &spec.protected)] {
        if let Some(file) = file {
            audit.add_private(flag, file);
        }
    }
    audit.add_original();
    audit
}

/// How many terms of protected entities each document had and has.
fn terms(corpus: &Corpus, read: &Read, entities: &Entities) -> Vec<(u64, u64)> {
    let n = |text: &str| entities.terms_of(text).len() as u64;
    let documents = corpus.documents.iter().zip(&read.corpus.documents);
    documents.map(|(before, after)| (n(&before.text), n(&after.text))).collect()
}

fn warnings(
    written: &Written<'_, Documents, Redacted>,
    terms: Option<&[(u64, u64)]>,
) -> Vec<String> {
    let (corpus, plan) = (written.data, written.plan);
    let mut warnings = Vec::new();
    if plan.chosen.is_some() {
        warnings.push(
            "detectors promise nothing: what they overlook is published; read a sample before you \
             hand the release out"
                .into(),
        );
    }
    if terms.is_some_and(|terms| terms.iter().all(|(before, _)| *before == 0)) {
        warnings.push(
            "no document has any term of a protected entity: look whether the file of entities is \
             written as it was meant"
                .into(),
        );
    }
    if !corpus.others.is_empty() {
        warnings.push(format!(
            "fields beside the text are published as they are, and nobody looked at them: {}",
            corpus.others.join(", ")
        ));
    }
    if let Ok(Layout::Field { subject: Some(name), .. }) = written.job.layout() {
        warnings.push(format!(
            "field '{name}' says whose each document is, and is published: whoever knows \
             somebody's value finds all documents of theirs; put numbers there that nobody knows"
        ));
    }
    let is_found = |name: &str| {
        let found = plan.chosen.as_ref().is_some_and(|chosen| !chosen.find(name).is_empty());
        found || plan.entities.as_ref().is_some_and(|entities| !entities.terms_of(name).is_empty())
    };
    if corpus.is_folder() {
        let named = corpus.documents.iter().filter(|one| is_found(&one.name)).count() as u64;
        if named > 0 {
            warnings.push(format!(
                "files keep their names, and {} of them have something in their names that would \
                 be replaced in a text",
                count(named)
            ));
        }
    }
    warnings.push("documents are in the order of the input".into());
    warnings
}

fn section(
    written: &Written<'_, Documents, Redacted>,
    replaced: &[Vec<Replaced>],
    read: &Read,
) -> Section {
    let (corpus, plan) = (written.data, written.plan);
    let mut by_class: BTreeMap<&str, u64> = BTreeMap::new();
    for one in replaced.iter().flatten() {
        *by_class.entry(one.class.as_ref()).or_insert(0) += 1;
    }
    let is_term = |one: &&Replaced| one.reason == Reason::Term;
    let figures = Figures {
        documents: corpus.documents.len() as u64,
        documents_changed: replaced.iter().filter(|own| !own.is_empty()).count() as u64,
        replaced: replaced.iter().map(Vec::len).sum::<usize>() as u64,
        by_class,
        terms_taken_out: replaced.iter().flatten().filter(is_term).count() as u64,
        replaced_by: written.job.text.replace.as_deref().unwrap_or("tag"),
        detectors: plan.chosen.as_ref().map(|chosen| chosen.names()).unwrap_or_default(),
        measured: recalls(plan.chosen.as_ref()),
    };
    let public = Public {
        documents: figures.documents,
        replaced: figures.replaced,
        by_class: &figures.by_class,
        replaced_by: figures.replaced_by,
        detectors: &figures.detectors,
    };
    let rows = figures.by_class.iter().map(|(class, n)| vec![class.to_string(), count(*n)]);
    let table = Block::Table {
        caption: "What was replaced".into(),
        header: vec![Heading::words("Class"), Heading::numbers("Parts")],
        rows: rows.collect(),
    };
    let words = format!(
        "{} in {} of {} were replaced.",
        counted(figures.replaced, "part"),
        count(figures.documents_changed),
        counted(figures.documents, "document")
    );
    let public_words = format!(
        "Of {}, {} were replaced. Everything else is as it was.",
        counted(figures.documents, "document"),
        counted(figures.replaced, "part")
    );
    let mut blocks = vec![Block::Paragraph(words), table.clone()];
    blocks.extend(measured_table(&figures.measured));
    blocks.push(Block::Paragraph(
        "Documents with what was replaced between brackets, and what took its place:".into(),
    ));
    blocks.push(Block::List(marked(corpus, replaced)));
    blocks.extend(plan.entities.as_ref().and_then(|known| covers_table(corpus, replaced, known)));
    debug_assert_eq!(read.corpus.documents.len(), corpus.documents.len());
    Section {
        public: Some(figures_of(&public)),
        public_blocks: vec![Block::Paragraph(public_words), table],
        tiles: vec![Tile::new("Replaced", count(figures.replaced), "parts of documents")],
        lines: vec![(
            "replaced".into(),
            format!(
                "{} in {} of {} documents",
                counted(figures.replaced, "part"),
                count(figures.documents_changed),
                count(figures.documents)
            ),
        )],
        blocks,
        ..Section::new("redaction", "What was replaced", &figures)
    }
}

fn measured_table(measured: &BTreeMap<String, Recall>) -> Option<Block> {
    let row = |(class, recall): (&String, &Recall)| {
        vec![
            class.clone(),
            count(recall.there),
            percent(recall.share),
            format!("{} to {}", percent(recall.low), percent(recall.high)),
        ]
    };
    (!measured.is_empty()).then(|| Block::Table {
        caption:
            "How much taggers found in texts like those that they were trained on: nothing of \
                  the part stayed"
                .into(),
        header: vec![
            Heading::words("Class"),
            Heading::numbers("Parts"),
            Heading::numbers("Found"),
            Heading::numbers("Interval of 95 %"),
        ],
        rows: measured.iter().map(row).collect(),
    })
}

/// The first documents in which something was replaced, with marks.
fn marked(corpus: &Corpus, replaced: &[Vec<Replaced>]) -> Vec<String> {
    let documents = corpus.documents.iter().zip(replaced).filter(|(_, own)| !own.is_empty());
    let one = |(document, own): (&crate::data::Document, &Vec<Replaced>)| {
        let shown: Vec<Replaced> = own
            .iter()
            .map(|one| {
                let text = format!("⟦{} → {}⟧", &document.text[one.start..one.end], one.text);
                Replaced { text, ..one.clone() }
            })
            .collect();
        let text = replace(&document.text, &shown);
        format!("{}: {}", document.name, shorten(&text, CUT))
    };
    documents.take(SHOWN).map(one).collect()
}

/// Who covers the protected entities of the first documents.
fn covers_table(corpus: &Corpus, replaced: &[Vec<Replaced>], entities: &Entities) -> Option<Block> {
    let mut rows = Vec::new();
    for (at, (document, own)) in corpus.documents.iter().zip(replaced).enumerate() {
        if rows.len() >= 5 * SHOWN {
            break;
        }
        let text = replace(&document.text, own);
        for cover in covers(&name_of(corpus, at), &text, entities).take(SHOWN) {
            rows.push(vec![
                document.name.clone(),
                cover.entity.into(),
                count(cover.terms),
                count(cover.covers),
                shorten(&cover.some.join(", "), 120).to_string(),
            ]);
        }
    }
    (!rows.is_empty()).then(|| Block::Table {
        caption: "Who else could be meant".into(),
        header: vec![
            Heading::words("Document"),
            Heading::words("Protected entity"),
            Heading::numbers("Terms left"),
            Heading::numbers("Others who have them"),
            Heading::words("Some of these"),
        ],
        rows,
    })
}
