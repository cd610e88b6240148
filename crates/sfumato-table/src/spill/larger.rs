//! A table that doesn't fit into memory, step by step: a first pass, dividing, publishing partition
//! by partition, and reading back. The pipeline calls the steps in the order in which it calls
//! those of a table in memory; a partition is what is in memory at a time.

use std::cell::RefCell;

use sfumato_core::Result;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::group::Guarantee;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::traits::Objective;
use sfumato_core::tuples::Tuples;
use sfumato_engine::context::{Context, Step};
use sfumato_engine::draft::Draft;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_io::spill::SpillFolder;
use sfumato_io::{ReadOptions, ReleaseWriter};
use sfumato_report::Report;

use super::choice::{Choice, choose};
use super::class_runs::ClassRuns;
use super::divide::divide;
use super::folder::{spill_folder, spool};
use super::layout::Layout;
use super::look::{Looked, look};
use super::measure::Parts;
use super::originals::{DecidedPartition, Partitions, reopen};
use super::publish::Publisher;
use super::report::{Io, Ran, report};
use super::resume::{self, Decided, Divided, Spilled};
use super::save_recoding::save_recoding;
use super::seed::Secret;
use super::verify::check;
use crate::algorithms::rothko;
use crate::data::check_dependencies::{Dependency, check_dependencies};
use crate::forms::generalized::anonymize::published_alike;
use crate::forms::generalized::apply::{self, open};
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::verify::{Groups, ReadBack, check_suppressed};
use crate::job::{Engine, Job};

/// The result of the first pass over the input.
pub enum Look {
    /// The input doesn't fit, or the job asks to run out of core.
    Larger(Box<Larger>),
    /// The input fits. Standard input is in a file, if that was the input.
    Fits(Option<Spooled>),
}

/// Standard input in a file that is removed with this.
pub struct Spooled {
    /// The path of the file.
    pub path: String,
    _folder: SpillFolder,
}

/// A table on disk, after a first pass.
pub struct Larger {
    /// The result of the first pass. The sample is freed when the input was divided.
    looked: RefCell<Looked>,
    choice: Choice,
    dependencies: Vec<Dependency>,
    /// What a killed run left.
    left: RefCell<Option<(Divided, Decided)>>,
    resumed: bool,
    secret: Secret,
    limit: u64,
    look_ms: f64,
    clock: Stopwatch,
    folder: SpillFolder,
}

/// How the input was divided.
pub struct Division {
    divided: Divided,
    decided: Decided,
    parts: Vec<(Box<dyn Tuples>, Spilled)>,
    input_passes: u64,
}

/// What was written of the partitions.
pub struct Appended {
    layout: apply::Layout,
    parts: RefCell<Vec<DecidedPartition>>,
    measured: RefCell<Option<Parts>>,
}

/// Make a first pass over the input, and refuse what can't be done.
pub fn look_at(job: &Job, limit: u64, context: &Context<'_>) -> Result<Look> {
    let mut clock = Stopwatch::start();
    let accountant = Accountant::new(Some(limit));
    let (folder, left) = spill_folder(job, &accountant)?;
    let secret = match &left {
        Some((divided, _)) => divided.secret,
        None => Secret::new(job.run.seed)?,
    };
    let looked = match look_and_choose(job, limit, &folder, secret, context.observer) {
        // Keep the folder: a run with the right job may still continue.
        Err(error) if left.is_some() => {
            folder.clone().keep();
            return Err(error);
        }
        looked => looked?,
    };
    let (looked, choice, dependencies) = match looked {
        Ok(larger) => larger,
        Err(path) => {
            let spooled = (job.input.path == "-").then_some(path);
            return Ok(Look::Fits(spooled.map(|path| Spooled { path, _folder: folder })));
        }
    };
    Ok(Look::Larger(Box::new(Larger {
        looked: RefCell::new(looked),
        choice,
        dependencies,
        resumed: left.is_some(),
        left: RefCell::new(left),
        secret,
        limit,
        look_ms: clock.lap(),
        clock,
        folder,
    })))
}

/// The choice for an input that doesn't fit, or the path of an input that does.
type Chosen = std::result::Result<(Looked, Choice, Vec<Dependency>), String>;

