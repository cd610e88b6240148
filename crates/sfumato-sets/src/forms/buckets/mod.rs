//! Buckets of baskets: harmless items are published as they are, sensitive ones as counts per group, in two files that one folder holds.
//!
//! The same way as everything else: plan, decide, publish, verify, report, and only what was read back and checked gets its name.

mod audit;
mod files;
mod linked;
mod plan;
mod publish;
mod query;
mod report;
mod section;
mod truth;
mod verify;

pub use audit::{BucketAudit, BucketAuditRequest, audit, is_release};
pub use plan::{BucketPlan, explain, make_plan};
pub(crate) use query::answer_all;
pub use query::{ItemCondition, ItemQuery, ItemQueryRequest, query};

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};
use sfumato_report::{Report, TimingsMs};

use sfumato_engine::destinations::check_bucket_places;
use sfumato_engine::job::{BasketSpec, Job};
use sfumato_engine::reports::write_reports;
use sfumato_engine::stopwatch::{Stopwatch, peak_rss_bytes};

use crate::data::read;

/// Run a job whose models are about buckets.
pub fn run(job: &Job, spec: &BasketSpec, observer: &dyn Observer) -> Result<Report> {
    let mut clock = Stopwatch::start();
    let mut times = TimingsMs::default();
    let loaded = read::read(job, spec, observer)?;
    times.read = clock.lap();
    let plan = make_plan(job, &loaded)?;
    times.plan = clock.lap();
    observer.begin("anonymize", 0, Unit::Rows);
    let (groups, findings) = plan.group(&loaded, observer)?;
    observer.end();
    times.anonymize = clock.lap();
    let candidate = publish::publish(job, &loaded, &groups, observer)?;
    times.write = clock.lap();
    let verified = verify::verify(job, &plan, &loaded, candidate, observer)?;
    times.verify = clock.lap();
    let mut report = report::report(job, spec, &loaded, &plan, &findings, &verified);
    times.measure = clock.lap();
    verified.into_place().commit()?;
    times.write += clock.lap();
    times.total = clock.total();
    report.timings_ms = times;
    report.peak_rss_bytes = peak_rss_bytes();
    write_reports(job, &report)?;
    Ok(report)
}

/// What buckets can't do, said before anything is read.
pub fn check_job(job: &Job) -> Result<()> {
    if job.output.format.is_some() {
        return Err(Error::unsupported("the files of baskets have the format of the input")
            .hint("leave --table-format out"));
    }
    // Lines of items may be in a file of any name.
    check_bucket_places(job, job.output.buckets.unwrap_or_default(), false)
}
