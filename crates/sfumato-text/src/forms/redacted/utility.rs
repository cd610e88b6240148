//! What a release of documents keeps of its original: which words are still there. Documents are in
//! their order, so that each is compared with its own.

use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_engine::paths::resolve;
use sfumato_report::Kept;
use sfumato_report::numbers::count;

use super::audit::open;
use crate::data::read_from;
use crate::job::Job;

/// How many words are told one by one: those that the documents lost most often.
const TOLD: usize = 40;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>) -> Result<Utility> {
    let alone = AuditRequest { original: None, ..request.clone() };
    let opened = open(&alone)?;
    let documents = &opened.corpus.documents;
    let mut utility = Utility { rows: Some(documents.len() as u64), ..Utility::default() };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let mut own = original.clone();
    if own.text.layout.is_empty() {
        own.text.layout = opened.layout.clone();
    }
    let before = read_from(&own, &resolve(&own.base, &own.input.path), false)?;
    if before.documents.len() != documents.len() {
        return Err(Error::input(format!(
            "the release has {} documents and its original {}",
            documents.len(),
            before.documents.len()
        ))
        .in_file(&request.job.input.path)
        .hint("is this the data that the release was made from?"));
    }
    let (mut words, mut kept, mut untouched) = (0u64, 0u64, 0u64);
    // How often the original has each word, and how often the release doesn't have it any more.
    let mut lost: FastMap<&str, (u64, u64)> = FastMap::default();
    for (was, is) in before.documents.iter().zip(documents) {
        untouched += u64::from(was.text == is.text);
        let left = counted(&is.text);
        for (word, n) in counted(&was.text) {
            let still = n.min(left.get(word).copied().unwrap_or(0));
            words += n;
            kept += still;
            let entry = lost.entry(word).or_default();
            *entry = (entry.0 + n, entry.1 + n - still);
        }
    }
    let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
    utility.metrics.insert("words-kept", share(kept, words));
    utility.metrics.insert("documents-untouched", share(untouched, documents.len() as u64));
    let mut lost: Vec<(&str, (u64, u64))> = lost.into_iter().filter(|(_, n)| n.1 > 0).collect();
    lost.sort_by_key(|(word, (_, gone))| (std::cmp::Reverse(*gone), *word));
    let told = |(word, (all, gone)): (&str, (u64, u64))| Kept {
        part: word.to_string(),
        lost: gone as f64 / all as f64,
        told: format!("gone from {} of {} places", count(gone), count(all)),
        exclusive: true,
        ..Kept::default()
    };
    utility.kept = lost.into_iter().take(TOLD).map(told).collect();
    utility.remarks.push(
        "words are compared instead of characters: the file doesn't say what stands for what"
            .into(),
    );
    Ok(utility)
}

/// How often each word is in a text.
fn counted(text: &str) -> FastMap<&str, u64> {
    let mut counts = FastMap::default();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).for_each(|word| *counts.entry(word).or_default() += 1);
    counts
}
