//! What is found in the synthetic corpora of the data folder, and that the shipped tagger is the
//! one that they give.

use std::path::{Path, PathBuf};

use sfumato_text::data::Span;
use sfumato_text::detectors::Chosen;
use sfumato_text::detectors::tagger::{ByClass, Example, Tagger, Training, compare};

#[path = "../../examples/presidio/mod.rs"]
mod presidio;

/// The folder of the corpora, if it is there.
fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var("SFUMATO_DATA").map_or(beside, PathBuf::from).join("text");
    if !folder.is_dir() {
        println!("skipped: there is no folder {}", folder.display());
    }
    folder.is_dir().then_some(folder)
}

fn measure(detect: &[&str], texts: &[presidio::Text]) -> ByClass {
    let names: Vec<String> = detect.iter().map(|name| name.to_string()).collect();
    let chosen = Chosen::new(&names, Path::new("")).unwrap();
    let mut measured = ByClass::default();
    for text in texts {
        let found: Vec<Span> = chosen.find(&text.example.text);
        measured.add(&compare(&text.example.spans, &found));
    }
    measured
}

#[test]
fn patterns_and_names_are_found() {
    let Some(folder) = folder() else { return };
    let texts = presidio::load(&folder.join("presidio_synth_dataset_v2.json.gz")).unwrap();
    assert_eq!(texts.len(), 1500);
    assert!(texts.iter().all(|text| !text.template.is_empty()));
    for detect in ["patterns", "default"] {
        let f1 = measure(&[detect], &texts).total(&presidio::PATTERNS).strict()[2].unwrap();
        assert!(f1 > 0.97, "{detect}: {f1}");
    }
    let listed = measure(&["person"], &texts).0["PERSON"].strict()[2].unwrap();
    assert!(listed > 0.58, "{listed}");
    let learned = measure(&["default"], &texts).0["PERSON"].strict()[2].unwrap();
    assert!(learned > 0.7, "{learned}");
}

#[test]
fn the_shipped_tagger_is_what_the_corpus_gives() {
    let Some(folder) = folder() else { return };
    let texts = presidio::load(&folder.join("presidio_generated_large.json.gz")).unwrap();
    let examples: Vec<Example> =
        texts.iter().map(|text| presidio::learned(&text.example)).collect();
    let training = Training { folds: 0, ..Training::default() };
    let mut trained = training.train(&examples, "shipped").unwrap();
    let shipped = Tagger::shipped().unwrap();
    assert_eq!(shipped.measured.0.len(), presidio::LEARNED.len());
    trained.measured = shipped.measured.clone();
    assert_eq!(trained.to_text(), shipped.to_text());
}
