//! The facts of a plan that moves tracks, without running it.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::count;

use super::decide::tracks_of;
use super::plan::make_plan;
use crate::data::read;
use crate::job::Job;

/// Explain a job. Reads the input, because all depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let data = tracks_of(&loaded)?;
    let plan = make_plan(job, data.tracks.len())?;
    let mut about = vec![format!("tracks of {} people", count(data.people as u64))];
    about.push(match plan.every {
        Some(every) => format!(
            "positions every {every} seconds, on straight lines between those \
                                that were measured"
        ),
        None => "positions at all times at which any track was measured".into(),
    });
    if data.short > 0 {
        about.push(format!("{} tracks are too short and left out", count(data.short)));
    }
    Ok(PlanFacts {
        read: ReadFacts {
            records: data.tracks.len() as u64,
            called: "tracks",
            bytes: loaded.source.bytes,
            besides: format!("{} positions", count(data.n_fixes() as u64)),
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
            summary: plan.algorithm.info().summary.into(),
            notes: Vec::new(),
        },
        suppresses: format!("at most {} tracks", count(plan.trash)),
        passes: vec![ONE_PASS.into()],
        memory: Estimate::unknown("24 bytes for each position, three times"),
        time: only_reading(read_ms),
        ..PlanFacts::default()
    })
}
