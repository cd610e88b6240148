//! Reads a draft back and compares it with the original: what is published is the original with
//! exactly the decided parts replaced, and nothing was decided that nobody found.

use std::path::Path;

use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{sha256_hex, steps};

use super::replacement::{Replacement, tag};
use super::{Plan, Redacted};
use crate::data::{Corpus, Frame, REDACTED, Reason, Replaced, Span, fold, read_from, replace};
use crate::kind::Documents;

/// What the bytes of a release say.
pub struct Read {
    /// The documents.
    pub corpus: Corpus,
    /// Its files: the name, the bytes and the hash of each. A single file has no name.
    pub files: Vec<(String, u64, String)>,
}

/// Read a draft back and compare it with the original.
pub fn read_back(written: &Written<'_, Documents, Redacted>, draft: &Draft) -> Result<Read> {
    let (corpus, replaced) = (written.data, &written.decision().replaced);
    let path = draft.path()?;
    let published = corpus.published(replaced);
    let mut files = Vec::new();
    let expected: usize = published.iter().filter(|(name, _)| name.is_some()).count();
    if path.is_dir() && count_files(path)? != expected {
        return Err(failed_verification("there aren't as many files as documents"));
    }
    for (at, (name, content)) in published.iter().enumerate() {
        let file = name.as_ref().map_or_else(|| path.to_path_buf(), |name| path.join(name));
        let bytes = steps::read(&file).map_err(|error| Error::io(&file, "read", &error))?;
        if bytes != content.as_bytes() {
            let message = format!("file {} isn't the original with parts replaced", at + 1);
            return Err(failed_verification(&message));
        }
        let name = name.clone().unwrap_or_default();
        files.push((name, bytes.len() as u64, sha256_hex(&bytes)));
    }
    // The same from the texts, as whoever gets the release reads them.
    let mut job = written.job.clone();
    let is_named = !matches!(corpus.format, "text" | "mbox");
    let format = match corpus.frame {
        Frame::Table { .. } => super::options_of(written.job, corpus)?.format.name(),
        _ => corpus.format,
    };
    job.input.format = is_named.then(|| format.to_string());
    let read = read_from(&job, &path.display().to_string(), true).map_err(cant_read_back)?;
    read.compare_columns(corpus)?;
    if files.is_empty() {
        files.push((String::new(), read.bytes, read.sha256.clone()));
    }
    if read.documents.len() != corpus.documents.len() {
        return Err(failed_verification("there aren't as many documents as there were"));
    }
    for (at, (document, own)) in corpus.documents.iter().zip(replaced).enumerate() {
        let wrong = |what: &str| Err(failed_verification(&format!("document {}: {what}", at + 1)));
        if !is_in_order(&document.text, own) {
            return wrong("parts overlap, or aren't parts of it");
        }
        if read.documents[at].text != replace(&document.text, own) {
            return wrong("its text isn't the original with parts replaced");
        }
        if let Some(what) = unfounded(written.plan, &document.text, own) {
            return wrong(what);
        }
    }
    if written.plan.how == Replacement::Surrogate {
        agree(corpus, replaced)?;
    }
    Ok(Read { corpus: read, files })
}

fn count_files(folder: &Path) -> Result<usize> {
    let entries = steps::read_dir(folder).map_err(|error| Error::io(folder, "read", &error))?;
    Ok(entries.flatten().filter(|entry| entry.path().is_file()).count())
}

fn is_in_order(text: &str, replaced: &[Replaced]) -> bool {
    let mut at = 0;
    replaced.iter().all(|one| {
        let is_next = one.start >= at && text.get(one.start..one.end).is_some();
        at = one.end;
        is_next
    })
}

/// Why a document should not be published like that, if there is a reason: a detector looks again,
/// and every part must be what it found, or words of terms.
fn unfounded(plan: &Plan, text: &str, replaced: &[Replaced]) -> Option<&'static str> {
    let found = plan.chosen.as_ref().map(|chosen| chosen.find(text)).unwrap_or_default();
    let (detected, terms): (Vec<&Replaced>, Vec<&Replaced>) =
        replaced.iter().partition(|one| one.reason == Reason::Detected);
    let decided = detected.iter().map(|one| Span::new(one.start, one.end, one.class.clone()));
    let decided: Vec<Span> = decided.collect();
    if found.iter().any(|span| !decided.contains(span)) {
        return Some("something that was found stays");
    }
    if decided.iter().any(|span| !found.contains(span)) {
        return Some("something is replaced that nobody found");
    }
    for one in &detected {
        let is_marked = plan.entities.is_some() && one.text == REDACTED;
        if !is_marked && !plan.how.allows(&one.class, &text[one.start..one.end], &one.text) {
            return Some("what takes the place of something isn't what was asked for");
        }
    }
    if terms.is_empty() {
        return None;
    }
    let Some(entities) = &plan.entities else { return Some("a term goes that nobody knows") };
    // Terms as they are after detectors did their work.
    let own: Vec<Replaced> = detected
        .iter()
        .map(|one| {
            let text = if one.text == REDACTED { tag(&one.class) } else { one.text.clone() };
            Replaced { text, ..(*one).clone() }
        })
        .collect();
    let now = replace(text, &own);
    let known = entities.terms.find(&now);
    for one in terms {
        let by: isize = own
            .iter()
            .filter(|other| other.end <= one.start)
            .map(|other| other.text.len() as isize - (other.end - other.start) as isize)
            .sum();
        let place = |at: usize| at.checked_add_signed(by).unwrap_or(usize::MAX);
        let (start, end) = (place(one.start), place(one.end));
        let mut at = start;
        for term in known.iter().filter(|term| term.start < end && start < term.end) {
            if term.start <= at {
                at = at.max(term.end);
            }
        }
        let is_known = at >= end && entities.matters.contains(&true);
        if !is_known || one.text != REDACTED {
            return Some("something is taken out that is no term");
        }
    }
    None
}

/// Surrogates must be the same for the same, and others for others.
fn agree(corpus: &Corpus, replaced: &[Vec<Replaced>]) -> Result<()> {
    let mut forth: FastMap<(String, String), String> = FastMap::default();
    let mut back: FastMap<(String, String), String> = FastMap::default();
    for (document, replaced) in corpus.documents.iter().zip(replaced) {
        for one in replaced.iter().filter(|one| one.text != tag(&one.class)) {
            let original = fold(&document.text[one.start..one.end]);
            let surrogate = fold(&one.text);
            let class = one.class.to_string();
            let known = forth.entry((class.clone(), original.clone())).or_insert(surrogate.clone());
            if *known != surrogate {
                return Err(failed_verification("one original has two surrogates"));
            }
            let known = back.entry((class, surrogate)).or_insert(original.clone());
            if *known != original {
                return Err(failed_verification("one surrogate stands for two originals"));
            }
        }
    }
    Ok(())
}
