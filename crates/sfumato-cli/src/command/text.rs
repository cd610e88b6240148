//! `sfumato text tag|train|score`: the loop in which a tagger learns from a person's tags.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, Subcommand};
use sfumato_core::Result;
use sfumato_io::write_text_atomically;
use sfumato_report::numbers::count;
use sfumato_text::detectors::tagger::Measured;
use sfumato_text::learn::{self, Score};

use super::{Context, print, set_threads, to_json};

#[derive(Args)]
pub struct Text {
    #[command(subcommand)]
    what: What,
}

/// Documents, and where their text is.
#[derive(Args)]
struct Documents {
    /// The documents: a folder, a mailbox, JSON lines or a table.
    #[arg(value_name = "DATA")]
    input: String,
    /// Where their text is: folder, mbox or 'field=NAME'.
    #[arg(long, value_name = "WHERE")]
    text: String,
}

#[derive(Subcommand)]
enum What {
    /// Write what detectors find, to be corrected by hand: JSON lines of spans, or of texts with
    /// marks in them
    Tag {
        #[command(flatten)]
        documents: Documents,
        /// What to look for: as of anonymize. A tagger that was trained before is a file.
        #[arg(long, value_name = "WHAT", default_value = "default", value_delimiter = ',')]
        detect: Vec<String>,
        /// Where to write the tags.
        #[arg(short, long, value_name = "FILE")]
        output: String,
        /// Write whole texts with marks such as ⟦PERSON|Ann⟧ instead of spans.
        #[arg(long)]
        marked: bool,
    },
    /// Train a tagger on documents and their tags
    Train {
        #[command(flatten)]
        documents: Documents,
        /// The tags: spans, or marked texts. May be given again.
        #[arg(long, value_name = "FILE", required = true)]
        tags: Vec<String>,
        /// Where to write the tagger. It remembers words of the documents, and is private.
        #[arg(short, long, value_name = "FILE")]
        output: String,
        /// How often all documents are looked at.
        #[arg(long, value_name = "N", default_value_t = 8)]
        epochs: u32,
        /// In how many parts documents are divided to measure the tagger; 0 doesn't.
        #[arg(long, value_name = "N", default_value_t = 5)]
        folds: u32,
        /// Where the random order of documents starts from.
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
    },
    /// Compare what detectors find with tags: precision, recall and F1 by class
    Score {
        #[command(flatten)]
        documents: Documents,
        /// The right tags: spans, or marked texts.
        #[arg(long, value_name = "FILE")]
        tags: String,
        /// What to look for: as of anonymize.
        #[arg(long, value_name = "WHAT", default_value = "default", value_delimiter = ',')]
        detect: Vec<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

impl Text {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        match self.what {
            What::Tag { documents, detect, output, marked } => {
                let corpus = learn::read(&documents.input, &documents.text)?;
                let found = learn::find(&corpus, &detect)?;
                let tags = learn::tags(&corpus, &found, marked)?;
                write_text_atomically(Path::new(&output), &tags, true)?;
                let parts: usize = found.iter().map(Vec::len).sum();
                context.say(&format!("{} parts are tagged in {output}", count(parts as u64)));
            }
            What::Train { documents, tags, output, epochs, folds, seed } => {
                let corpus = learn::read(&documents.input, &documents.text)?;
                let tagger = learn::train(&corpus, &tags, &output, (epochs, folds, seed))?;
                write_text_atomically(Path::new(&output), &tagger.to_text(), true)?;
                let trained = format!("trained on {} documents", count(tagger.documents));
                if folds == 0 {
                    context.say(&format!("{trained}; --folds 5 would measure how much it finds"));
                    return Ok(0);
                }
                context
                    .say(&words(&Score { measured: tagger.measured.clone(), ..Score::default() }));
                context.say(&format!(
                    "{trained}; the figures are of documents that it wasn't trained on, by \
                     cross-validation"
                ));
            }
            What::Score { documents, tags, detect, json } => {
                let corpus = learn::read(&documents.input, &documents.text)?;
                let score = learn::score(&corpus, &tags, &detect)?;
                print(&if json { to_json(&figures(&score))? + "\n" } else { words(&score) })?;
            }
        }
        Ok(0)
    }
}

/// The figures of all classes, for programs.
fn figures(score: &Score) -> serde_json::Value {
    let of = |counts: &Measured| {
        let rates = |[precision, recall, f1]: [Option<f64>; 3]| {
            let rates = [("precision", precision), ("recall", recall), ("f1", f1)];
            BTreeMap::from(rates)
        };
        let covered = counts.coverage();
        let covered = covered.map(|(share, low, high)| {
            serde_json::json!({ "parts": counts.covered, "share": share, "low": low, "high": high })
        });
        serde_json::json!({
            "there": counts.there,
            "found": counts.found,
            "strict": rates(counts.strict()),
            "overlap": rates(counts.overlap()),
            "covered": covered,
        })
    };
    let classes: serde_json::Map<String, serde_json::Value> =
        score.measured.0.iter().map(|(class, counts)| (class.clone(), of(counts))).collect();
    serde_json::json!({
        "classes": classes,
        "all": of(&score.measured.total(&[])),
        "microseconds": score.microseconds,
    })
}

/// The figures of all classes, one line each.
fn words(score: &Score) -> String {
    let mut out = format!(
        "{:<24}{:>7}{:>7}  {:>20}  {:>20}  {:>7}  {}\n",
        "class",
        "there",
        "found",
        "strict P    R    F1",
        "overlap P    R    F1",
        "covered",
        "95 % interval"
    );
    let rate = |rate: Option<f64>| rate.map_or("   -".into(), |rate| format!("{rate:.3}"));
    let all = ("all".to_string(), score.measured.total(&[]));
    for (class, counts) in score.measured.0.clone().into_iter().chain([all]) {
        let [strict, overlap] =
            [counts.strict(), counts.overlap()].map(|rates| rates.map(rate).join(" "));
        let covered = rate(counts.coverage().map(|(share, _, _)| share));
        let interval = counts.coverage().map(|(_, low, high)| format!("{low:.3} - {high:.3}"));
        let _ = writeln!(
            out,
            "{class:<24}{:>7}{:>7}  {strict:>20}  {overlap:>20}  {covered:>7}  {}",
            counts.there,
            counts.found,
            interval.unwrap_or_else(|| "-".into())
        );
    }
    if let Some(microseconds) = score.microseconds {
        let _ = writeln!(out, "{microseconds:.1} microseconds of one core for each document");
    }
    out
}
