//! What a classifier still learns.

use sfumato_core::FastMap;
use sfumato_core::registry::Info;

use super::{Outcome, TextMetric};
use crate::data::{fold, replace, tokens};

/// The metric `classifier-accuracy`, an entry of the registry.
pub struct ClassifierAccuracy;

static INFO: Info = Info {
    name: "classifier-accuracy",
    summary: "how often a classifier that learned from the release is right about originals",
    doc: "\
The documents are divided into five parts. A classifier (naive Bayes over words, with Laplace's \
correction) learns from the published documents of four
parts of which sort they are, and is asked about the originals of the fifth: whoever gets the release \
will meet texts in which nothing was replaced. The
metric is the share of right answers. `--text \'field=NAME, label=FIELD\'` says which field has the \
sort; without it the metric isn't defined.
",
    ..Info::DEFAULT
};

/// In how many parts documents are divided.
const FOLDS: usize = 5;

/// Counts of words by sort.
#[derive(Default)]
struct Counts<'a> {
    documents: FastMap<&'a str, f64>,
    words: FastMap<(&'a str, String), f64>,
    all_words: FastMap<&'a str, f64>,
    known: FastMap<String, ()>,
}

fn words(text: &str) -> Vec<String> {
    tokens(text).iter().map(|token| fold(&text[token.start..token.end])).collect()
}

impl<'a> Counts<'a> {
    fn learn(&mut self, label: &'a str, text: &str) {
        *self.documents.entry(label).or_insert(0.0) += 1.0;
        for word in words(text) {
            self.known.insert(word.clone(), ());
            *self.all_words.entry(label).or_insert(0.0) += 1.0;
            *self.words.entry((label, word)).or_insert(0.0) += 1.0;
        }
    }
    /// The likeliest sort; of equals the first by name.
    fn guess(&self, text: &str) -> Option<&'a str> {
        let words = words(text);
        let mut labels: Vec<&'a str> = self.documents.keys().copied().collect();
        labels.sort_unstable();
        let score = |label: &&'a str| {
            let all = self.all_words.get(label).copied().unwrap_or(0.0) + self.known.len() as f64;
            let of = |word: &String| {
                let n = self.words.get(&(*label, word.clone())).copied().unwrap_or(0.0);
                ((n + 1.0) / all.max(1.0)).ln()
            };
            let known = words.iter().filter(|word| self.known.contains_key(*word));
            self.documents[label].ln() + known.map(of).sum::<f64>()
        };
        labels.into_iter().rev().max_by(|one, other| score(one).total_cmp(&score(other)))
    }
}

/// How often a classifier that learned from some texts is right about others.
pub fn accuracy(learned: &[String], asked: &[&str], labels: &[&str]) -> f64 {
    let mut right = 0;
    for fold in 0..FOLDS {
        let mut counts = Counts::default();
        for at in (0..learned.len()).filter(|at| at % FOLDS != fold) {
            counts.learn(labels[at], &learned[at]);
        }
        let is_right = |at: &usize| counts.guess(asked[*at]) == Some(labels[*at]);
        right += (0..asked.len()).filter(|at| at % FOLDS == fold).filter(is_right).count();
    }
    right as f64 / asked.len().max(1) as f64
}

impl TextMetric for ClassifierAccuracy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, outcome: &Outcome<'_>) -> Option<f64> {
        let documents = &outcome.corpus.documents;
        let labels: Option<Vec<&str>> = documents.iter().map(|one| one.label.as_deref()).collect();
        let labels = labels.filter(|labels| labels.len() >= FOLDS)?;
        let replaced = documents.iter().zip(outcome.replaced);
        let learned: Vec<String> = replaced.map(|(one, own)| replace(&one.text, own)).collect();
        let asked: Vec<&str> = documents.iter().map(|one| one.text.as_str()).collect();
        Some(accuracy(&learned, &asked, &labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_classifier_learns_what_is_there_and_nothing_else() {
        let texts: Vec<String> =
            (0..40)
                .map(|i| {
                    if i % 2 == 0 {
                        format!("fever and cough {i}")
                    } else {
                        format!("knee pain {i}")
                    }
                })
                .collect();
        let labels: Vec<&str> = (0..40).map(|i| ["a", "b"][i % 2]).collect();
        let asked: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(accuracy(&texts, &asked, &labels), 1.0);
        let nothing = vec![String::from("[X]"); 40];
        assert!(accuracy(&nothing, &asked, &labels) <= 0.6);
    }
}
