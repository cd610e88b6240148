//! The plan of a job about baskets in words, without running it.

use std::fmt::Write as _;

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_report::numbers::{bytes, count, duration};

use sfumato_engine::stopwatch::Stopwatch;

use super::make_plan;
use crate::data::read;
use crate::job::Job;

/// Explain a job: what will be read, which algorithm runs on what, and about how much memory that
/// takes. Reads the input, because everything depends on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<String> {
    let mut clock = Stopwatch::start();
    let loaded = read::read(job, observer)?;
    let read_ms = clock.lap();
    let sets = &loaded.baskets.quasi;
    let plan = make_plan(job, sets.len())?;
    let mut text = String::new();
    let mean = sets.n_instances() as f64 / sets.len() as f64;
    let _ = writeln!(
        text,
        "read       {}: {} records, {} different items, {mean:.1} items on average, {}",
        job.input.path,
        count(sets.len() as u64),
        count(sets.counts().iter().filter(|n| **n > 0).count() as u64),
        bytes(loaded.source.bytes)
    );
    let worth = if loaded.has_utilities { "as the job says" } else { "the same for all" };
    let _ = writeln!(text, "  what an item is worth: {worth}");
    if let Some(sensitive) = &loaded.baskets.sensitive {
        let _ = writeln!(
            text,
            "  sensitive: {} instances, published as they are",
            count(sensitive.n_instances())
        );
    }
    for requirement in &plan.requirements.all {
        let counted: Vec<String> = requirement
            .asks()
            .into_iter()
            .map(|(hiding, k)| format!("{} {}", count(k), hiding.describe()))
            .collect();
        let _ = writeln!(
            text,
            "require    {}: at least {}",
            requirement.describe(),
            counted.join(", at least ")
        );
    }
    let how = if plan.is_auto { ", chosen by auto" } else { "" };
    let _ = writeln!(
        text,
        "anonymize  {}{how}: {}",
        plan.params.describe(),
        plan.algorithm.info().summary
    );
    let copies = sets.share_of_copies(100_000);
    if plan.algorithm.takes_weights() && copies > 0.0 {
        let _ = writeln!(
            text,
            "           {:.0} % of some records are copies of others of them",
            100.0 * copies
        );
    }
    match plan.max_empty {
        Some(most) => {
            writeln!(text, "suppress   at most {} records: published without any item", count(most))
        }
        None => writeln!(
            text,
            "suppress   records that come to nothing are published without items; the report \
                counts them"
        ),
    }
    .ok();
    let _ = writeln!(
        text,
        "passes     the input is read once, the release is written once and read back once"
    );
    let _ = writeln!(
        text,
        "memory     {} for the records; algorithms hold one to four times that beside them",
        bytes(sets.bytes())
    );
    let _ = writeln!(text, "time       reading took {}", duration(read_ms));
    Ok(text)
}
