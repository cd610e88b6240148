//! The facts of a plan of a table that doesn't fit into memory.

use sfumato_core::Result;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Observer;
use sfumato_report::numbers;

use super::choice::{Choice, choose};
use super::layout::Layout;
use super::look::look;
use crate::data::check_dependencies::check_dependencies;
use crate::explain as held;
use crate::job::{Engine, Job};
use sfumato_engine::exec::Secret;
use sfumato_engine::explain::{AlgorithmFacts, Estimate, PlanFacts, ReadFacts};
use sfumato_engine::paths::resolve;
use sfumato_engine::stopwatch::Stopwatch;

/// Explain a job after one look at its input; `None` if it fits into memory.
pub fn explain(job: &Job, limit: u64, observer: &dyn Observer) -> Result<Option<PlanFacts>> {
    let mut clock = Stopwatch::start();
    let path = resolve(&job.base, &job.input.path);
    let books = Accountant::new(Some(limit));
    let looked = look(job, limit, path, Secret::new(job.run.seed)?, &books, observer)?;
    let read_ms = clock.lap();
    let plan = looked.plan(job)?;
    let choice = choose(job, &looked, &plan)?;
    if choice.engine == Engine::Memory {
        return Ok(None);
    }
    let dependencies = check_dependencies(job, &looked.sampled)?;
    let layout = &looked.layout;
    let mut about: Vec<String> = (0..layout.facts.len()).map(|at| column(layout, at)).collect();
    about.extend(dependencies.iter().map(|dependency| format!("accepted: {dependency}")));
    let place = job.run.spill.as_deref().unwrap_or("beside the release");
    let row = layout.frame.columns.len() as u64 * 4;
    let spilled = layout.n_rows * row * choice.writes().max(1);
    let memory = "what doesn't fit is spilled to disk";
    let looking = format!("the first look took {}", numbers::duration(read_ms));
    let named = held::algorithm(&plan);
    let engine = format!("engine {}", choice.engine.name());
    let why = match named.why.is_empty() {
        true => engine,
        false => format!("{}, {engine}", named.why),
    };
    Ok(Some(PlanFacts {
        read: ReadFacts {
            records: layout.n_rows,
            called: "rows",
            bytes: looked.survey.source.bytes,
            besides: String::new(),
            about,
        },
        requires: held::requires(&plan),
        publishes: held::publishes(&plan, &looked.sampled),
        algorithm: AlgorithmFacts {
            call: named.call,
            summary: choice.why.clone(),
            notes: [vec![partitions(&choice)], named.notes].concat(),
            why,
        },
        suppresses: held::suppresses(&plan),
        passes: passes(&choice),
        memory: Estimate::at_most(looked.shares.limit as f64, memory),
        time: Estimate::about(choice.milliseconds(read_ms, layout, &plan), looking),
        disk: Some(Estimate::about(spilled as f64, format!("temporary data, {place}"))),
    }))
}

/// A column in a line.
fn column(layout: &Layout, at: usize) -> String {
    let (facts, column) = (&layout.facts[at], &layout.frame.columns[at].column);
    let about = if facts.is_exact { "" } else { "about " };
    let missing = match facts.missing {
        0 => String::new(),
        missing => format!(", {} missing", numbers::count(missing)),
    };
    let how = &layout.notes[at].hierarchy;
    let how = if how.is_empty() { String::new() } else { format!(", {how}") };
    format!(
        "{} ({}): {}, {about}{} values{missing}{how}",
        column.name,
        column.role.name(),
        facts.kind.name(),
        numbers::count(facts.distinct)
    )
}

fn partitions(choice: &Choice) -> String {
    if choice.engine == Engine::Cuts {
        return format!(
            "partitions of at most {} rows ({} bytes a row); records that are alike are one point \
             on disk, and the search scans points as often as it must",
            numbers::count(choice.rows.partition),
            choice.rows.bytes
        );
    }
    format!(
        "partitions of at most {} rows ({} bytes a row); {} frequency groups fit",
        numbers::count(choice.rows.partition),
        choice.rows.bytes,
        numbers::count(choice.groups)
    )
}

fn passes(choice: &Choice) -> Vec<String> {
    let forecast = choice.forecast;
    let both = format!(
        "input/output, in multiples of the data, as the paper counts: sample {} reads, {} writes; \
         tree {} reads, {} writes (height {})",
        forecast.reads_sample,
        forecast.writes_sample,
        forecast.reads_tree,
        forecast.writes_tree,
        forecast.height
    );
    let chosen = format!(
        "so with the first look {} reads and {} writes; then the release is written once and read \
         back once",
        choice.reads(),
        choice.writes()
    );
    // The paper's forecast is about growing a tree, not about cuts.
    match choice.engine {
        Engine::Cuts => vec![chosen],
        _ => vec![both, chosen],
    }
}
