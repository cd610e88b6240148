//! What a search still finds.

use std::collections::BTreeMap;

use sfumato_core::registry::Info;

use super::{Outcome, TextMetric};
use crate::data::{fold, replace, tokens};

/// The metric `search-kept`, an entry of the registry.
pub struct SearchKept;

static INFO: Info = Info {
    name: "search-kept",
    summary: "how alike the documents are that searches find before and after",
    doc: "\
Each of the words that some documents have and most haven't is searched for: those that at least two \
and at most a tenth of the documents have, at most a
thousand of them, the most frequent first. For each the documents that are found in the originals and \
in the release are compared: those found in both,
as a share of those found in either. The metric is the mean over all searches. Numbers aren't \
searched for. Where no word is like that, it isn't defined.
",
    ..Info::DEFAULT
};

/// How many words are searched for at most.
const SEARCHES: usize = 1000;

type Found = BTreeMap<String, Vec<u32>>;

/// The documents that have each word.
fn index<'a>(texts: impl Iterator<Item = std::borrow::Cow<'a, str>>) -> Found {
    let mut index = Found::new();
    for (at, text) in texts.enumerate() {
        for token in tokens(&text) {
            let word = &text[token.start..token.end];
            if word.chars().count() > 2 && word.chars().all(char::is_alphabetic) {
                let having = index.entry(fold(word)).or_default();
                if having.last() != Some(&(at as u32)) {
                    having.push(at as u32);
                }
            }
        }
    }
    index
}

impl TextMetric for SearchKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, outcome: &Outcome<'_>) -> Option<f64> {
        let documents = &outcome.corpus.documents;
        let before = index(documents.iter().map(|one| one.text.as_str().into()));
        let replaced = documents.iter().zip(outcome.replaced);
        let after = index(replaced.map(|(one, own)| replace(&one.text, own).into()));
        let most = (documents.len() / 10).max(2);
        let mut asked: Vec<(&String, &Vec<u32>)> =
            before.iter().filter(|(_, having)| (2..=most).contains(&having.len())).collect();
        asked.sort_by_key(|(word, having)| (std::cmp::Reverse(having.len()), *word));
        asked.truncate(SEARCHES);
        let none = Vec::new();
        let alike = |(word, having): &(&String, &Vec<u32>)| {
            let found = after.get(*word).unwrap_or(&none);
            let both = having.iter().filter(|one| found.binary_search(one).is_ok()).count();
            both as f64 / (having.len() + found.len() - both) as f64
        };
        let sum: f64 = asked.iter().map(alike).sum();
        (!asked.is_empty()).then(|| sum / asked.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Corpus, Document, Frame, Reason, Replaced};

    #[test]
    fn half_of_what_is_found_is_half() {
        let document = |text: &str| Document { text: text.into(), ..Document::default() };
        let texts = ["red gout", "red pain", "blue gout", "blue pain"];
        let corpus = Corpus {
            documents: texts.map(document).to_vec(),
            frame: Frame::Folder,
            format: "text",
            others: Vec::new(),
            bytes: 0,
            sha256: String::new(),
        };
        let measure = |replaced: &[Vec<Replaced>]| {
            SearchKept.measure(&Outcome { corpus: &corpus, replaced, terms: None })
        };
        let mut replaced = vec![Vec::new(); 4];
        assert_eq!(measure(&replaced), Some(1.0));
        let (class, text) = ("X".into(), "[X]".into());
        replaced[0].push(Replaced { start: 0, end: 3, class, text, reason: Reason::Detected });
        // One of the four words finds one of its two documents.
        assert_eq!(measure(&replaced), Some(0.875));
    }
}
