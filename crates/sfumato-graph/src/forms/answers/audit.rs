//! Audits a file of noisy answers: whether it is the one that its manifest describes. What it can't
//! say is whether noise was drawn. Also answers from the file.

use sfumato_core::facts::Facts;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::query::{Answer, Answers, QueryRequest};
use sfumato_report::numbers::count;

use super::NAME;
use super::published::Published;
use crate::forms::check_audit;
use crate::forms::edited::query::{Question, count as count_true, parse};
use crate::forms::release_file::{expect, read_original};
use crate::job::Job;

/// Answers state nothing about nodes.
pub struct NoFacts;

impl Facts for NoFacts {
    fn release(&self) -> &'static str {
        "a file of noisy answers"
    }
}

/// Noisy answers that were read to be audited.
pub struct OpenedAnswers {
    path: String,
    sha256: String,
    mechanism: String,
    published: Published,
}

/// Refuse models by name: none can be judged.
pub fn refuse_models(models: &[String]) -> Result<()> {
    match models.is_empty() {
        true => Ok(()),
        false => {
            let message = format!("{} can't be judged on answers", models.join(", "));
            Err(Error::unsupported(message).hint("leave models out"))
        }
    }
}

/// Read a file and compare it with its manifest.
pub fn open(request: &AuditRequest<Job>) -> Result<OpenedAnswers> {
    check_audit(request)?;
    refuse_models(&request.job.privacy.models)?;
    let path = request.job.input.path.clone();
    let Some(manifest) = &request.manifest else {
        return Err(
            Error::input("without its manifest nothing says how answers were drawn").in_file(path)
        );
    };
    expect(manifest, NAME, &path)?;
    let (published, source) = Published::read(&path)?;
    let described = manifest.holding(NAME).map_err(|error| error.in_file(&path))?;
    if described.sha256 != source.sha256 {
        return Err(
            Error::input("this isn't the file that the manifest beside it describes").in_file(path)
        );
    }
    let mechanism = manifest.detail("mechanism").map_err(|error| error.in_file(&path))?.to_string();
    Ok(OpenedAnswers { path, sha256: source.sha256, mechanism, published })
}

impl OpenedAnswers {
    /// What an audit shows.
    pub fn figures(&self) -> Result<Figures> {
        let Published { nodes, edges, degrees, triangles } = &self.published;
        let json = serde_json::json!({
            "sha256": self.sha256, "nodes": nodes, "edges": edges, "mechanism": self.mechanism,
            "degrees": degrees.is_some(), "triangles": triangles.map(|(_, number)| number),
        });
        let serde_json::Value::Object(json) = json else {
            return Err(Error::internal("the figures of an audit have no names"));
        };
        let head = format!(
            "file       {} (answers about {} nodes)\nmechanism  {}\n\
             not judged whether noise was drawn as the manifest says: no file can show that\n",
            self.path,
            count(*nodes),
            self.mechanism
        );
        Ok(Figures { rows: *nodes, is_true: None, json, head, tail: String::new() })
    }
}

/// Answer queries such as `count nodes where degree >= 10` from a file.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let audited = AuditRequest {
        job: request.job.clone(),
        manifest: request.manifest.clone(),
        original: None,
        memory: None,
        spill: None,
    };
    let opened = open(&audited)?;
    let original = request.original.as_ref();
    let original =
        original.map(|original| read_original(original, &request.job, observer)).transpose()?;
    let published = &opened.published;
    let unanswered = |query: &str| {
        Error::unsupported(format!("'{query}' wasn't answered in this file"))
            .hint("'count edges', 'count triangles' and numbers of nodes by degree can be")
    };
    let answer = |query: &String| {
        let question = parse(query)?;
        let found = match &question {
            Question::Nodes(None) => Some(published.nodes),
            Question::Edges => published.edges,
            Question::Triangles => published.triangles.map(|(_, number)| number),
            Question::Nodes(Some(comparison)) => published.degrees.as_ref().map(|degrees| {
                degrees.iter().filter(|degree| comparison.holds(**degree)).count() as u64
            }),
            Question::Components => None,
        };
        let estimate = found.ok_or_else(|| unanswered(query))?;
        let truth = original.as_ref().map(|original| count_true(&original.graph, &question));
        let error = truth.map(|truth| estimate as f64 - truth as f64);
        Ok(Answer {
            query: query.clone(),
            estimate: Some(estimate.into()),
            lower: None,
            upper: None,
            truth: truth.map(Into::into),
            error,
            relative_error: truth
                .filter(|truth| *truth > 0)
                .zip(error)
                .map(|(truth, error)| error / truth as f64),
            imprecision: None,
        })
    };
    Ok(Answers {
        path: opened.path.clone(),
        rows: published.nodes,
        not_released: None,
        warnings: Vec::new(),
        answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
    })
}
