//! Answers questions over supernodes: exactly where numbers are published, and else by graphs that
//! fit, drawn at random.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::query::{Answer, Answers, QueryRequest};

use crate::data::Supernodes;
use crate::forms::edited::query::{Question, count, parse};
use crate::forms::release_file::read_original;
use crate::job::Job;
use crate::metrics::supernodes::WORLDS;

/// Answer queries such as `count nodes where degree >= 10`.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let audited = AuditRequest {
        job: request.job.clone(),
        manifest: request.manifest.clone(),
        original: None,
        memory: None,
        spill: None,
    };
    let opened = super::audit::open(&audited, observer)?;
    let published = &opened.stated.published;
    let original = request.original.as_ref();
    let original =
        original.map(|original| read_original(original, &request.job, observer)).transpose()?;
    let worlds: Vec<_> = (0..WORLDS).map(|seed| published.world(seed)).collect();
    let answer = |query: &String| -> Result<Answer> {
        let question = parse(query)?;
        let exact = exact(published, &question);
        let mean = || {
            let sum: u64 = worlds.iter().map(|world| count(world, &question)).sum();
            sum as f64 / worlds.len() as f64
        };
        let estimate = exact.map_or_else(mean, |exact| exact as f64);
        let truth = original.as_ref().map(|original| count(&original.graph, &question));
        let error = truth.map(|truth| estimate - truth as f64);
        let bound = exact.map(serde_json::Value::from);
        Ok(Answer {
            query: query.clone(),
            estimate: Some(estimate.into()),
            lower: bound.clone(),
            upper: bound,
            truth: truth.map(Into::into),
            error,
            relative_error: truth
                .filter(|truth| *truth > 0)
                .zip(error)
                .map(|(truth, error)| error.abs() / truth as f64),
            imprecision: None,
        })
    };
    if worlds.is_empty() {
        return Err(Error::internal("no world was drawn"));
    }
    Ok(Answers {
        path: request.job.input.path.clone(),
        rows: published.nodes(),
        not_released: None,
        warnings: Vec::new(),
        answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
    })
}

/// What is published itself.
fn exact(published: &Supernodes, question: &Question) -> Option<u64> {
    match question {
        Question::Nodes(None) => Some(published.nodes()),
        Question::Edges => Some(published.edges()),
        Question::Nodes(Some(_)) | Question::Triangles | Question::Components => None,
    }
}
