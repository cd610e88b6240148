//! A whole run out of core, in one direction: look, plan, divide, publish, verify, measure, write, report.

use crate::algorithms::rothko;
use sfumato_core::Result;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::traits::Objective;
use sfumato_core::tuples::Tuples;
use sfumato_io::spill::SpillFolder;
use sfumato_io::{ReadOptions, ReleaseWriter};
use sfumato_report::Report;

use super::choice::{Choice, choose};
use super::class_runs::ClassRuns;
use super::divide::divide;
use super::folder::{spill_folder, spool};
use super::layout::Layout;
use super::look::{Looked, look};
use super::originals::{Part, Partitions, reopen};
use super::publish::Publisher;
use super::report::{Io, Ran, report};
use super::resume::{self, Decided, Spilled};
use super::save_recoding::save_recoding;
use super::seed::Secret;
use super::verify::check;
use crate::data::check_dependencies::{Dependency, check_dependencies};
use crate::forms::generalized::apply::{Candidate, open};
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::verify::accept;
use crate::forms::generalized::write::{check_destinations, write};
use sfumato_engine::job::{Engine, Job};
use sfumato_engine::reports::write_reports;
use sfumato_engine::stopwatch::{Stopwatch, peak_rss_bytes};

/// What came of a run.
pub enum Outcome {
    /// It is done.
    Done(Box<Report>),
    /// It fits into memory and is still to be done, with standard input in a file if that was the input.
    Fits(Option<Spooled>),
}

/// Standard input in a file that goes with this.
pub struct Spooled {
    /// Where it is.
    pub path: String,
    _folder: SpillFolder,
}

/// What a look at the input says.
enum Looks {
    Larger(Box<Looked>, Box<Plan>, Choice, Vec<Dependency>),
    /// It fits; where the input is.
    Fits(String),
}

/// Look at the input, and refuse what can't be done.
fn look_and_choose(
    job: &Job,
    limit: u64,
    folder: &SpillFolder,
    secret: Secret,
    observer: &dyn Observer,
) -> Result<Looks> {
    let path = spool(job, folder)?;
    let looked = look(job, limit, path, secret, observer)?;
    let dependencies = check_dependencies(job, &looked.sampled)?;
    let plan = looked.plan(job)?;
    let choice = choose(job, &looked, &plan)?;
    if choice.engine == Engine::Memory {
        return Ok(Looks::Fits(looked.path));
    }
    looked.check_served(job, &plan)?;
    Ok(Looks::Larger(Box::new(looked), Box::new(plan), choice, dependencies))
}