fn look_and_choose(
    job: &Job,
    limit: u64,
    folder: &SpillFolder,
    secret: Secret,
    observer: &dyn Observer,
) -> Result<Chosen> {
    let path = spool(job, folder)?;
    let looked = look(job, limit, path, secret, observer)?;
    let dependencies = check_dependencies(job, &looked.sampled)?;
    let plan = looked.plan(job)?;
    let choice = choose(job, &looked, &plan)?;
    if choice.engine == Engine::Memory {
        return Ok(Err(looked.path));
    }
    looked.check_served(job, &plan)?;
    Ok(Ok((looked, choice, dependencies)))
}

impl Larger {
    /// The plan of a job for this table.
    pub fn plan(&self, job: &Job) -> Result<Plan> {
        self.looked.borrow().plan(job)
    }

    fn with_outline<T>(
        &self,
        (job, plan): (&Job, &Plan),
        looked: &Looked,
        observer: &dyn Observer,
        run: impl FnOnce(&rothko::Outline<'_>) -> Result<T>,
    ) -> Result<T> {
        let whole = looked.whole();
        let bind = |table: &Table| crate::workloads::bind(&job.workload.tasks, table);
        run(&rothko::Outline {
            frame: &looked.layout.frame,
            requirements: &plan.requirements,
            whole: &whole,
            max_suppressed: plan.max_suppressed,
            params: &plan.params,
            workload: (!job.workload.tasks.is_empty()).then_some(&bind),
            objective: &|table| Objective::ncp(table),
            seed: self.secret.number(),
            observer,
        })
    }

    /// Divide the input into partitions that fit into memory, or continue with those of a killed
    /// run.
    pub fn divide(&self, job: &Job, plan: &Plan, context: &Context<'_>) -> Result<Division> {
        let folder = &self.folder;
        let looked = self.looked.borrow();
        let division = match self.left.borrow_mut().take() {
            Some((divided, decided)) => {
                let sha256 = &looked.survey.source.sha256;
                if let Err(error) = divided.check(job, sha256, self.limit) {
                    // Keep the folder: a run with the right job may still continue.
                    folder.clone().keep();
                    return Err(error);
                }
                let reopened = divided.partitions.iter();
                let parts = reopened.map(|spilled| Ok((reopen(folder, spilled)?, spilled.clone())));
                let parts = parts.collect::<Result<Vec<_>>>()?;
                Division { divided, decided, parts, input_passes: 0 }
            }
            None => {
                let (divided, parts, input_passes) =
                    self.with_outline((job, plan), &looked, context.observer, |outline| {
                        let (choice, limit) = (&self.choice, self.limit);
                        divide(job, &looked, choice, outline, folder, limit, context.observer)
                    })?;
                resume::save(folder, &divided)?;
                Division { divided, decided: Decided::default(), parts, input_passes }
            }
        };
        drop(looked);
        self.looked.borrow_mut().sample = Vec::new();
        context.lap(Step::Encode);
        Ok(division)
    }

    /// Decide about each partition and append it to a draft.
    pub fn publish(
        &self,
        (job, plan): (&Job, &Plan),
        division: &mut Division,
        context: &Context<'_>,
    ) -> Result<(Draft, Appended)> {
        let looked = self.looked.borrow();
        let part = |(tuples, spilled): (Box<dyn Tuples>, Spilled)| DecidedPartition {
            tuples,
            spilled,
            rules: None,
            n_published: 0,
        };
        let parts = std::mem::take(&mut division.parts).into_iter().map(part).collect();
        let frame = &looked.layout.frame;
        let mut partitions = Partitions { frame, parts, secret: self.secret };
        let (mut draft, options) = open(job, &looked.survey.source)?;
        let header: Vec<(&str, Option<&str>)> = release_header(&looked.layout);
        let observer = context.observer;
        let mut found = None;
        draft.write(|file| {
            let mut writer = ReleaseWriter::create(file, &header, &options)?;
            found = Some(self.with_outline((job, plan), &looked, observer, |outline| {
                let publisher = Publisher {
                    plan,
                    rothko: outline,
                    format: options.format,
                    folder: &self.folder,
                    saves: job.output.recoding.is_some(),
                    observer,
                };
                observer.begin("anonymize", looked.layout.n_rows, Unit::Rows);
                let decided = &mut division.decided;
                let published = publisher.publish(&mut partitions, decided, &mut writer);
                observer.end();
                published
            })?);
            writer.finish()
        })?;
        context.lap(Step::Anonymize);
        let (measured, steps) = found.unwrap_or_default();
        context.shift(Step::Anonymize, Step::Write, steps.write);
        context.shift(Step::Anonymize, Step::Measure, steps.measure);
        let n_rows = partitions.parts.iter().map(|part| part.n_published).sum();
        let appended = Appended {
            layout: apply::Layout { n_rows, options },
            parts: RefCell::new(partitions.parts),
            measured: RefCell::new(Some(measured)),
        };
        Ok((draft, appended))
    }

    /// All partitions in the order in which they were published.
    fn with_partitions<T>(
        &self,
        appended: &Appended,
        run: impl FnOnce(&Partitions<'_>, &Looked) -> Result<T>,
    ) -> Result<T> {
        let looked = self.looked.borrow();
        let parts = appended.parts.take();
        let partitions = Partitions { frame: &looked.layout.frame, parts, secret: self.secret };
        let result = run(&partitions, &looked);
        appended.parts.replace(partitions.parts);
        result
    }

    /// Read the draft back, partition by partition, and compare it with the originals.
    pub fn read_back(
        &self,
        plan: &Plan,
        appended: &Appended,
        draft: &Draft,
        observer: &dyn Observer,
    ) -> Result<ReadBack> {
        let layout = &appended.layout;
        let found = self.with_partitions(appended, |partitions, looked| {
            let runs = ClassRuns::new(&self.folder, self.limit / 8)?;
            let reading = ReadOptions { hash: true, ..looked.options.clone() };
            let frame = &looked.layout.frame;
            check(plan, frame, (draft.path()?, layout), partitions, (runs, reading), observer)
        })?;
        check_suppressed(plan, self.looked.borrow().layout.n_rows - layout.n_rows as u64)?;
        let fails = found.guarantees.iter().map(|guarantee| guarantee.violations).max();
        if let Some(fails) = fails.filter(|fails| *fails > 0 && found.may_be_alike) {
            return Err(published_alike(fails));
        }
        Ok(ReadBack {
            groups: Groups::Evaluated(found.guarantees),
            class_people: found.classes,
            matched: None,
            evidence: found.evidence,
            sha256: found.sha256,
            bytes: found.bytes,
        })
    }

    /// The report of a run.
    pub fn report(
        &self,
        (job, plan): (&Job, &Plan),
        division: &Division,
        appended: &Appended,
        (read, guarantees): (&ReadBack, &[Guarantee]),
    ) -> Report {
        let looked = self.looked.borrow();
        let measured = appended.measured.take().unwrap_or_default();
        let lost = measured.lost_columns();
        let measured = measured.finish(&read.class_people);
        let mut report = report(&Ran {
            job,
            survey: &looked.survey,
            layout: &looked.layout,
            plan,
            choice: &self.choice,
            divided: &division.divided,
            read,
            guarantees,
            measured: &measured,
            lost: &lost,
            dependencies: &self.dependencies,
            io: Io {
                spilled: self.folder.counts().written(),
                read_back: self.folder.counts().read(),
                input_passes: 1 + division.input_passes,
            },
            limit: self.limit,
            look_ms: self.look_ms,
        });
        if job.run.resume && !self.resumed {
            report.warnings.push("there was nothing to resume: the run began anew".into());
        }
        report.algorithm.details["engine"]["actual"]["ms"] = self.clock.total().into();
        report
    }

    /// Save the recoding, if the job asks for it.
    pub fn save_recoding(&self, job: &Job, appended: &Appended) -> Result<()> {
        self.with_partitions(appended, |partitions, looked| {
            save_recoding(job, &looked.layout.template(), partitions)
        })
    }

    /// Finish after the release got its name: nothing on disk is needed to resume any more.
    pub fn finish(&self) {
        resume::finish(&self.folder);
    }
}

/// Names and types of the release's columns.
fn release_header(layout: &Layout) -> Vec<(&str, Option<&str>)> {
    let is_released = |place: &usize| Some(*place) != layout.frame.subject;
    let released = (0..layout.frame.columns.len()).filter(is_released);
    released
        .map(|place| {
            let column = &layout.frame.columns[place].column;
            let is_quasi = column.role == Role::Quasi;
            (column.name.as_str(), column.native_type.as_deref().filter(|_| !is_quasi))
        })
        .collect()
}
