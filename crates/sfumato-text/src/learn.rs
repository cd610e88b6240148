//! The loop in which a tagger learns: documents are tagged, a person corrects the tags, a tagger is
//! trained on them and measured, and tags the next documents.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use sfumato_core::{Error, Result};

use crate::data::{Corpus, Span, read_from, read_spans, write_marked, write_spans};
use crate::detectors::Chosen;
use crate::detectors::tagger::{ByClass, Example, Tagger, Training, compare};
use crate::job::Job;

/// Read documents: a path, and where their text is.
pub fn read(path: &str, layout: &str) -> Result<Corpus> {
    let mut job = Job::default();
    job.text.layout = layout.into();
    read_from(&job, path, false)
}

/// What detectors find in each document.
pub fn find(corpus: &Corpus, detect: &[String]) -> Result<Vec<Vec<Span>>> {
    let chosen = Chosen::new(detect, Path::new(""))?;
    let found = corpus.documents.iter().map(|document| chosen.find(&document.text)).collect();
    chosen.check()?;
    Ok(found)
}

/// Tags as a file: lines of spans, or of texts with marks in them.
pub fn tags(corpus: &Corpus, spans: &[Vec<Span>], is_marked: bool) -> Result<String> {
    if is_marked {
        return write_marked(corpus, spans);
    }
    let own = |spans: &Vec<Span>| -> Vec<(usize, usize, String)> {
        spans.iter().map(|one| (one.start, one.end, one.class.to_string())).collect()
    };
    let spans: Vec<_> = spans.iter().map(own).collect();
    let borrowed = spans
        .iter()
        .map(|own| own.iter().map(|(start, end, class)| (*start, *end, class.as_str())).collect());
    Ok(write_spans(corpus, borrowed))
}

/// Train a tagger on documents and the tags of files. Documents without a tag are learned from too:
/// they say what is no personal data.
pub fn train(
    corpus: &Corpus,
    tags: &[String],
    name: &str,
    (epochs, folds, seed): (u32, u32, u64),
) -> Result<Tagger> {
    let mut spans = vec![Vec::new(); corpus.documents.len()];
    for path in tags {
        for (all, more) in spans.iter_mut().zip(read_spans(path, corpus)?) {
            all.extend(more);
        }
    }
    for (at, spans) in spans.iter_mut().enumerate() {
        spans.sort();
        spans.dedup();
        if spans.windows(2).any(|pair: &[Span]| pair[0].overlaps(&pair[1])) {
            let message = format!("tags of document {} overlap", at + 1);
            return Err(Error::input(message).hint("a word has one tag: correct one of the files"));
        }
    }
    let example = |(document, spans): (&crate::data::Document, Vec<Span>)| Example {
        text: document.text.clone(),
        spans,
    };
    let examples: Vec<Example> = corpus.documents.iter().zip(spans).map(example).collect();
    let name = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    let training = Training { epochs, folds, seed, ..Training::default() };
    training.train(&examples, &name.unwrap_or_default())
}

/// What detectors found of what is there.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Score {
    /// The counts by class.
    pub measured: ByClass,
    /// How long one core looked at a document, on average.
    pub microseconds: Option<f64>,
}

/// Compare what detectors find with the tags of a file.
pub fn score(corpus: &Corpus, tags: &str, detect: &[String]) -> Result<Score> {
    let right = read_spans(tags, corpus)?;
    let chosen = Chosen::new(detect, Path::new(""))?;
    let mut measured = ByClass::default();
    // What is only made once isn't counted: lists of names, the first look at memory.
    corpus.documents.iter().take(10).for_each(|document| drop(chosen.find(&document.text)));
    let start = Instant::now();
    let found: Vec<Vec<Span>> =
        corpus.documents.iter().map(|document| chosen.find(&document.text)).collect();
    let elapsed = start.elapsed().as_secs_f64() * 1e6;
    chosen.check()?;
    for (right, found) in right.iter().zip(&found) {
        measured.add(&compare(right, found));
    }
    let documents = corpus.documents.len() as f64;
    Ok(Score { measured, microseconds: Some(elapsed / documents) })
}
