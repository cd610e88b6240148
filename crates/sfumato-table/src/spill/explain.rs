//! The plan of a job that doesn't fit into memory, in words.

use std::fmt::Write as _;

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_report::numbers;

use super::choice::{Choice, choose};
use super::look::{Looked, look};
use super::seed::Secret;
use crate::data::check_dependencies::check_dependencies;
use crate::forms::generalized::make_plan::Plan;
use crate::job::{Engine, Job};
use sfumato_engine::paths::resolve;
use sfumato_engine::stopwatch::Stopwatch;

/// Explain a job after one pass over its input. `None` if it fits into memory.
pub fn explain(job: &Job, limit: u64, observer: &dyn Observer) -> Result<Option<String>> {
    let mut clock = Stopwatch::start();
    let path = resolve(&job.base, &job.input.path);
    let looked = look(job, limit, path, Secret::new(job.run.seed)?, observer)?;
    let read_ms = clock.lap();
    let plan = looked.plan(job)?;
    let choice = choose(job, &looked, &plan)?;
    if choice.engine == Engine::Memory {
        return Ok(None);
    }
    let dependencies = check_dependencies(job, &looked.sampled)?;
    let mut text = String::new();
    let layout = &looked.layout;
    let _ = writeln!(
        text,
        "read       {}: {} rows, {}",
        job.input.path,
        numbers::count(layout.n_rows),
        numbers::bytes(looked.survey.source.bytes)
    );
    for (at, facts) in layout.facts.iter().enumerate() {
        let column = &layout.frame.columns[at].column;
        let about = if facts.is_exact { "" } else { "about " };
        let missing = match facts.missing {
            0 => String::new(),
            missing => format!(", {} missing", numbers::count(missing)),
        };
        let how = &layout.notes[at].hierarchy;
        let how = if how.is_empty() { String::new() } else { format!(", {how}") };
        let _ = writeln!(
            text,
            "  {:<8} {}: {}, {about}{} values{missing}{how}",
            column.role.name(),
            column.name,
            facts.kind.name(),
            numbers::count(facts.distinct)
        );
    }
    for dependency in &dependencies {
        let _ = writeln!(text, "           {dependency}");
    }
    for requirement in plan.requirements.iter() {
        let _ = writeln!(text, "require    {}", requirement.describe());
    }
    write_choice(&mut text, job, &looked, &plan, &choice, read_ms);
    Ok(Some(text))
}

fn write_choice(
    text: &mut String,
    job: &Job,
    looked: &Looked,
    plan: &Plan,
    choice: &Choice,
    read_ms: f64,
) {
    let layout = &looked.layout;
    let _ = writeln!(
        text,
        "anonymize  {}, engine {}: {}",
        plan.params.describe(),
        choice.engine.name(),
        choice.why
    );
    let forecast = choice.forecast;
    let _ = writeln!(
        text,
        "partitions of at most {} rows ({} bytes a row); {} frequency groups fit",
        numbers::count(choice.rows.partition),
        choice.rows.bytes,
        numbers::count(choice.groups)
    );
    let _ = writeln!(
        text,
        "input/output, in multiples of the data, as the paper counts: sample {} reads, {} writes; \
            tree {} reads, {} writes (height {})",
        forecast.reads_sample,
        forecast.writes_sample,
        forecast.reads_tree,
        forecast.writes_tree,
        forecast.height
    );
    let _ = writeln!(
        text,
        "           so with the first look {} reads and {} writes; then the release is written \
            once and read back once",
        choice.reads(),
        choice.writes()
    );
    let _ = writeln!(text, "memory     {} at most", numbers::bytes(looked.shares.limit));
    let total = choice.milliseconds(read_ms, layout, plan);
    let _ = writeln!(
        text,
        "time       about {} (the first look took {})",
        numbers::duration(total),
        numbers::duration(read_ms)
    );
    let place = job.run.spill.as_deref().unwrap_or("beside the release");
    let row = layout.frame.columns.len() as u64 * 4;
    let _ = writeln!(
        text,
        "disk       about {} of temporary data, {place}",
        numbers::bytes(layout.n_rows * row * choice.writes().max(1))
    );
}
