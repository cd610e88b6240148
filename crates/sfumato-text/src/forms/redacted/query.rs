//! Answers over redacted documents: how many have a term.

use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::query::{Answer, Answers, QueryRequest};

use super::audit;
use crate::data::{Corpus, TermIndex, read};
use crate::job::Job;

/// Answer queries such as `count where contains 'chest pain'`. A document that has the term has it
/// in the original; one in which something was replaced may have had it.
pub fn query(request: &QueryRequest<Job>) -> Result<Answers> {
    let opened = audit::open(&AuditRequest {
        job: request.job.clone(),
        manifest: request.manifest.clone(),
        original: request.original.clone(),
        memory: None,
        spill: None,
    })?;
    let original = match &request.original {
        None => None,
        Some(original) => {
            let mut job = original.clone();
            job.text.layout = opened.layout.clone();
            Some(read(&job)?)
        }
    };
    let answer = |query: &String| {
        let term = query
            .strip_prefix("count where contains ")
            .map(|term| term.trim().trim_matches(['\'', '"']))
            .filter(|term| !term.is_empty());
        let wrong = || {
            Error::params(format!("can't read '{query}'"))
                .hint("ask \"count where contains 'chest pain'\"")
        };
        let mut index = TermIndex::default();
        index.add(term.ok_or_else(wrong)?).ok_or_else(wrong)?;
        let has = |text: &str| !index.find(text).is_empty();
        let having = |corpus: &Corpus| {
            corpus.documents.iter().filter(|document| has(&document.text)).count() as u64
        };
        // The words of marks aren't words of the original.
        let still_has = |text: &str| audit::between_marks(text).into_iter().any(has);
        let published = opened.corpus.documents.iter();
        let lower = published.filter(|document| still_has(&document.text)).count() as u64;
        let is_open = |text: &str| audit::marks(text) > 0 && !still_has(text);
        let open = opened.corpus.documents.iter().filter(|one| is_open(&one.text)).count() as u64;
        let truth = original.as_ref().map(having);
        let error = truth.map(|truth| lower.abs_diff(truth) as f64);
        Ok(Answer {
            query: query.clone(),
            estimate: Some(lower.into()),
            lower: Some(lower.into()),
            // Only marks say where something was: what was removed or made up leaves no trace.
            upper: opened.has_marks.then(|| (lower + open).into()),
            truth: truth.map(Into::into),
            error,
            relative_error: error.zip(truth.filter(|n| *n > 0)).map(|(e, n)| e / n as f64),
            imprecision: None,
        })
    };
    Ok(Answers {
        path: request.job.input.path.clone(),
        rows: opened.corpus.documents.len() as u64,
        answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
        ..Answers::default()
    })
}
