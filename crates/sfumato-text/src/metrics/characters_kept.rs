//! How much of the text is left.

use sfumato_core::registry::Info;

use super::{Outcome, TextMetric};

/// The metric `characters-kept`, an entry of the registry.
pub struct CharactersKept;

static INFO: Info = Info {
    name: "characters-kept",
    summary: "the share of all characters that weren't replaced",
    doc: "Characters of the original that are in the release, as a share of all of them. What \
          takes the place of others isn't counted.",
    ..Info::DEFAULT
};

impl TextMetric for CharactersKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, outcome: &Outcome<'_>) -> Option<f64> {
        let (mut all, mut gone) = (0, 0);
        for (document, replaced) in outcome.corpus.documents.iter().zip(outcome.replaced) {
            all += document.text.chars().count();
            let counts =
                replaced.iter().map(|one| document.text[one.start..one.end].chars().count());
            gone += counts.sum::<usize>();
        }
        (all > 0).then(|| (all - gone) as f64 / all as f64)
    }
}
