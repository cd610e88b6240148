//! A table that memory can't hold: looked at once, then divided into partitions that fit. What
//! happens to these is the pipeline's, as with a table in memory.

use std::sync::Arc;

use sfumato_core::Result;
use sfumato_core::recoding::Cut;
use sfumato_engine::context::{Context, Step};
use sfumato_engine::exec::{Notes, Partitions, SpillRun};
use sfumato_engine::paths::resolve;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_io::ReadOptions;
use sfumato_io::spill::SpillFolder;
use sfumato_report::Report;

use super::choice::{Choice, choose};
use super::cuts::cuts_of;
use super::divide::divide;
use super::division::Divided;
use super::engine_details::{Io, accounted, engine_details};
use super::look::{Looked, look};
use super::shares::Shares;
use super::shelf::{About, Part, TableShelf};
use super::survey::Held;
use super::texts::open_texts;
use crate::data::check_dependencies::{Dependency, check_dependencies};
use crate::data::encode::Encoded;
use crate::forms::generalized::anonymize::Decided;
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::measure::whole_metrics;
use crate::job::{Engine, Job};
use crate::kind::TableData;

/// The result of the first pass over the input.
pub enum Look {
    /// It doesn't fit, or the job asks for the way out of core.
    Larger(Box<TableData>),
    /// It fits; standard input is in a file, if that was the input.
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
    /// What its partitions know of it.
    pub about: Arc<About>,
    /// The way it goes.
    pub choice: Choice,
    /// What columns give away, by the sample.
    pub dependencies: Vec<Dependency>,
    /// How to read the input again.
    pub options: ReadOptions,
    /// Who gets how much memory.
    pub shares: Shares,
    /// Where the input is.
    pub path: String,
    /// Some rows as words, until the input is divided.
    pub sample: Vec<Vec<u64>>,
    /// The folder, and what a killed run left there.
    pub run: SpillRun<Divided>,
    /// How it was divided, and how often the input was read for it.
    division: Option<(Divided, u64)>,
    /// The memory of values of columns, and of the sample until the input is divided.
    held: Held,
    look_ms: f64,
    clock: Stopwatch,
}

/// Make a first pass over the input, and refuse what can't be done.
pub fn look_at(job: &Job, limit: u64, context: &Context<'_>) -> Result<Look> {
    let mut clock = Stopwatch::start();
    let run = SpillRun::open(job, limit)?;
    let looked = look_and_choose(job, &run, context);
    let looked = looked?;
    let (looked, choice, dependencies) = match looked {
        Ok(larger) => larger,
        Err(path) => {
            let spooled = (job.input.path == "-").then_some(path);
            return Ok(Look::Fits(spooled.map(|path| Spooled { path, _folder: run.folder })));
        }
    };
    let whole = looked.whole();
    let Looked { survey, layout, sample, sampled, options, shares, secret, path } = looked;
    let encoded = Encoded {
        table: sampled,
        notes: layout.notes.clone(),
        remarks: layout.remarks.clone(),
        source: survey.source,
        header: survey.header,
        roles: survey.roles,
        pseudonyms: Default::default(),
        people: Vec::new(),
        made_up: 0,
    };
    let larger = Larger {
        about: Arc::new(About { layout, whole, seed: secret.number() }),
        choice,
        dependencies,
        options,
        shares,
        path,
        sample,
        run,
        division: None,
        held: survey.held,
        look_ms: clock.lap(),
        clock,
    };
    let larger = Some(Box::new(larger));
    Ok(Look::Larger(Box::new(TableData { encoded, larger, part: None, population: None })))
}

/// The choice for an input that doesn't fit, or the path of an input that does.
type Chosen = std::result::Result<(Looked, Choice, Vec<Dependency>), String>;

fn look_and_choose(job: &Job, run: &SpillRun<Divided>, context: &Context<'_>) -> Result<Chosen> {
    let path = run.spool(resolve(&job.base, &job.input.path))?;
    let books = run.folder.accountant();
    let looked = look(job, run.limit, path, run.secret, books, context.observer)?;
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
    /// Divide the input into partitions that fit, or go on with what a killed run has divided.
    /// `outline` is what is known of the columns.
    pub fn divide(
        &mut self,
        job: &Job,
        plan: &Plan,
        outline: &mut Encoded,
        context: &Context<'_>,
    ) -> Result<TableStore> {
        let about = Arc::clone(&self.about);
        let input = &outline.source.sha256;
        let (parts, notes, division) = match self.run.take_left(job, input)? {
            Some((divided, notes)) => {
                let open = |spilled| Part::reopen(&about, &self.run.folder, spilled);
                let parts = divided.partitions.iter().map(open).collect::<Result<Vec<_>>>()?;
                (parts, notes, (divided, 0))
            }
            None => {
                // It is given away, not copied: nobody else needs it.
                let sample = std::mem::take(&mut self.sample);
                let books = self.run.folder.accountant().clone();
                let (divided, parts, input_passes) =
                    about.outline((job, plan), (&books, context.observer), |outline| {
                        divide((job, plan), (self, sample), outline, context.observer)
                    })?;
                self.run.divided(job, input, &divided, context.observer.cut_short())?;
                let parts = parts.into_iter().map(|part| Part::new(&about, part)).collect();
                let cut_short = context.observer.cut_short();
                let notes = Notes { cut_short, ..Notes::default() };
                (parts, notes, (divided, input_passes))
            }
        };
        let mut parts: Vec<Part> = parts;
        if let Some(values) = &division.0.cuts {
            let cuts: Arc<[Cut]> = cuts_of(values).into();
            parts.iter_mut().for_each(|part| part.cuts = Some(Arc::clone(&cuts)));
        }
        if !division.0.texts.is_empty() {
            let texts = Arc::new(open_texts(&self.run.folder, &division.0.texts));
            parts.iter_mut().for_each(|part| part.texts = Some(Arc::clone(&texts)));
        }
        self.division = Some(division);
        // From now on there are partitions: what stood for them is given back.
        self.sample = Vec::new();
        self.held.sample.rebook(0);
        outline.table = about.layout.template();
        context.lap(Step::Encode);
        let outline = outline.with_table(about.layout.template());
        Ok(Box::new(self.run.partitions(
            TableShelf {
                outline,
                parts,
                bytes_per_row: self.choice.rows.bytes,
                books: self.run.folder.accountant().clone(),
            },
            notes,
        )))
    }

    /// Add to a report what only a run out of core can say.
    pub fn tell(&self, report: &mut Report, job: &Job, plan: &Plan) {
        let Some((divided, input_passes)) = &self.division else { return };
        let counts = self.run.folder.counts();
        let io = Io {
            spilled: counts.written(),
            read_back: counts.read(),
            input_passes: 1 + input_passes,
            input_bytes: report.input.bytes,
        };
        let mut engine = engine_details(&self.choice, divided, io, self.run.limit);
        let predicted = self.choice.milliseconds(self.look_ms, &self.about.layout, plan);
        engine["predicted"]["ms"] = predicted.into();
        engine["actual"]["ms"] = self.clock.total().into();
        engine["accounted"] = accounted(self.run.folder.accountant());
        report.algorithm.details["engine"] = engine;
        report.algorithm.details["metrics_left_out"] = whole_metrics().into();
        if job.run.resume && !self.run.is_resumed {
            report.warnings.push("there was nothing to resume: the run began anew".into());
        }
    }
}

/// The partitions of a table, with what was decided about each.
pub type TableStore = Box<dyn Partitions<TableData, Decided>>;
