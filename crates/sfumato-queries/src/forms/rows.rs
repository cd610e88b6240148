//! Rows of texts as a form of release: the steps of the pipeline, for every form of logs.

use rand_chacha::ChaCha20Rng;
use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::observer::Renamed;
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::input::read_options;
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answer, Answers, QueryRequest};
use sfumato_engine::random::{key, shuffle};
use sfumato_engine::verify::{Checked, cant_read_back, failed_verification};
use sfumato_io::{ReadOptions, WriteOptions, normal_query};
use sfumato_report as shown;
use sfumato_report::numbers::count;

use super::cells::{self, ReadCells};
use super::report;
use super::row_form::{RowForm, RowTask};
use super::told::Told;
use crate::algorithms::secret::Secret;
use crate::algorithms::{hashing, splitting};
use crate::data::Log;
use crate::job::Job;
use crate::kind::Queries;
use crate::metrics;
use crate::models::{self, QueryRequirements};

/// A form whose releases are rows of texts.
pub struct Rows<F>(pub F);

/// What will run: the models and the algorithm.
pub struct Plan {
    /// Which models must hold.
    pub requirements: QueryRequirements,
    /// The algorithm that decides.
    pub algorithm: &'static Info,
    /// The parameters of the algorithm.
    pub params: Params,
    /// Whether the algorithm was chosen here and not by the job.
    pub is_auto: bool,
}

/// What was decided, and the key that it rests on.
#[derive(Clone)]
pub struct Decided<D> {
    /// What the algorithm decided.
    pub of_form: D,
    /// The key.
    pub secret: Secret,
}

impl<D> Decided<D> {
    /// The pseudonyms of so many: the numbers from 1 on, in random order.
    pub fn pseudonyms(&self, n: usize) -> Vec<u32> {
        let mut numbers: Vec<u32> = (1..=n as u32).collect();
        shuffle(&mut numbers, &mut self.random("pseudonyms"));
        numbers
    }
    fn random(&self, purpose: &str) -> ChaCha20Rng {
        self.secret.generator(purpose, "")
    }
}

/// What is needed to read a draft back.
pub struct Witness {
    options: WriteOptions,
    order: Vec<u32>,
}

/// What a draft said, with its hash and its size.
pub struct ReadRows {
    /// What it says.
    pub told: Told,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// A release that was opened to be audited.
pub struct Opened {
    path: String,
    told: Told,
    sha256: String,
    is_true: Option<bool>,
}

impl<F: RowForm> Rows<F> {
    fn refuse_models(&self, models: &[String]) -> Result<()> {
        match models.first() {
            Some(model) if self.0.states().is_empty() => Err(Error::unsupported(format!(
                "{model} can't be judged on {}: nothing in it tells whether it holds",
                self.0.release()
            ))
            .hint("leave models out; the report will say that nothing is promised")),
            _ => Ok(()),
        }
    }

    fn open_rows(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        let job = &request.job;
        self.refuse_models(&job.privacy.models)?;
        if request.memory.is_some() || request.spill.is_some() {
            return Err(Error::unsupported("--memory is for tables, and this is a log of queries"));
        }
        let path = resolve(&job.base, &job.input.path);
        let wrong = |message: &str| Error::input(message).in_file(&path);
        let Some(manifest) = &request.manifest else {
            return Err(wrong("without its manifest nothing tells such a log from others"));
        };
        let file = manifest.holding(ROWS).map_err(|error| error.in_file(&path))?;
        let options = ReadOptions { header: Some(true), ..read_options(&job.input)? };
        let cells = cells::read(path.as_ref(), self.0.header(), &options, context.observer)?;
        if cells.source.sha256 != file.sha256 {
            return Err(wrong("this isn't the file that the manifest beside it describes").hint(
                "it was changed after it was published: get it again from where it came from",
            ));
        }
        if cells.n_rows as u64 != file.rows || file.rows != manifest.rows {
            return Err(wrong("the file has another number of rows than its manifest says"));
        }
        let told = self.0.tell(&cells, &manifest.details).map_err(|error| error.in_file(&path))?;
        let is_true = match &request.original {
            None => None,
            Some(original) => {
                let layout = original.queries.layout()?;
                let observer = Renamed { step: "read the original", inner: context.observer };
                let log = crate::data::read(&original.input, &original.base, layout, &observer)?;
                Some(self.0.is_true(&told, &log)?)
            }
        };
        Ok(Opened { path, told, sha256: cells.source.sha256.clone(), is_true })
    }
}

/// The word in the manifest for the only file of a release.
const ROWS: &str = "rows";

/// The algorithm that a job names.
fn call_of(job: &Job, default: &'static str) -> Result<(Call, bool)> {
    let is_auto = job.recode.algorithm == "auto";
    let text = if is_auto { default } else { &job.recode.algorithm };
    Ok((text.parse()?, is_auto))
}

impl<F: RowForm + 'static> Form<Queries> for Rows<F> {
    type Plan = Plan;
    type Decision = Decided<F::Decision>;
    type Witness = Witness;
    type Read = ReadRows;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        self.0.algorithms()
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::of_form(self.0.name()).map(|metric| metric.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        self.0.states()
    }
    fn algorithms_family(&self) -> String {
        "query-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "query-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        (!self.0.states().is_empty()).then_some((models::k_anonymous_queries::NAME, "k"))
    }
    fn more_is_better(&self, _: &str) -> bool {
        true
    }
    /// A job belongs to the form of its algorithm; one without an algorithm, or with one that isn't
    /// known, to the form that can promise something.
    fn takes(&self, job: &Job) -> Result<bool> {
        let (call, _) = call_of(job, "threshold-sharing")?;
        let has = |list: Vec<&'static Info>| list.iter().any(|info| info.name == call.name);
        let hashes = has(hashing::ALL.iter().map(|algorithm| algorithm.info()).collect());
        let splits = has(splitting::ALL.iter().map(|algorithm| algorithm.info()).collect());
        let promises_something = !self.0.states().is_empty();
        Ok(has(self.0.algorithms()) || (promises_something && !hashes && !splits))
    }

