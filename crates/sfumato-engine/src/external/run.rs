//! A whole run out of core, in one direction: look, lay out, plan, divide, publish, verify, measure, write, report.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use sfumato_core::dataset::Table;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::traits::Objective;
use sfumato_core::tuples::{Sliced, Tuples};
use sfumato_core::{Error, Result};
use sfumato_io::spill::{SpillDivide, SpillFolder, find_resumable, remove_orphans, widths_of};
use sfumato_io::{ReadOptions, ReleaseWriter};
use sfumato_recode::rothko::{self, Limits};
use sfumato_report::Report;

use super::choice::{Choice, asked, choose};
use super::class_runs::ClassRuns;
use super::layout::{Layout, lay_out};
use super::originals::{Part, Partitions, reopen};
use super::publish::Publisher;
use super::report::{Io, Ran, report};
use super::resume::{self, Decided, Divided, PARTITIONS, Spilled, job_text};
use super::save_recoding::save_recoding;
use super::seed::Secret;
use super::shares::Shares;
use super::source::{InputTuples, sampled_words};
use super::survey::{Room, Survey, survey};
use super::verify::check;
use crate::job::{Engine, Job};
use crate::paths::resolve;
use crate::stage::apply::{Candidate, open};
use crate::stage::check_dependencies::check_dependencies;
use crate::stage::make_plan::{Plan, make_plan};
use crate::stage::read::read_options;
use crate::stage::reorder::shuffle;
use crate::stage::report::write_reports;
use crate::stage::verify::accept;
use crate::stage::write::{check_destinations, write};
use crate::stopwatch::{Stopwatch, peak_rss_bytes};

/// What a first look says, and what follows from it.
pub struct Looked {
    /// The first look.
    pub survey: Survey,
    /// What tuples are.
    pub layout: Layout,
    /// Some rows as words.
    pub sample: Vec<Vec<u64>>,
    /// The same rows as a table.
    pub sampled: Table,
    /// How to read the input again.
    pub options: ReadOptions,
    /// Who gets how much memory.
    pub shares: Shares,
    /// Where random numbers come from.
    pub secret: Secret,
    /// Where the input is.
    pub path: String,
}

/// Look at the input once.
pub fn look(job: &Job, limit: u64, path: String, secret: Secret, observer: &dyn Observer) -> Result<Looked> {
    let mut shares = Shares::of(limit)?;
    if let Some(asked) = asked(job, "sample") {
        shares.sample_rows = shares.sample_rows.min(asked.max(1));
    }
    let options = ReadOptions {
        block_bytes: shares.block_bytes,
        batch_rows: shares.batch_rows,
        ..read_options(&job.input)?
    };
    let room = Room { values: shares.values, sample_rows: shares.sample_rows as usize };
    let survey = survey(job, &path, &options, room, secret.number(), observer)?;
    let layout = lay_out(job, &survey)?;
    let read: Vec<usize> = (0..survey.header.len())
        .filter(|place| survey.roles[*place] != sfumato_core::dataset::Role::Identifier)
        .collect();
    let sample = sampled_words(job, &layout, &read, &survey.sample)?;
    let sampled = layout.frame.table(sample.clone())?;
    let options = ReadOptions { hash: false, ..options };
    Ok(Looked { survey, layout, sample, sampled, options, shares, secret, path })
}

impl Looked {
    /// The plan of a job for its input.
    pub fn plan(&self, job: &Job) -> Result<Plan> {
        let mut job = job.clone();
        if job.recode.algorithm == "auto" {
            job.recode.algorithm = "mondrian".into();
        }
        let mut plan = make_plan(&job, &self.sampled)?;
        plan.max_suppressed = job.privacy.max_suppression.of(self.layout.n_rows as usize);
        Ok(plan)
    }

    /// The summary of all records: what classes are compared with.
    pub fn whole(&self) -> Summary {
        let sensitive = self.layout.frame.sensitive();
        let histogram =
            |place: &usize| Histogram::from_counts((0u32..).zip(self.layout.counts[*place].iter().copied()));
        let histograms = sensitive.iter().map(histogram).collect();
        Summary::estimated(self.layout.n_rows, self.layout.people, histograms)
    }
}

