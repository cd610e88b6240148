//! Lies that the verifier of documents must see through.

use sfumato_engine::lie::{Lie, Subject};

use super::Decision;
use super::replacement::tag;
use crate::data::{Class, Corpus, Reason, Replaced, fold, tokens};

/// The lies.
pub fn lies() -> Vec<Lie<Corpus, Decision>> {
    vec![
        Lie { name: "terms of protected entities stay", subject: Subject::Privacy, tell: stay },
        Lie { name: "something that was found stays", subject: Subject::Privacy, tell: overlook },
        Lie { name: "a word goes that nobody found", subject: Subject::Cell, tell: invent },
        Lie { name: "a surrogate stands for two", subject: Subject::Match, tell: confuse },
    ]
}

fn stay(_: &Corpus, decision: &mut Decision) -> bool {
    let is_term = |one: &Replaced| one.reason == Reason::Term;
    let any = decision.replaced.iter().flatten().any(is_term);
    decision.replaced.iter_mut().for_each(|replaced| replaced.retain(|one| !is_term(one)));
    any
}

fn overlook(_: &Corpus, decision: &mut Decision) -> bool {
    for replaced in &mut decision.replaced {
        if let Some(at) = replaced.iter().position(|one| one.reason == Reason::Detected) {
            replaced.remove(at);
            return true;
        }
    }
    false
}

fn invent(corpus: &Corpus, decision: &mut Decision) -> bool {
    for (document, replaced) in corpus.documents.iter().zip(&mut decision.replaced) {
        let is_free = |start: usize, end: usize| {
            replaced.iter().all(|one| one.end <= start || end <= one.start)
        };
        let word = tokens(&document.text).into_iter().find(|token| is_free(token.start, token.end));
        if let Some(word) = word {
            let (class, text) = (Class::Borrowed("AGE"), tag("AGE"));
            let reason = Reason::Detected;
            replaced.push(Replaced { start: word.start, end: word.end, class, text, reason });
            replaced.sort_by_key(|one| one.start);
            return true;
        }
    }
    false
}

fn confuse(corpus: &Corpus, decision: &mut Decision) -> bool {
    // Two parts of one class with surrogates of their own.
    let mut first: Option<(String, String, String)> = None;
    for (document, replaced) in corpus.documents.iter().zip(&mut decision.replaced) {
        for one in replaced.iter_mut() {
            let is_surrogate = !one.text.is_empty() && !one.text.starts_with('[');
            if one.reason != Reason::Detected || !is_surrogate {
                continue;
            }
            let original = fold(&document.text[one.start..one.end]);
            match &first {
                None => first = Some((one.class.to_string(), original, one.text.clone())),
                Some((class, known, text)) if *class == one.class && *known != original => {
                    one.text = text.clone();
                    return true;
                }
                Some(_) => {}
            }
        }
    }
    false
}
