//! Documents as attackers read them, beside their originals.

use sfumato_core::{Error, Result};
use sfumato_engine::attack::AttackRequest;
use sfumato_engine::paths::resolve;

use crate::data::{Corpus, Entities, read_from};
use crate::forms::redacted;
use crate::job::Job;

/// A release of documents beside its original.
pub struct TextStage {
    /// The documents as they were.
    pub original: Corpus,
    /// The documents as they are published, in the same order.
    pub published: Corpus,
    /// What is known of entities, if it was named.
    pub entities: Option<Entities>,
}

impl TextStage {
    /// Read both.
    pub fn open(request: &AttackRequest<Job>) -> Result<TextStage> {
        let original = request.original()?;
        let opened = redacted::open(&request.release)?;
        let mut job = original.clone();
        if job.text.layout.is_empty() {
            job.text.layout = opened.layout.clone();
        }
        let before = read_from(&job, &resolve(&job.base, &job.input.path), false)?;
        if before.documents.len() != opened.corpus.documents.len() {
            return Err(Error::input("the release hasn't as many documents as its original")
                .hint("name the data that the release was made from with --original"));
        }
        Ok(TextStage { original: before, published: opened.corpus, entities: opened.entities })
    }
}