/// Run a job out of core; `None` if a first look says that it fits into memory, and nobody asked for more.
pub fn run(job: &Job, limit: u64, observer: &dyn Observer) -> Result<Option<Report>> {
    let mut clock = Stopwatch::start();
    let mut times = sfumato_report::TimingsMs::default();
    check_destinations(job)?;
    let accountant = Accountant::new(Some(limit));
    let (folder, left) = spill_folder(job, &accountant)?;
    let secret = match &left {
        Some((divided, _)) => divided.secret,
        None => Secret::new(job.run.seed)?,
    };
    let path = spool(job, &folder)?;
    let looked = look(job, limit, path, secret, observer)?;
    times.read = clock.lap();
    let dependencies = check_dependencies(job, &looked.sampled)?;
    let plan = looked.plan(job)?;
    let choice = choose(job, &looked, &plan)?;
    if choice.engine == Engine::Memory {
        return Ok(None);
    }
    let whole = looked.whole();
    check_served(job, &looked, &plan)?;
    times.plan = clock.lap();

    let bind = |table: &Table| sfumato_workload::bind(&job.workload.tasks, table);
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
    let mut input_passes = 0;
    let (divided, decided, mut parts) = match left {
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

    let mut decided = decided;
    let part =
        |(tuples, spilled): (Box<dyn Tuples>, Spilled)| Part { tuples, spilled, rules: None, n_published: 0 };
    let mut partitions =
        Partitions { frame: &looked.layout.frame, parts: parts.drain(..).map(part).collect(), secret };
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
    let measured_parts = measured;
    let lost = measured_parts.lost_columns();
    let measured = measured_parts.finish(&verified.class_people);
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
    Ok(Some(report))
}

/// The folder for spilled data, with what a killed run left in it, if that is wanted. What isn't wanted any more is removed.
fn spill_folder(job: &Job, accountant: &Accountant) -> Result<(SpillFolder, Option<(Divided, Decided)>)> {
    let destination = resolve(&job.base, &job.output.path);
    let within = job.run.spill.as_ref().map(|path| PathBuf::from(resolve(&job.base, path)));
    let (destination, within) = match destination == "-" {
        true => (PathBuf::from("standard-output"), within.or_else(|| Some(std::env::temp_dir()))),
        false => (PathBuf::from(destination), within),
    };
    let within: Option<&Path> = within.as_deref();
    let left = job.run.resume.then(|| find_resumable(&destination, within, PARTITIONS)).flatten();
    if let Some(orphan) = left {
        let folder = SpillFolder::adopt(&orphan, &destination, within, accountant)?;
        if let Some(left) = resume::load(&folder)? {
            return Ok((folder, Some(left)));
        }
    }
    remove_orphans(&destination, within);
    Ok((SpillFolder::create(&destination, within, accountant)?, None))
}

/// Standard input can be read once only: it goes to a file first.
fn spool(job: &Job, folder: &SpillFolder) -> Result<String> {
    let path = resolve(&job.base, &job.input.path);
    if path != "-" {
        return Ok(path);
    }
    let (path, mut file) = folder.create_file("input")?;
    std::io::copy(&mut std::io::stdin().lock(), &mut file)
        .map_err(|source| Error::io(&path, "keep standard input here", &source))?;
    Ok(path.display().to_string())
}

/// Refuse what can't be done out of core, before anything is divided.
fn check_served(job: &Job, looked: &Looked, plan: &Plan) -> Result<()> {
    let too_large = |what: &str| {
        Error::resources(format!("{what}, and this table doesn't fit into the memory allowed"))
            .hint("raise --memory, or leave it out")
    };
    if plan.algorithm.info().name != "mondrian" && !plan.algorithm.info().name.starts_with("rothko-") {
        return Err(too_large(&format!("{} works in memory only", plan.algorithm.info().name))
            .hint("raise --memory, or use mondrian, which goes on out of core"));
    }
    if job.output.keep_order {
        return Err(too_large("keeping the order of rows needs all of them in memory"));
    }
    if !plan.forms.is_plain() {
        return Err(too_large("statistics of regions are made in memory"));
    }
    let frame = &looked.layout.frame;
    let needed = plan.requirements.needed_histograms(frame.sensitive().len());
    for (place, _) in frame.sensitive().iter().zip(needed).filter(|(_, needed)| *needed) {
        let column = &frame.columns[*place];
        if column.cells != sfumato_core::tuples::Cells::Codes {
            return Err(Error::resources(format!(
                "column '{}' has more different values than models can count in the memory allowed",
                column.column.name
            ))
            .hint("raise --memory"));
        }
    }
    Ok(())
}

/// Names and types of the release's columns.
fn release_header(layout: &Layout) -> Vec<(&str, Option<&str>)> {
    let released =
        layout.frame.columns.iter().enumerate().filter(|(place, _)| Some(*place) != layout.frame.subject);
    released
        .map(|(_, tuple)| {
            let column = &tuple.column;
            let is_quasi = column.role == sfumato_core::dataset::Role::Quasi;
            (column.name.as_str(), column.native_type.as_deref().filter(|_| !is_quasi))
        })
        .collect()
}

type Divisions = (Divided, Vec<(Box<dyn Tuples>, Spilled)>, u64);

/// Divide the input into partitions that fit, in random order.
fn divide(
    job: &Job,
    looked: &Looked,
    choice: &Choice,
    outline: &rothko::Outline<'_>,
    folder: &SpillFolder,
    limit: u64,
    observer: &dyn Observer,
) -> Result<Divisions> {
    let input = InputTuples {
        job,
        path: looked.path.clone(),
        options: looked.options.clone(),
        layout: &looked.layout,
        observer,
        passes: AtomicU64::new(0),
    };
    let rows = choice.rows;
    let limits = Limits {
        partition_rows: rows.partition,
        group_bytes: rows.groups,
        max_parts: rows.parts,
        sample_rows: looked.shares.sample_rows,
    };
    let spill = SpillDivide::new(folder, &widths_of(outline.frame), rows.chunk)?.synced();
    let (partitions, work) = match choice.engine {
        Engine::Tree => rothko::tree(outline, &limits, &input, &spill)?,
        _ => rothko::sample(outline, &limits, choice.alpha, &input, &spill, Some(looked.sample.clone()))?,
    };
    let mut order: Vec<u32> = (0..partitions.len() as u32).collect();
    shuffle(&mut order, &mut looked.secret.of_order());
    let mut partitions: Vec<Option<rothko::Partition>> = partitions.into_iter().map(Some).collect();
    let mut parts = Vec::with_capacity(partitions.len());
    for place in order {
        let Some(partition) = partitions[place as usize].take() else { continue };
        let rothko::Partition { tuples, above, published, whole_class } = partition;
        let n_rows = tuples.n_rows();
        let spilled = Spilled { files: tuples.names(), slice: None, n_rows, above, published, whole_class };
        // A class that doesn't fit is published in slices that do.
        match (spilled.whole_class.is_some() || !published) && n_rows > rows.partition {
            false => parts.push((tuples, spilled)),
            true => {
                let tuples: Arc<dyn Tuples> = tuples.into();
                for first in (0..n_rows).step_by(rows.partition as usize) {
                    let slice = first..(first + rows.partition).min(n_rows);
                    let n_rows = slice.end - slice.start;
                    let spilled = Spilled { slice: Some(slice.clone()), n_rows, ..spilled.clone() };
                    parts.push((Box::new(Sliced { tuples: Arc::clone(&tuples), rows: slice }), spilled));
                }
            }
        }
    }
    let divided = Divided {
        version: env!("CARGO_PKG_VERSION").into(),
        job: job_text(job),
        input: looked.survey.source.sha256.clone(),
        memory: limit,
        secret: looked.secret,
        engine: choice.engine.name().into(),
        partitions: parts.iter().map(|(_, spilled)| spilled.clone()).collect(),
        work: serde_json::to_value(work).unwrap_or_default(),
    };
    Ok((divided, parts, input.passes()))
}
