//! Linkage by context: whom a document is about, by what is publicly known of entities.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TextStage;
use crate::models::k_safety::ERASE;

/// The attack `context-linkage`, an entry of the registry.
pub struct ContextLinkage;

static INFO: Info = Info {
    name: "context-linkage",
    summary: "links a document to a protected entity by the terms of its context",
    papers: &[ERASE],
    doc: "\
The attacker has the file of entities and reads a published document. For each protected entity \
that the original speaks of the attacker takes
the terms of its context that are still there, finds all entities that have them, and guesses \
among these. The guess is right with a chance of
one in as many as there are: with K-safety of `k` at most 1 / (k + 1).

Of an entity of which nothing is left every entity is a candidate. The baseline is a guess among \
all of them.
",
    ..Info::DEFAULT
};

impl Attack<TextStage> for ContextLinkage {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["redacted"]
    }
    fn lacks(&self, _: &Params, stage: &TextStage) -> Option<String> {
        stage.entities.is_none().then(|| "what is known of entities (--entities)".into())
    }
    fn play(&self, _: &Params, stage: &TextStage, _: &mut Chance) -> Result<Outcome> {
        let Some(entities) = &stage.entities else { return Ok(Outcome::default()) };
        let all = entities.names.len() as f64;
        let mut score = Score::default();
        let mut worst = Vec::new();
        let documents = stage.original.documents.iter().zip(&stage.published.documents);
        for (at, (before, after)) in documents.enumerate() {
            let left = entities.terms_of(&after.text);
            let mut about: Vec<u32> = entities
                .terms_of(&before.text)
                .iter()
                .flat_map(|term| entities.having[*term as usize].iter().copied())
                .filter(|entity| entities.protected[*entity as usize])
                .collect();
            about.sort_unstable();
            about.dedup();
            let mut most: f64 = 0.0;
            for entity in about {
                let candidates = entities.having_what_is_said(entity, &left);
                let chance = 1.0 / candidates.map_or(all, |n| n as f64);
                score.add(chance);
                most = most.max(chance);
            }
            worst.push(Worst { record: at as u64 + 1, chance: most });
        }
        Ok(Outcome {
            score,
            baseline: 1.0 / all,
            everybody: true,
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        })
    }
}
