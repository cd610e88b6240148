//! The facts of a plan that publishes suppressed paths, without running it.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::{bytes, count};

use super::plan::make_plan;
use crate::data::read;
use crate::data::room;
use crate::forms::check_steps;
use crate::job::Job;

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    room::check(job)?;
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    check_steps(&loaded)?;
    let data = &loaded.data;
    let plan = make_plan(job, data.paths.len())?;
    let info = plan.algorithm.info();
    let mean = data.paths.n_steps() as f64 / data.paths.len().max(1) as f64;
    let mut about = vec![match data.is_timed() {
        true => format!(
            "{} places, {} times, {} different points",
            count(data.places.len() as u64),
            count(data.times.len() as u64),
            count(data.steps.len() as u64)
        ),
        false => format!("{} places, without times", count(data.places.len() as u64)),
    }];
    about.extend(data.sensitive.iter().map(|column| {
        format!(
            "sensitive: {}, {} values, published as they are",
            column.name,
            count(column.values.len() as u64)
        )
    }));
    Ok(PlanFacts {
        read: ReadFacts {
            records: data.paths.len() as u64,
            called: "paths",
            bytes: loaded.source.bytes,
            besides: format!("{mean:.1} steps on average"),
            about,
        },
        requires: plan
            .requirements
            .all
            .iter()
            .map(|requirement| format!("{}: {}", requirement.describe(), requirement.words()))
            .collect(),
        algorithm: AlgorithmFacts {
            call: plan.params.describe(),
            why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
            summary: info.summary.into(),
            notes: vec![format!(
                "a sequence is worth keeping if {} paths have it",
                count(plan.support)
            )],
        },
        suppresses: match plan.max_empty {
            Some(most) => format!("at most {} paths, of which nothing is left", count(most)),
            None => "paths of which nothing is left; the report counts them".into(),
        },
        passes: vec![ONE_PASS.into()],
        memory: Estimate::unknown(format!(
            "{} for the paths; sequences are counted beside them",
            bytes(data.paths.bytes())
        )),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
