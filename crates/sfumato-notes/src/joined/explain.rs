//! The facts of a plan about notes, without running it.

use sfumato_core::Result;
use sfumato_engine::context::Context;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::form::Form;
use sfumato_engine::paths::resolve;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::{count, counted};
use sfumato_table::kind::Tables;
use sfumato_text::job::Level;

use super::GENERALIZED;
use super::decide::inner;
use crate::data::{Noted, read};
use crate::job::Job;

/// Explain a job. Reads the notes, because sizes depend on them, and writes nothing.
pub fn explain(job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let noted = read(job, &resolve(&job.base, &job.input.path), context.observer)?;
    let read_ms = clock.lap();
    let read = ReadFacts {
        records: noted.len() as u64,
        called: "notes",
        bytes: noted.table.source.bytes,
        about: about(&noted),
        ..ReadFacts::default()
    };
    if job.level() != Level::Statistical {
        return Ok(PlanFacts {
            read,
            algorithm: AlgorithmFacts {
                call: "auto".into(),
                summary: "what detectors find is replaced; what they overlook stays".into(),
                ..AlgorithmFacts::default()
            },
            suppresses: "no notes".into(),
            passes: vec![ONE_PASS.into()],
            memory: Estimate::about(noted.table.source.bytes as f64 * 4.0, "the notes four times"),
            time: only_reading(read_ms),
            ..PlanFacts::default()
        });
    }
    let (loan, columns) = inner(job, &noted)?;
    let table_job = job.of_table(loan.name(), "", columns);
    let mut facts = Form::<Tables<'static>>::explain(&GENERALIZED, &table_job, context)?;
    facts.read = read;
    facts.publishes.push("texts in which what is found says no more than the row".into());
    Ok(facts)
}

/// What the texts say, a line each.
pub fn about(noted: &Noted) -> Vec<String> {
    let mut lines = vec![format!("looked for: {}", noted.extractor.chosen.names().join(", "))];
    for (at, attribute) in noted.extractor.attributes.iter().enumerate() {
        let parts = noted.view.parts.iter().flatten();
        let said = parts.filter(|part| part.of.contains(&at)).count() as u64;
        let whence = match attribute.column {
            Some(_) => "a column",
            None => "only in the text",
        };
        lines.push(format!("{} ({whence}): {} in texts", attribute.name, counted(said, "part")));
    }
    let linked = &noted.view.linked;
    lines.push(format!(
        "{} about {} people ({})",
        counted(noted.len() as u64, "note"),
        count(linked.people),
        match noted.view.is_by_column {
            true => "a column says whom".to_string(),
            false => format!(
                "linked {} times by a number and {} times by a name, in {} rounds",
                count(linked.by_number),
                count(linked.by_name),
                count(noted.view.rounds)
            ),
        }
    ));
    lines
}
