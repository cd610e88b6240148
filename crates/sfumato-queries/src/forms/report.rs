//! The report and the plan of a release of a log.

use sfumato_core::Result;
use sfumato_core::facts::Promises as _;
use sfumato_engine::context::Context;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::reports::params_json;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report as shown;
use sfumato_report::numbers::count;

use super::rows::{Plan, ReadRows};
use crate::data::Log;
use crate::job::Job;
use crate::metrics::{self, LogView};

/// Figures of a log and its release.
#[derive(serde::Serialize)]
struct LogFigures {
    rows: u64,
    people: u64,
    queries: u64,
    rows_without_query: u64,
    published_rows: u64,
    pseudonyms: u64,
    readable_queries: Option<u64>,
}

/// The report of a run.
pub(super) fn report(
    (job, log, plan): (&Job, &Log, &Plan),
    read: &ReadRows,
    (form, warnings): (&'static str, &[&str]),
) -> shown::Report {
    let told = &read.told;
    let figures = LogFigures {
        rows: log.entries.len() as u64,
        people: log.n_users as u64,
        queries: log.texts.len() as u64,
        rows_without_query: log.empty,
        published_rows: told.rows,
        pseudonyms: told.pseudonyms,
        readable_queries: told.readable.as_ref().map(|list| list.len() as u64),
    };
    let readable = figures
        .readable_queries
        .map_or(String::new(), |n| format!(" {} of the queries can be read.", count(n)));
    let words = format!(
        "{} rows of {} people, with {} different queries, are published as {} rows under {} \
         pseudonyms.{readable}",
        count(figures.rows),
        count(figures.people),
        count(figures.queries),
        count(told.rows),
        count(told.pseudonyms)
    );
    let section = shown::Section {
        place: shown::Place::Details,
        blocks: vec![shown::Block::Paragraph(words)],
        ..shown::Section::new("log", "Log of queries", &figures)
    };
    let mut audit = shown::Audit::default();
    audit.add_original();
    audit.add_private("--queries", &job.queries.layout);
    let mut warnings: Vec<String> = warnings.iter().map(|text| text.to_string()).collect();
    if log.empty > 0 {
        warnings.push(format!("{} rows without a query were left out", count(log.empty)));
    }
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the key can be replayed".into());
    }
    let view = LogView { log, told };
    shown::Report {
        input: shown::Input {
            format: log.source.format.clone(),
            rows: figures.rows + log.empty,
            bytes: log.source.bytes,
            sha256: log.source.sha256.clone(),
            holds: Some(format!(
                "{} people, {} different queries",
                count(figures.people),
                count(figures.queries)
            )),
            ..shown::Input::default()
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({
                "chosen": if plan.is_auto { "auto" } else { "by the job" },
                "shape": "rows of a log",
            }),
        },
        sections: vec![section],
        metrics: metrics::of_form(form)
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        words: shown::Words {
            cells: "queries",
            suppresses: false,
            cost: "What is left",
            cost_note: "What can still be read or put together. Larger is more.",
            ..shown::Words::default()
        },
        audit,
        evidence: shown::Evidence {
            rows: told.rows,
            cells: told.rows,
            ..shown::Evidence::default()
        },
        warnings,
        output: Some(shown::Output {
            rows: told.rows,
            bytes: read.bytes,
            sha256: read.sha256.clone(),
            ..shown::Output::default()
        }),
        ..shown::Report::default()
    }
}

/// The plan of a job. Reads the log and writes nothing.
pub(super) fn explain(
    job: &Job,
    context: &Context<'_>,
    plan: impl Fn(&Log) -> Result<Plan>,
) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let log = crate::data::read(&job.input, &job.base, job.queries.layout()?, context.observer)?;
    let read_ms = clock.lap();
    let plan = plan(&log)?;
    let text_bytes = log.texts.bytes() as f64;
    Ok(PlanFacts {
        read: ReadFacts {
            records: log.entries.len() as u64,
            called: "rows",
            bytes: log.source.bytes,
            besides: format!(
                "{} people, {} different queries",
                count(log.n_users as u64),
                count(log.texts.len() as u64)
            ),
            about: Vec::new(),
        },
        requires: plan.requirements.describe(),
        algorithm: AlgorithmFacts {
            call: plan.params.describe(),
            why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
            summary: plan.algorithm.summary.into(),
            notes: Vec::new(),
        },
        suppresses: "no rows".into(),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::about(
            16.0 * log.entries.len() as f64 + 3.0 * text_bytes,
            "rows and texts; the texts of the release come on top",
        ),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
