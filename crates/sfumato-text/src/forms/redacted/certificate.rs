//! Who covers whom: for each document and protected entity that it speaks of, the others that it
//! could be about.

use serde::Serialize;

use crate::data::{Corpus, Entities, Frame, Replaced, replace};

/// How many names of covering entities are written.
const NAMED: usize = 10;

/// What a document says of a protected entity, and who else that is true of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cover<'a> {
    /// The document: the name of its file, or the number of its record, from 0.
    pub document: serde_json::Value,
    /// The protected entity.
    pub entity: &'a str,
    /// How many terms of its context the document has.
    pub terms: u64,
    /// How many other entities have them all.
    pub covers: u64,
    /// Some of these.
    pub some: Vec<&'a str>,
}

/// Who covers the protected entities that a text speaks of, each looked up when it is asked for.
pub fn covers<'a>(
    document: &serde_json::Value,
    text: &str,
    entities: &'a Entities,
) -> impl Iterator<Item = Cover<'a>> {
    let terms = entities.terms_of(text);
    let mut about: Vec<u32> = terms
        .iter()
        .flat_map(|term| entities.having[*term as usize].iter().copied())
        .filter(|entity| entities.protected[*entity as usize])
        .collect();
    about.sort_unstable();
    about.dedup();
    let one = move |entity: u32| {
        let context = &entities.contexts[entity as usize];
        let said: Vec<u32> =
            terms.iter().copied().filter(|term| context.binary_search(term).is_ok()).collect();
        // The rarest term first: the others only thin its entities out.
        let rarest = said.iter().min_by_key(|term| entities.having[**term as usize].len());
        let mut others: Vec<u32> =
            rarest.map(|term| entities.having[*term as usize].clone()).unwrap_or_default();
        others.retain(|other| {
            let context = &entities.contexts[*other as usize];
            *other != entity && said.iter().all(|term| context.binary_search(term).is_ok())
        });
        let name = |entity: &u32| entities.names[*entity as usize].as_str();
        Cover {
            document: document.clone(),
            entity: name(&entity),
            terms: said.len() as u64,
            covers: others.len() as u64,
            some: others.iter().take(NAMED).map(name).collect(),
        }
    };
    about.into_iter().map(one)
}

/// The name of a document in private files.
pub(super) fn name_of(corpus: &Corpus, at: usize) -> serde_json::Value {
    match corpus.frame {
        Frame::Folder => corpus.documents[at].name.clone().into(),
        Frame::File { .. } | Frame::Table { .. } => at.into(),
    }
}

/// The certificates of all documents, as lines of JSON.
pub(super) fn lines(corpus: &Corpus, replaced: &[Vec<Replaced>], entities: &Entities) -> String {
    let mut out = String::new();
    for (at, (document, replaced)) in corpus.documents.iter().zip(replaced).enumerate() {
        let text = replace(&document.text, replaced);
        for cover in covers(&name_of(corpus, at), &text, entities) {
            let line = serde_json::to_string(&cover);
            out += &line.expect("a certificate has only numbers and texts");
            out.push('\n');
        }
    }
    out
}
