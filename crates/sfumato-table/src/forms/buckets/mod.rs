//! Bucket releases of tables: quasi values are published as they are, beside the number of a group; sensitive values only as those of the
//! group, in a table of their own or permuted within groups.
//!
//! The way is that of any release (read, decide, publish, verify, report, write), with stages of its own where what is published isn't a
//! generalization. `read` and what stands on it (`audit`, `query`) work from the files alone.

mod check;
mod publish;
pub mod read;
mod report;
mod section;
mod verify;

pub use check::check_requirements;
pub use sfumato_engine::job::{GROUP, group_column};

use sfumato_core::dataset::Table;
use sfumato_core::observer::Observer;
use sfumato_core::registry::Call;
use sfumato_core::traits::Algorithm;
use sfumato_core::{Error, Result};
use sfumato_engine::random::generator;
use sfumato_report::Report;

use crate::data::encode::encode;
use crate::data::read::read as read_input;
use crate::forms::generalized::anonymize::group;
use crate::forms::generalized::make_plan::{Plan, make_plan, needs_classes};
use crate::forms::generalized::reorder::reorder_by;
use sfumato_engine::job::{BucketForm, Job};
use sfumato_engine::reports::write_reports;
use sfumato_engine::stopwatch::{Stopwatch, peak_rss_bytes};

/// The column that says how often a group has a value.
pub const COUNT: &str = "count";

/// The form of bucket release that a job asks for, by itself or by its algorithm; `None` where values are generalized.
pub fn form_of(job: &Job) -> Result<Option<BucketForm>> {
    if job.output.buckets.is_some() || job.recode.algorithm == "auto" {
        return Ok(job.output.buckets);
    }
    let call: Call = job.recode.algorithm.parse()?;
    let algorithm = crate::algorithms::find(&call.name)?;
    Ok(algorithm.makes_buckets().then_some(BucketForm::default()))
}

/// An algorithm that generalizes, by name: those that make buckets give nothing that a metric of loss could measure.
pub fn find_generalizing(name: &str) -> Result<&'static dyn Algorithm> {
    let algorithm = crate::algorithms::find(name)?;
    needs_classes(algorithm)?;
    match algorithm.makes_buckets() {
        false => Ok(algorithm),
        true => Err(Error::unsupported(format!(
            "{name} publishes quasi values as they are, in buckets: it generalizes nothing"
        ))
        .hint("take another algorithm here, such as mondrian")),
    }
}

/// Refuse what a bucket release can't be made of.
pub fn check(job: &Job, form: BucketForm, table: &Table, plan: &Plan) -> Result<()> {
    check::check_job(job, form)?;
    check::check_columns(job, table)?;
    check_requirements(&plan.requirements)
}

/// Run a job whose classes are published as buckets.
pub fn run(job: &Job, form: BucketForm, observer: &dyn Observer) -> Result<Report> {
    let mut clock = Stopwatch::start();
    let mut times = sfumato_report::TimingsMs::default();
    check::check_job(job, form)?;
    let dataset = read_input(job, observer)?;
    times.read = clock.lap();
    let mut encoded = encode(job, dataset)?;
    check::check_columns(job, &encoded.table)?;
    times.encode = clock.lap();
    let plan = make_plan(job, &encoded.table)?;
    check_requirements(&plan.requirements)?;
    times.plan = clock.lap();
    let mut buckets = group(plan.algorithm, &plan, &encoded.table, observer)?;
    times.anonymize = clock.lap();
    let mut random = generator(job.run.seed)?;
    let order = (!job.output.keep_order).then_some(&mut random);
    let published = reorder_by(order, &mut encoded.table, &mut buckets)?;
    if published.rows == 0 {
        return Err(Error::infeasible("every record would have to be suppressed"));
    }
    let candidate = publish::publish(job, form, &encoded, &buckets, published, &mut random, observer)?;
    times.write = clock.lap();
    let verified = verify::verify(job, &plan, &encoded.table, candidate, observer)?;
    times.verify = clock.lap();
    let mut report = report::report(job, form, &encoded, &plan, &buckets, &verified);
    times.measure = clock.lap();
    verified.write()?;
    times.write += clock.lap();
    times.total = clock.total();
    report.timings_ms = times;
    report.peak_rss_bytes = peak_rss_bytes();
    write_reports(job, &report)?;
    Ok(report)
}