/// Run a job out of core, if a first look says that it doesn't fit into memory or the job asks for it.
pub fn run(job: &Job, limit: u64, observer: &dyn Observer) -> Result<Outcome> {
    let mut clock = Stopwatch::start();
    let mut times = sfumato_report::TimingsMs::default();
    check_destinations(job)?;
    let accountant = Accountant::new(Some(limit));
    let (folder, left) = spill_folder(job, &accountant)?;
    let secret = match &left {
        Some((divided, _)) => divided.secret,
        None => Secret::new(job.run.seed)?,
    };
    let looked = match look_and_choose(job, limit, &folder, secret, observer) {
        // Whoever comes back with the right job may still go on.
        Err(error) if left.is_some() => {
            folder.clone().keep();
            return Err(error);
        }
        looked => looked?,
    };
    let (looked, plan, choice, dependencies) = match looked {
        Looks::Larger(looked, plan, choice, dependencies) => (*looked, *plan, choice, dependencies),
        Looks::Fits(path) => {
            let spooled = (job.input.path == "-").then_some(path);
            return Ok(Outcome::Fits(spooled.map(|path| Spooled { path, _folder: folder })));
        }
    };
    times.read = clock.lap();
    let whole = looked.whole();

    let bind = |table: &Table| crate::workloads::bind(&job.workload.tasks, table);
    let outline = rothko::Outline {
        frame: &looked.layout.frame,
        requirements: &plan.requirements,
        whole: &whole,
        max_suppressed: plan.max_suppressed,
        params: &plan.params,
        workload: (!job.workload.tasks.is_empty()).then_some(&bind),
        objective: &|table| Objective::ncp(table),
        seed: secret.number(),
        observer,
    };
    let resumed = left.is_some();
    let mut input_passes = 0;
    let (divided, mut decided, parts) = match left {
        Some((divided, decided)) => {
            if let Err(error) = divided.check(job, &looked.survey.source.sha256, limit) {
                // Whoever comes back with the right job may still go on.
                folder.clone().keep();
                return Err(error);
            }
            let parts =
                divided.partitions.iter().map(|spilled| Ok((reopen(&folder, spilled)?, spilled.clone())));
            let parts = parts.collect::<Result<Vec<_>>>()?;
            (divided, decided, parts)
        }
        None => {
            let (divided, parts, passes) = divide(job, &looked, &choice, &outline, &folder, limit, observer)?;
            input_passes = passes;
            resume::save(&folder, &divided)?;
            (divided, Decided::default(), parts)
        }
    };
    drop(looked.sample);
    times.encode = clock.lap();

    let part =
        |(tuples, spilled): (Box<dyn Tuples>, Spilled)| Part { tuples, spilled, rules: None, n_published: 0 };
    let mut partitions =
        Partitions { frame: &looked.layout.frame, parts: parts.into_iter().map(part).collect(), secret };
    let (file, options, to_stdout) = open(job, &looked.survey.source)?;
    let header: Vec<(&str, Option<&str>)> = release_header(&looked.layout);
    let mut writer = ReleaseWriter::create(file, &header, &options)?;
    let publisher = Publisher {
        plan: &plan,
        rothko: &outline,
        format: options.format,
        folder: &folder,
        saves: job.output.recoding.is_some(),
        observer,
    };
    observer.begin("anonymize", looked.layout.n_rows, Unit::Rows);
    let published = publisher.publish(&mut partitions, &mut decided, &mut writer);
    observer.end();
    let (measured, steps) = published?;
    let mut file = writer.finish()?;
    match to_stdout {
        true => file.flush_all()?,
        false => file.sync_early()?,
    }
    let n_rows = partitions.parts.iter().map(|part| part.n_published).sum();
    let candidate = Candidate { file, n_rows, options, to_stdout };
    let wall = clock.lap();
    times.anonymize = wall - steps.write - steps.measure;
    times.write = steps.write;
    times.measure = steps.measure;

    let runs = ClassRuns::new(&folder, limit / 8)?;
    let reading = ReadOptions { hash: true, ..looked.options.clone() };
    let found = check(&plan, &looked.layout.frame, &candidate, &partitions, (runs, reading), observer)?;
    let io = Io {
        spilled: folder.counts().written(),
        read_back: folder.counts().read(),
        input_passes: 1 + input_passes,
    };
    let verified = accept(&plan, looked.layout.n_rows - n_rows as u64, candidate, found)?;
    times.verify = clock.lap();
    let lost = measured.lost_columns();
    let measured = measured.finish(&verified.class_people);
    let mut report = report(&Ran {
        job,
        survey: &looked.survey,
        layout: &looked.layout,
        plan: &plan,
        choice: &choice,
        divided: &divided,
        verified: &verified,
        measured: &measured,
        lost: &lost,
        dependencies: &dependencies,
        io,
        limit,
        look_ms: times.read,
    });
    if job.run.resume && !resumed {
        report.warnings.push("there was nothing to resume: the run began anew".into());
    }
    times.measure += clock.lap();
    save_recoding(job, &looked.layout.template(), &partitions)?;
    write(verified)?;
    resume::finish(&folder);
    drop(partitions);
    drop(folder);
    times.write += clock.lap();
    times.total = clock.total();
    report.algorithm.details["engine"]["actual"]["ms"] = times.total.into();
    report.timings_ms = times;
    report.peak_rss_bytes = peak_rss_bytes();
    write_reports(job, &report)?;
    Ok(Outcome::Done(Box::new(report)))
}

/// Names and types of the release's columns.
fn release_header(layout: &Layout) -> Vec<(&str, Option<&str>)> {
    let released =
        layout.frame.columns.iter().enumerate().filter(|(place, _)| Some(*place) != layout.frame.subject);
    released
        .map(|(_, tuple)| {
            let column = &tuple.column;
            let is_quasi = column.role == Role::Quasi;
            (column.name.as_str(), column.native_type.as_deref().filter(|_| !is_quasi))
        })
        .collect()
}
