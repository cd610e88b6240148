//! Baskets: the same way that tables go (read, plan, decide, publish, verify, report, write), for records that are sets of items.
//!
//! Each step has its own type and takes only the types before it. A published set is a subset of its record's own, and only a release
//! that was read back and checked gets its name.

pub mod alike;
mod audit;
pub mod decide;
mod explain;
pub mod images;
pub mod plan;
pub mod publish;
pub mod report;
pub(crate) mod section;
pub mod subset;
pub mod supporters;
pub mod verify;

pub use alike::Alike;
pub use audit::{SetAudit, SetAuditRequest, audit};
pub use decide::{Decided, decide};
pub use explain::explain;
pub use plan::{SetPlan, make_plan};

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_report::{Report, TimingsMs};

use sfumato_engine::job::{BasketSpec, Job};
use sfumato_engine::reports::write_reports;
use sfumato_engine::stopwatch::{Stopwatch, peak_rss_bytes};

/// Run a job about baskets.
pub fn run(job: &Job, spec: &BasketSpec, observer: &dyn Observer) -> Result<Report> {
    let mut clock = Stopwatch::start();
    let mut times = TimingsMs::default();
    check_job(job)?;
    if is_about_buckets(job)? {
        return crate::forms::buckets::run(job, spec, observer);
    }
    if is_about_bitmaps(job)? {
        return crate::forms::bitmaps::run(job, spec, observer);
    }
    let loaded = crate::data::read::read(job, spec, observer)?;
    times.read = clock.lap();
    let plan = make_plan(job, loaded.baskets.quasi.len())?;
    times.plan = clock.lap();
    let decided = decide(&plan, &loaded.baskets, observer)?;
    times.anonymize = clock.lap();
    let order = publish::order(job, loaded.baskets.quasi.len())?;
    let candidate = publish::publish(job, &loaded, &decided.published, order, observer)?;
    times.write = clock.lap();
    let verified = verify::verify(&plan, &loaded, &decided.published, candidate, observer)?;
    times.verify = clock.lap();
    let parts =
        report::Parts { job, spec, loaded: &loaded, plan: &plan, decided: &decided, verified: &verified };
    let mut report = report::report(&parts);
    times.measure = clock.lap();
    let candidate = verified.into_candidate();
    if candidate.to_stdout { candidate.file.copy_to_stdout() } else { candidate.file.commit() }?;
    times.write += clock.lap();
    times.total = clock.total();
    report.timings_ms = times;
    report.peak_rss_bytes = peak_rss_bytes();
    write_reports(job, &report)?;
    Ok(report)
}

/// Whether the job's models are about groups whose sensitive items are published apart.
fn is_about_buckets(job: &Job) -> Result<bool> {
    Ok(crate::models::bind(&job.privacy.models)?.is_about_buckets())
}

/// Whether the job's models are about bitmaps, whose possible worlds records are.
fn is_about_bitmaps(job: &Job) -> Result<bool> {
    Ok(crate::models::bind(&job.privacy.models)?.is_about_bitmaps())
}

/// Refuse what only tables have, and what can't be written, before anything is read.
fn check_job(job: &Job) -> Result<()> {
    let not_here =
        |what: &str| Err(Error::unsupported(format!("{what} is for tables, and these are baskets")));
    if !job.columns.0.is_empty() {
        return not_here("the role of a column").map_err(|error: Error| {
            error.hint("say with the form what columns are, as in table(categories=[sex], key=id), and roles of items with sensitive and drop")
        });
    }
    if !job.workload.tasks.is_empty() {
        return not_here("a workload");
    }
    if job.output.recoding.is_some() {
        return not_here("a saved recoding");
    }
    let (is_about_buckets, is_about_bitmaps) = (is_about_buckets(job)?, is_about_bitmaps(job)?);
    if is_about_buckets && is_about_bitmaps {
        return Err(Error::unsupported("models about buckets and about matches can't be asked for together")
            .hint("leave one of them out"));
    }
    if job.output.buckets.is_some() && !is_about_buckets && !is_about_bitmaps {
        return Err(Error::params("buckets of baskets are made where a model asks for them")
            .hint("say --model 'privacy-degree(p=10)' and name --sensitive-items"));
    }
    if job.run.memory.is_some()
        || job.run.resume
        || job.run.spill.is_some()
        || job.run.engine != Default::default()
    {
        return not_here("a limit of memory");
    }
    if is_about_buckets {
        return crate::forms::buckets::check_job(job);
    }
    if is_about_bitmaps {
        return crate::forms::bitmaps::check_job(job);
    }
    sfumato_engine::destinations::check_places(job)
}
