//! Answers questions over a published graph. What isn't known is which edges were changed, so that
//! nothing bounds the truth.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::query::{Answer, Answers, QueryRequest};

use crate::data::Graph;
use crate::forms::release_file::{read_original, read_release};
use crate::job::Job;
use crate::metrics::shape::{components, triangles};

/// A question.
pub(crate) enum Question {
    Nodes(Option<Comparison>),
    Edges,
    Triangles,
    Components,
}

/// A comparison of degrees.
pub(crate) struct Comparison {
    sign: &'static str,
    number: u64,
}

impl Comparison {
    pub(crate) fn holds(&self, degree: u64) -> bool {
        match self.sign {
            ">=" => degree >= self.number,
            "<=" => degree <= self.number,
            ">" => degree > self.number,
            "<" => degree < self.number,
            _ => degree == self.number,
        }
    }
}

pub(crate) fn parse(query: &str) -> Result<Question> {
    let wrong = || {
        Error::params(format!("can't read '{query}'")).hint(
            "ask 'count nodes where degree >= 10', 'count edges', 'count triangles' or \
             'count components'",
        )
    };
    let asked = query.trim().strip_prefix("count ").ok_or_else(wrong)?.trim();
    match asked {
        "nodes" => return Ok(Question::Nodes(None)),
        "edges" => return Ok(Question::Edges),
        "triangles" => return Ok(Question::Triangles),
        "components" => return Ok(Question::Components),
        _ => {}
    }
    let rest = asked.strip_prefix("nodes where degree").ok_or_else(wrong)?.trim();
    let sign = [">=", "<=", ">", "<", "="].into_iter().find(|sign| rest.starts_with(sign));
    let sign = sign.ok_or_else(wrong)?;
    let number = rest[sign.len()..].trim().parse().map_err(|_| wrong())?;
    Ok(Question::Nodes(Some(Comparison { sign, number })))
}

pub(crate) fn count(graph: &Graph, question: &Question) -> u64 {
    match question {
        Question::Nodes(None) => graph.n() as u64,
        Question::Nodes(Some(comparison)) => {
            let holds = |node: &u32| comparison.holds(u64::from(graph.degree(*node)));
            graph.nodes().filter(holds).count() as u64
        }
        Question::Edges => graph.m(),
        Question::Triangles => triangles(graph),
        Question::Components => components(graph).len() as u64,
    }
}

/// Answer queries such as `count nodes where degree >= 10` over a release of a form whose file is a
/// graph.
pub(crate) fn query_of(
    form: &str,
    request: &QueryRequest<Job>,
    observer: &dyn Observer,
) -> Result<Answers> {
    let job = &request.job;
    let read = read_release(form, job, request.manifest.as_ref(), observer)?;
    let original = request.original.as_ref();
    let original = original.map(|original| read_original(original, job, observer)).transpose()?;
    let answer = |query: &String| {
        let question = parse(query)?;
        let estimate = count(&read.graph, &question);
        let truth = original.as_ref().map(|original| count(&original.graph, &question));
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
        path: job.input.path.clone(),
        rows: read.graph.n() as u64,
        not_released: None,
        warnings: Vec::new(),
        answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
    })
}
