//! The whole way of the data, in one direction.

use sfumato_core::dataset::Role;
use sfumato_core::observer::Observer;
use sfumato_core::traits::Algorithm;
use sfumato_core::{Error, Result};
use sfumato_engine::reports::write_reports;
use sfumato_report::Report;

use crate::data::check_dependencies::check_dependencies;
use crate::data::encode::{SavedLevels, encode_with};
use crate::data::read::read;
use crate::forms::generalized::anonymize::anonymize;
use crate::forms::generalized::apply::apply;
use crate::forms::generalized::make_plan::make_plan;
use crate::forms::generalized::measure::measure;
use crate::forms::generalized::reorder::reorder;
use crate::forms::generalized::report::{Parts, ignored, report};
use crate::forms::generalized::statistics::describe;
use crate::forms::generalized::verify::verify;
use crate::forms::generalized::write::{check_destinations, write};
use crate::recoding_file::{self, SavedFile, SavedRecoding, Unseen};
use crate::spill::{self, Outcome};
use sfumato_engine::job::{Engine, Job};
use sfumato_engine::paths::resolve;
use sfumato_engine::stopwatch::{Stopwatch, peak_rss_bytes};

/// Run a job: read, anonymize, verify, measure, write, report.
pub fn run(job: &Job, observer: &dyn Observer) -> Result<Report> {
    if let Some(form) = crate::forms::buckets::form_of(job)? {
        return crate::forms::buckets::run(job, form, observer);
    }
    for (key, given) in [("group", job.output.group.is_some()), ("format", job.output.format.is_some())] {
        if given {
            return Err(Error::params(format!("'{key}' under [output] is for bucket releases"))
                .hint("say --buckets linked, or leave it out"));
        }
    }
    let in_memory =
        |job: &Job, say: &dyn Fn(&mut Report)| run_saying(job, None, &SavedLevels::default(), say, observer);
    let Some(limit) = beyond_memory(job)? else { return in_memory(job, &|_| ()) };
    match spill::run(job, limit, observer)? {
        Outcome::Done(report) => Ok(*report),
        Outcome::Fits(None) => in_memory(job, &|_| ()),
        // Standard input was read already: the run goes on with the copy, and tells of what was asked for.
        Outcome::Fits(Some(spooled)) => {
            let mut copied = job.clone();
            copied.input.path = spooled.path.clone();
            in_memory(&copied, &|report| {
                report.input.path = job.input.path.clone();
                report.job = sfumato_engine::reports::job_json(job);
                report.job_toml = Some(job.to_toml());
            })
        }
    }
}

/// The memory that a job may take, where it may not be enough and a look at the input must say.
pub fn beyond_memory(job: &Job) -> Result<Option<u64>> {
    let (limit, is_asked) = spill::limit(job)?;
    if job.columns.0.iter().any(|(_, spec)| spec.role == Role::Guard) {
        return match is_asked || matches!(job.run.engine, Engine::Sample | Engine::Tree) {
            true => Err(Error::unsupported("guards need the table in memory: a limit can't be given")),
            false => Ok(None),
        };
    }
    let path = resolve(&job.base, &job.input.path);
    Ok(match job.run.engine {
        Engine::Sample | Engine::Tree => Some(limit),
        // Who asks for both gets both or an error: a limit is a promise.
        Engine::Memory if is_asked && !spill::surely_fits(job, &path, limit) => Some(limit),
        Engine::Memory => None,
        Engine::Auto if spill::surely_fits(job, &path, limit) => None,
        // Standard input is read once, and a machine's free memory is no promise.
        Engine::Auto if path == "-" && !is_asked => None,
        Engine::Auto => Some(limit),
    })
}

/// Publish new rows in the regions of a saved recoding. The job says what to read and write; roles and models are the
/// saved ones. The output is verified like any other release.
pub fn apply_saved(file: &SavedFile, unseen: Unseen, job: &Job, observer: &dyn Observer) -> Result<Report> {
    let saved = SavedLevels {
        tables: file
            .columns
            .iter()
            .chain(&file.sensitive)
            .filter_map(|c| Some((c.name.clone(), c.level_table()?)))
            .collect(),
        bounds: file.columns.iter().map(|c| (c.name.clone(), c.bounds())).collect(),
        unknown_to_root: unseen != Unseen::Refuse,
    };
    let say = |report: &mut Report| {
        report.algorithm.name = "saved-recoding".into();
        report.warnings.push(
            "these rows were published in the regions of an earlier release: whoever has both releases, and knows that \
             a person is in both, may combine what each says"
                .into(),
        );
    };
    run_saying(job, Some(&SavedRecoding { file, unseen }), &saved, &say, observer)
}

/// Run a job with another algorithm than the plan's (a saved recoding, or one of a test that lies) and hierarchies that
/// were saved.
pub fn run_with(
    job: &Job,
    stand_in: Option<&dyn Algorithm>,
    saved: &SavedLevels,
    observer: &dyn Observer,
) -> Result<Report> {
    run_saying(job, stand_in, saved, &|_| (), observer)
}

/// The same; `say` adds to the report what only the caller knows, before it is written.
pub fn run_saying(
    job: &Job,
    stand_in: Option<&dyn Algorithm>,
    saved: &SavedLevels,
    say: &dyn Fn(&mut Report),
    observer: &dyn Observer,
) -> Result<Report> {
    let mut clock = Stopwatch::start();
    let mut times = sfumato_report::TimingsMs::default();
    if job.output.buckets.is_some() {
        return Err(
            Error::unsupported("this way of running a job publishes no buckets").hint("leave --buckets out")
        );
    }
    check_destinations(job)?;
    let dataset = read(job, observer)?;
    times.read = clock.lap();
    let mut encoded = encode_with(job, dataset, saved)?;
    let dependencies = check_dependencies(job, &encoded.table)?;
    times.encode = clock.lap();
    let plan = make_plan(job, &encoded.table)?;
    times.plan = clock.lap();
    let mut recoding = anonymize(stand_in.unwrap_or(plan.algorithm), &plan, &encoded.table, observer)?;
    times.anonymize = clock.lap();
    let published = reorder(job, &mut encoded.table, recoding.as_mut())?;
    let statistics = describe(&plan, &encoded.table, recoding.as_ref())?;
    let to_write = (&plan.forms, &statistics);
    let candidate = apply(job, &encoded, recoding.as_ref(), to_write, published, observer)?;
    times.write = clock.lap();
    let verified = verify(&plan, &encoded, recoding.as_ref(), candidate, observer)?;
    times.verify = clock.lap();
    let hiding = verified.matched.as_ref().unwrap_or(&verified.class_people);
    let measured = measure(&encoded.table, recoding.as_ref(), plan.k, hiding);
    let parts = Parts {
        job,
        encoded: &encoded,
        plan: &plan,
        recoding: recoding.as_ref(),
        statistics: &statistics,
        verified: &verified,
        measured: &measured,
        dependencies: &dependencies,
    };
    let mut report = report(&parts);
    if stand_in.is_none() {
        report.warnings.extend(ignored(&plan));
    }
    say(&mut report);
    times.measure = clock.lap();
    recoding_file::save(job, &encoded, recoding.as_ref())?;
    write(verified)?;
    times.write += clock.lap();
    times.total = clock.total();
    report.timings_ms = times;
    report.peak_rss_bytes = peak_rss_bytes();
    write_reports(job, &report)?;
    Ok(report)
}
