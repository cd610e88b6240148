//! The facts of a plan about documents, without running it.

use sfumato_core::Result;
use sfumato_core::facts::Promises as _;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::{count, counted};

use super::plan;
use crate::algorithms::SEARCHED;
use crate::data::read;
use crate::job::Job;

/// Explain a job. Reads the documents, because sizes depend on them, and writes nothing.
pub fn explain(job: &Job) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let corpus = read(job)?;
    let read_ms = clock.lap();
    let plan = plan::make(job)?;
    let mut about = Vec::new();
    if let Some(chosen) = &plan.chosen {
        about.push(format!("looked for: {}", chosen.names().join(", ")));
    }
    if let Some(entities) = &plan.entities {
        about.push(format!(
            "{} entities with {}, {} of them protected",
            count(entities.names.len() as u64),
            counted(entities.terms.len() as u64, "term"),
            count(entities.n_protected())
        ));
    }
    if !corpus.others.is_empty() {
        about.push(format!("published as they are: {}", corpus.others.join(", ")));
    }
    let how = job.text.replace.as_deref().unwrap_or("tag");
    let algorithm = match (plan.algorithm, plan.requirements.0.is_empty()) {
        (_, true) => AlgorithmFacts {
            call: "detectors".into(),
            summary: "what they find is replaced; what they overlook stays".into(),
            ..AlgorithmFacts::default()
        },
        (Some(algorithm), false) => AlgorithmFacts {
            call: algorithm.info().name.into(),
            summary: algorithm.info().summary.into(),
            ..AlgorithmFacts::default()
        },
        (None, false) => AlgorithmFacts {
            call: "best-first".into(),
            why: format!("and fast-btop for documents with more than {SEARCHED} terms"),
            summary: "finds a largest set of terms that may stay".into(),
            ..AlgorithmFacts::default()
        },
    };
    Ok(PlanFacts {
        read: ReadFacts {
            records: corpus.documents.len() as u64,
            called: "documents",
            bytes: corpus.bytes,
            about,
            ..ReadFacts::default()
        },
        requires: plan.requirements.describe(),
        publishes: vec![format!("the original with parts of it replaced ({how})")],
        algorithm,
        suppresses: "no documents".into(),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::about(corpus.bytes as f64 * 4.0, "the documents four times"),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
