//! Linkage by rare words: whoever knows a few unusual words of a document finds it.

use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, FastSet, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TextStage;
use crate::data::{Corpus, fold, tokens};

/// The attack `rare-word-linkage`, an entry of the registry.
pub struct RareWordLinkage;

static INFO: Info = Info {
    name: "rare-word-linkage",
    summary: "finds the document of a person of whom some unusual words are known",
    params: &[ParamSpec::with_default(
        "words",
        ParamKind::Integer { min: 1, max: 20 },
        "2",
        "how many words of the document the attacker knows, the rarest first",
    )],
    doc: "\
The attacker knows some words of a document, those that the fewest originals have, and looks for \
published documents that have all of them. Is the
document itself among these, the attacker guesses it with a chance of one in as many. Where a word \
was replaced, the document isn't found by it.

Nothing that removes names, numbers or terms of a database changes much about this: a story is \
found again by whoever knows it.
",
    ..Info::DEFAULT
};

/// The different words of each document.
fn words(corpus: &Corpus) -> Vec<FastSet<String>> {
    let of = |text: &str| -> FastSet<String> {
        tokens(text).iter().map(|token| fold(&text[token.start..token.end])).collect()
    };
    corpus.documents.iter().map(|document| of(&document.text)).collect()
}

impl Attack<TextStage> for RareWordLinkage {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["redacted"]
    }
    fn play(&self, params: &Params, stage: &TextStage, _: &mut Chance) -> Result<Outcome> {
        let known = params.count("words") as usize;
        let (before, after) = (words(&stage.original), words(&stage.published));
        let mut originals: FastMap<&str, u64> = FastMap::default();
        before.iter().flatten().for_each(|word| *originals.entry(word).or_insert(0) += 1);
        let mut having: FastMap<&str, Vec<u32>> = FastMap::default();
        for (at, words) in after.iter().enumerate() {
            words.iter().for_each(|word| having.entry(word).or_default().push(at as u32));
        }
        let chance = |(at, words): (usize, &FastSet<String>)| {
            let mut rarest: Vec<&str> = words.iter().map(String::as_str).collect();
            rarest.sort_unstable_by_key(|word| (originals[word], *word));
            rarest.truncate(known);
            if rarest.iter().any(|word| !after[at].contains(*word)) {
                return 0.0;
            }
            let Some(first) = rarest.first() else { return 0.0 };
            let others = having[first]
                .iter()
                .filter(|other| rarest.iter().all(|word| after[**other as usize].contains(*word)));
            1.0 / others.count().max(1) as f64
        };
        let chances: Vec<f64> = before.iter().enumerate().map(chance).collect();
        Ok(Outcome::of_everybody(&chances, 1.0 / chances.len().max(1) as f64))
    }
}