    fn check(&self, job: &Job) -> Result<()> {
        self.refuse_models(&job.privacy.models)?;
        job.queries.layout()?;
        cells::write_options(job)?;
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, log: &Log, _: &Context<'_>) -> Result<Plan> {
        let requirements = models::bind(&job.privacy.models)?;
        let default = self.0.algorithms().first().map_or("", |info| info.name);
        let (call, is_auto) = call_of(job, default)?;
        let algorithm = self.0.find(&call.name)?;
        let params = Params::check(algorithm, &call.args)?;
        let k = requirements.k();
        if let Some(k) = k.filter(|k| *k > log.n_users as u64) {
            return Err(Error::infeasible(format!(
                "k is {k}, and the log has {} people",
                log.n_users
            ))
            .hint("ask for a smaller k, or bring more data"));
        }
        if k.is_none() && !self.0.states().is_empty() {
            return Err(Error::params("no privacy model was asked for").hint(
                "say -k 5; or name an algorithm that promises nothing, such as split-personality",
            ));
        }
        Ok(Plan { requirements, algorithm, params, is_auto })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &Plan,
        log: &Log,
        _: &Context<'_>,
    ) -> Result<Decided<F::Decision>> {
        let secret = Secret(key(job.run.seed)?);
        let task = RowTask { log, k: plan.requirements.k(), secret: &secret };
        let of_form = self.0.decide(plan.algorithm.name, &plan.params, &task)?;
        Ok(Decided { of_form, secret })
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data: log, decision, .. }: Partition<'_, Queries, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        let published = self.0.publish(log, decision)?;
        let mut order: Vec<u32> = (0..published.cells.n_rows() as u32).collect();
        shuffle(&mut order, &mut decision.random("order"));
        let header = self.0.header();
        let (draft, options) =
            cells::write(job, header, &published.cells, &order, context.observer)?;
        Ok((draft, Witness { options, order }))
    }
    fn read_back(
        &self,
        written: &Written<'_, Queries, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadRows> {
        let (log, decided) = (written.data, written.decision());
        let Witness { options, order } = written.witness;
        let options = ReadOptions {
            format: Some(options.format),
            delimiter: Some(options.delimiter),
            header: Some(true),
            ..ReadOptions::default()
        };
        let observer = Renamed { step: "verify", inner: context.observer };
        let cells: ReadCells = cells::read(draft.path()?, self.0.header(), &options, &observer)
            .map_err(cant_read_back)?;
        // Row by row what was to be written.
        let published = self.0.publish(log, decided)?;
        if cells.n_rows != order.len() {
            return Err(failed_verification(&format!(
                "{} rows were written, {} read back",
                order.len(),
                cells.n_rows
            )));
        }
        for (row, from) in order.iter().enumerate() {
            let is_same = |column: &usize| {
                cells.cell(row, *column) == published.cells.cell(*from as usize, *column)
            };
            if !(0..self.0.header().len()).all(|column| is_same(&column)) {
                let what = format!("row {} isn't the one that was written", row + 1);
                return Err(failed_verification(&what));
            }
        }
        // And what was to be written is true of the original.
        let of: Vec<(u32, u32)> = order.iter().map(|from| published.of[*from as usize]).collect();
        self.0.check(log, decided, &of, &cells).map_err(cant_read_back)?;
        let told = self.0.tell(&cells, &self.0.details(decided)).map_err(cant_read_back)?;
        Ok(ReadRows { told, sha256: cells.source.sha256.clone(), bytes: cells.source.bytes })
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Queries, Self>,
        read: &'a ReadRows,
    ) -> Box<dyn Facts + 'a> {
        Box::new(&read.told)
    }
    fn vouches(&self, plan: &Plan) -> Option<(String, bool)> {
        Some((plan.params.describe(), plan.algorithm.capabilities.promises_privacy))
    }
    fn checked_how(&self) -> &'static str {
        "what can be read was put together from the written file; that the rest can't is the \
         mechanism's"
    }
    fn describe(&self, written: &Written<'_, Queries, Self>, read: &ReadRows) -> Described {
        let file = ManifestFile {
            holds: ROWS.into(),
            rows: read.told.rows,
            sha256: read.sha256.clone(),
            ..ManifestFile::default()
        };
        let details = self.0.details(written.decision());
        Described { rows: read.told.rows, details, files: vec![file] }
    }
    fn report(
        &self,
        written: &Written<'_, Queries, Self>,
        read: &ReadRows,
        _: &Checked,
    ) -> Result<shown::Report> {
        let Written { job, data, plan, .. } = *written;
        let named = (self.0.name(), self.0.warnings());
        Ok(report::report((job, data, plan), read, named))
    }

    fn lies(&self) -> Vec<Lie<Log, Decided<F::Decision>>> {
        self.0.lies()
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, self.0.name())
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        self.0.stage(request, context.observer)
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        report::explain(job, context, |log| self.plan(job, log, context))
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        self.open_rows(request, context)
    }
    fn bind<'a>(&self, models: &[String], _: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        self.refuse_models(models)?;
        Ok(Box::new(models::bind(models)?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(&opened.told)
    }
    fn audit_evidence(&self, _: &Opened, _: &str) -> &'static str {
        "put together from the file"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        let Opened { path, told, sha256, is_true } = opened;
        let mut head = format!(
            "file       {path} ({} rows, {} pseudonyms, {} different queries)\n",
            count(told.rows),
            count(told.pseudonyms),
            count(told.queries)
        );
        let mut json = serde_json::Map::new();
        json.insert("sha256".into(), sha256.clone().into());
        json.insert("pseudonyms".into(), told.pseudonyms.into());
        json.insert("queries".into(), told.queries.into());
        if let Some(readable) = &told.readable {
            json.insert("readable_queries".into(), readable.len().into());
            json.insert("readable_rows".into(), told.readable_rows.into());
        }
        told.notes.iter().for_each(|(name, words)| head += &format!("{name:<10} {words}\n"));
        if self.0.states().is_empty() {
            head += "not judged whether anybody can be found: such a log promises nothing\n";
        }
        let is_true = *is_true;
        Ok(Figures { rows: told.rows, is_true, json, head, tail: String::new() })
    }

    /// Answer how many people asked something: `count where QUERY`. What can be read is counted,
    /// and of the rest it is known how many people asked any of it.
    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        let alone = AuditRequest { original: None, ..request.clone() };
        let told = self.open_rows(&alone, context)?.told;
        let mut utility = Utility { rows: Some(told.rows), ..Utility::default() };
        let Some(original) = &request.original else {
            utility.remarks.push("no original was named to compare with".into());
            return Ok(utility);
        };
        let layout = original.queries.layout()?;
        let observer = Renamed { step: "read the original", inner: context.observer };
        let log = crate::data::read(&original.input, &original.base, layout, &observer)?;
        let view = metrics::LogView { log: &log, told: &told };
        let measured = metrics::of_form(self.0.name());
        utility.metrics =
            measured.map(|metric| (metric.info().name, metric.measure(&view))).collect();
        Ok(utility)
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        let audited = AuditRequest {
            job: request.job.clone(),
            manifest: request.manifest.clone(),
            original: None,
            memory: None,
            spill: None,
        };
        let opened = self.open_rows(&audited, context)?;
        let Some(readable) = &opened.told.readable else {
            return Err(Error::unsupported(format!(
                "{} gives no bounds that hold on who asked what",
                self.0.release()
            )));
        };
        let original = match &request.original {
            None => None,
            Some(job) => {
                let layout = job.queries.layout()?;
                Some(crate::data::read(&job.input, &job.base, layout, context.observer)?)
            }
        };
        let answer = |query: &String| {
            let text = query.strip_prefix("count where ").ok_or_else(|| {
                Error::params("this can't be read as a question about a log")
                    .hint("ask 'count where dog bites': how many people asked it")
            })?;
            let text = normal_query(text);
            let found = readable.binary_search_by(|(other, _)| other.as_str().cmp(&text));
            let found = found.ok().map(|at| readable[at].1);
            let truth = original.as_ref().map(|log| {
                let mut texts = log.texts.iter().zip(log.askers());
                texts.find(|(other, _)| *other == text).map_or(0, |(_, users)| users.len() as u64)
            });
            let most = found.unwrap_or(opened.told.unreadable_most);
            Ok(Answer {
                query: query.clone(),
                estimate: found.map(Into::into),
                lower: Some(found.unwrap_or(0).into()),
                upper: Some(most.into()),
                truth: truth.map(Into::into),
                error: found.zip(truth).map(|(found, truth)| found.abs_diff(truth) as f64),
                relative_error: None,
                imprecision: None,
            })
        };
        Ok(Answers {
            path: opened.path.clone(),
            rows: opened.told.rows,
            answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
            ..Answers::default()
        })
    }
}
