//! What detectors and taggers find in the two synthetic corpora of the data folder.
//!
//! `cargo run --release -p sfumato-text --example corpora` prints the tables of docs/text.md;
//! with `--ship FILE` it writes the tagger that comes with the program.

mod presidio;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use presidio::{PATTERNS, Text, learned, load};
use sfumato_text::data::Span;
use sfumato_text::detectors::Chosen;
use sfumato_text::detectors::tagger::{ByClass, Example, Training, compare};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::var("SFUMATO_DATA").unwrap_or_else(|_| "../shared/data".into());
    let folder = PathBuf::from(folder).join("text");
    if !folder.is_dir() {
        println!("skipped: there is no folder {}", folder.display());
        return Ok(());
    }
    let large = load(&folder.join("presidio_generated_large.json.gz"))?;
    let synth = load(&folder.join("presidio_synth_dataset_v2.json.gz"))?;
    let training = Training::default();
    let examples: Vec<Example> = large.iter().map(|text| learned(&text.example)).collect();
    let tagger = training.train(&examples, "shipped")?;
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, path] = &arguments[..]
        && flag == "--ship"
    {
        std::fs::write(path, tagger.to_text())?;
    }
    let chosen = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        Chosen::new(&names, Path::new(""))
    };
    let all: Vec<&Text> = synth.iter().collect();
    let without = chosen(&["patterns", "person", "place"])?;
    show("without a tagger, all of presidio_synth_dataset_v2", &all, &without);
    show(
        "tagger trained on presidio_generated_large, all of presidio_synth_dataset_v2",
        &all,
        &chosen(&["patterns", "person", "place"])?.with(tagger),
    );
    let known: BTreeSet<&str> = large.iter().map(|text| text.template.as_str()).collect();
    let new: Vec<&Text> =
        synth.iter().filter(|text| !known.contains(text.template.as_str())).collect();
    let trained = training.train(&examples, "large")?;
    show(
        "the same, texts whose sentence isn't in presidio_generated_large",
        &new,
        &chosen(&["patterns", "person", "place"])?.with(trained),
    );
    // Half of the sentences, and the texts of the other half.
    let templates: BTreeSet<&str> = synth.iter().map(|text| text.template.as_str()).collect();
    let half: BTreeSet<&str> = templates.into_iter().step_by(2).collect();
    let (train, test): (Vec<&Text>, Vec<&Text>) =
        synth.iter().partition(|text| half.contains(text.template.as_str()));
    let examples: Vec<Example> = train.iter().map(|text| learned(&text.example)).collect();
    let trained = training.train(&examples, "half")?;
    show(
        "tagger trained on half of the sentences of presidio_synth_dataset_v2, the other half",
        &test,
        &chosen(&["patterns", "person", "place"])?.with(trained),
    );
    Ok(())
}

fn show(title: &str, texts: &[&Text], chosen: &Chosen) {
    let mut measured = ByClass::default();
    texts.iter().take(10).for_each(|text| drop(chosen.find(&text.example.text)));
    let start = Instant::now();
    let found: Vec<Vec<Span>> = texts.iter().map(|text| chosen.find(&text.example.text)).collect();
    let microseconds = start.elapsed().as_secs_f64() * 1e6 / texts.len() as f64;
    for (text, found) in texts.iter().zip(&found) {
        measured.add(&compare(&text.example.spans, found));
    }
    println!("\n{title}: {} texts, {microseconds:.1} microseconds each", texts.len());
    println!(
        "class                    there found | strict P R F1       | overlap P R F1      | covered"
    );
    let rate = |rate: Option<f64>| rate.map_or("   - ".into(), |rate| format!("{rate:.3}"));
    let patterns = ("(eight pattern classes)".to_string(), measured.total(&PATTERNS));
    let all = ("(all)".to_string(), measured.total(&[]));
    for (class, one) in measured.0.clone().into_iter().chain([patterns, all]) {
        let [strict, overlap] =
            [one.strict(), one.overlap()].map(|rates| rates.map(rate).join(" "));
        let covered = rate(one.coverage().map(|(share, _, _)| share));
        println!(
            "{class:<24} {:>5} {:>5} | {strict} | {overlap} | {covered}",
            one.there, one.found
        );
    }
    if std::env::var("SHOW_MISSED").is_ok_and(|class| !class.is_empty()) {
        let class = std::env::var("SHOW_MISSED").unwrap_or_default();
        let mut missed: BTreeMap<String, usize> = BTreeMap::new();
        for (text, found) in texts.iter().zip(&found) {
            let own = |spans: &[Span]| -> Vec<Span> {
                spans.iter().filter(|span| span.class == class).cloned().collect()
            };
            let (right, found) = (own(&text.example.spans), own(found));
            let shown = |span: &Span| &text.example.text[span.start..span.end];
            for span in right.iter().filter(|span| !found.contains(span)) {
                *missed.entry(format!("missed {:?}", shown(span))).or_default() += 1;
            }
            for span in found.iter().filter(|span| !right.contains(span)) {
                *missed.entry(format!("wrong {:?}", shown(span))).or_default() += 1;
            }
        }
        missed.iter().take(80).for_each(|(what, n)| println!("  {n} {what}"));
    }
}
