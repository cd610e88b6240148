//! Bitmaps of baskets: what is published of a record is a base set, the items in which it may be wrong, and in how many; two files that one
//! folder holds.
//!
//! The same way as everything else: plan, decide, publish, verify, report, and only what was read back and checked gets its name.

mod admitted;
mod audit;
mod files;
mod plan;
mod publish;
mod query;
mod read;
mod report;
mod section;
mod verify;

pub use audit::{BitmapAudit, BitmapAuditRequest, audit};
pub use plan::{BitmapPlan, explain, make_plan};
pub use query::query;
pub use read::is_release;

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};
use sfumato_report::{Report, TimingsMs};

use sfumato_engine::destinations::check_bucket_places;
use sfumato_engine::job::{BasketSpec, BucketForm, Job};
use sfumato_engine::reports::write_reports;
use sfumato_engine::stopwatch::{Stopwatch, peak_rss_bytes};

/// Run a job whose models are about bitmaps.
pub fn run(job: &Job, spec: &BasketSpec, observer: &dyn Observer) -> Result<Report> {
    let mut clock = Stopwatch::start();
    let mut times = TimingsMs::default();
    let loaded = crate::data::read::read(job, spec, observer)?;
    times.read = clock.lap();
    let plan = make_plan(job, &loaded)?;
    times.plan = clock.lap();
    observer.begin("anonymize", 0, Unit::Rows);
    let decision = plan.decide(&loaded, observer)?;
    observer.end();
    times.anonymize = clock.lap();
    let candidate = publish::publish(job, &loaded, &decision, observer)?;
    times.write = clock.lap();
    let verified = verify::verify(&plan, &loaded, &decision, candidate, observer)?;
    times.verify = clock.lap();
    let mut report = report::report(job, spec, &loaded, &plan, &decision, &verified);
    times.measure = clock.lap();
    verified.into_folder().commit()?;
    times.write += clock.lap();
    times.total = clock.total();
    report.timings_ms = times;
    report.peak_rss_bytes = peak_rss_bytes();
    write_reports(job, &report)?;
    Ok(report)
}

/// What bitmaps can't do, said before anything is read.
pub fn check_job(job: &Job) -> Result<()> {
    let refuse = |what: &str, hint: &str| Err(Error::unsupported(what).hint(hint));
    if job.output.buckets.is_some() {
        return refuse(
            "bitmaps are no buckets: nobody is in a group",
            "leave --buckets out, or ask for a privacy degree",
        );
    }
    if job.output.keep_order {
        return refuse(
            "bitmaps can't leave in the order of the input: it would say which published record is whose",
            "leave --keep-order out",
        );
    }
    if job.output.format.is_some() {
        return refuse("the files of baskets have the format of the input", "leave --table-format out");
    }
    if !job.privacy.max_suppression.is_unsaid() {
        return refuse("nothing is suppressed where bitmaps are published", "leave --max-suppression out");
    }
    check_bucket_places(job, BucketForm::Linked, false)
}
