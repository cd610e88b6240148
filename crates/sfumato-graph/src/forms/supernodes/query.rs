//! Answers questions over supernodes: exactly where numbers are published, and else by graphs that
//! fit, drawn at random.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::query::{Answer, Answers, QueryRequest};
use sfumato_report::numbers::{count as number, quantity};

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
    let worlds: Vec<_> = (0..WORLDS).map(|number| published.world(number)).collect();
    let mut warnings = Vec::new();
    let mut answer = |query: &String| -> Result<Answer> {
        let question = parse(query)?;
        let exact = exact(published, &question);
        let estimate = exact.map_or_else(
            || {
                let of_worlds: Vec<u64> =
                    worlds.iter().map(|world| count(world, &question)).collect();
                let spread = Spread::of(&of_worlds);
                warnings.push(spread.words(query));
                spread.mean
            },
            |exact| exact as f64,
        );
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
                .map(|(truth, error)| error / truth as f64),
            imprecision: None,
        })
    };
    if worlds.is_empty() {
        return Err(Error::internal("no world was drawn"));
    }
    let answers = request.queries.iter().map(&mut answer).collect::<Result<_>>()?;
    Ok(Answers {
        path: request.job.input.path.clone(),
        rows: published.nodes(),
        not_released: None,
        warnings,
        answers,
    })
}

/// How the answers of several graphs that fit differ.
struct Spread {
    n: usize,
    mean: f64,
    least: u64,
    most: u64,
    /// The standard deviation, estimated from these graphs.
    deviation: f64,
}

impl Spread {
    fn of(answers: &[u64]) -> Spread {
        let n = answers.len();
        let mean = answers.iter().sum::<u64>() as f64 / n.max(1) as f64;
        let squares: f64 = answers.iter().map(|answer| (*answer as f64 - mean).powi(2)).sum();
        Spread {
            n,
            mean,
            least: answers.iter().copied().min().unwrap_or(0),
            most: answers.iter().copied().max().unwrap_or(0),
            deviation: (squares / n.saturating_sub(1).max(1) as f64).sqrt(),
        }
    }

    /// Graphs that fit bound nothing: the original is one of them, and needn't be like these.
    fn words(&self, query: &str) -> String {
        format!(
            "'{query}': {} random graphs that fit say {} to {}, with a standard deviation of {}; \
             the original may lie outside",
            self.n,
            number(self.least),
            number(self.most),
            quantity(self.deviation)
        )
    }
}

/// What is published itself.
fn exact(published: &Supernodes, question: &Question) -> Option<u64> {
    match question {
        Question::Nodes(None) => Some(published.nodes()),
        Question::Edges => Some(published.edges()),
        Question::Nodes(Some(_)) | Question::Triangles | Question::Components => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_a_sample() {
        let spread = Spread::of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!((spread.n, spread.mean, spread.least, spread.most), (8, 5.0, 2, 9));
        assert!((spread.deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(Spread::of(&[3]).deviation, 0.0);
        assert!(spread.words("count triangles").contains("2 to 9"));
    }
}
