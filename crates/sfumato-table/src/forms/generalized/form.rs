//! Generalized cells as a form of release: the steps of the pipeline.

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::Info;
use sfumato_core::traits::{Algorithm, Scope};
use sfumato_core::{Error, Result};
use sfumato_engine::apply::ApplyRequest;
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures as AuditFigures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::{Context, Step};
use sfumato_engine::draft::Draft;
use sfumato_engine::exec::Records;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_io::{AtomicFile, WriteOptions};
use sfumato_report::Report;

use super::anonymize::{Decided, decide};
use super::apply::{Appender, Layout, open, render};
use super::check_destinations::check_destinations;
use super::made_up::{append_made_up, save_made_up, warning};
use super::make_plan::{Plan, bind_models, is_about_earlier};
use super::measure::{Figures, measure_partition};
use super::reorder::reorder_by;
use super::report::{Parts, ignored, report};
use super::statistics::{Statistics, describe};
use super::verify::{ReadBack, read_back};
use crate::audit::{self, Opened};
use crate::data::check_dependencies::Dependency;
use crate::forms::buckets::Buckets;
use crate::forms::perturbed::Perturbed;
use crate::forms::synthetic::Synthetic;
use crate::forms::tabulated::TableOfCells;
use crate::job::Job;
use crate::kind::{TableData, Tables};
use crate::recoding_file::{SavedFile, apply_saved};
use crate::spill::{self, TableStore};

/// A function with which the caller adds to a report.
pub type Say<'a> = &'a (dyn Fn(&mut Report) + Sync);

/// Generalized cells. A stand-in may replace the plan's algorithm: a saved recoding, or a test's
/// algorithm that gives wrong answers.
#[derive(Clone, Copy, Default)]
pub struct Generalized<'a> {
    /// The algorithm that decides instead of the plan's.
    pub stand_in: Option<&'a dyn Algorithm>,
    /// Adds to the report what only the caller knows.
    pub say: Option<Say<'a>>,
}

/// The plan, and what columns reveal.
pub struct GeneralizedPlan {
    /// The models, the algorithm and the limits.
    pub plan: Plan,
    /// What published columns reveal about quasi columns.
    pub dependencies: Vec<Dependency>,
}

/// What the verifier is told: partitions in the order in which they left. Row i of the file is
/// record i of the reordered partitions, one after the other.
pub struct Witness {
    /// How the file is written, and how many rows it has.
    layout: Layout,
    /// How many records of each partition left.
    published: Vec<usize>,
    /// The statistics of regions; they need all records at once.
    statistics: Statistics,
    /// What was measured of partitions that aren't in memory any more.
    figures: Figures,
    writer: Appender,
}

impl<'t> Form<Tables<'t>> for Generalized<'_> {
    type Plan = GeneralizedPlan;
    type Decision = Decided;
    type Witness = Witness;
    type Read = ReadBack;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        "generalized"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        let all = crate::algorithms::all()
            .iter()
            .filter(|algorithm| !algorithm.info().capabilities.makes_buckets);
        all.map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        Fact::OF_CUTS
    }
    fn metrics(&self) -> Vec<&'static Info> {
        crate::metrics::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "metrics".into()
    }
    fn needs(&self) -> Records {
        Records::ByPartition
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("k-anonymity", "k"))
    }
    fn more_is_better(&self, metric: &str) -> bool {
        metric == "precision"
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        let is_other = Form::<Tables<'t>>::takes(&Perturbed::VALUES, job)?
            || Form::<Tables<'t>>::takes(&Perturbed::GROUPS, job)?
            || Form::<Tables<'t>>::takes(&Synthetic, job)?
            || Form::<Tables<'t>>::takes(&TableOfCells, job)?
            || Form::<Tables<'t>>::takes(&Buckets, job)?;
        Ok(!is_other)
    }

    fn check(&self, job: &Job) -> Result<()> {
        let of_buckets =
            [("group", job.output.group.is_some()), ("format", job.output.format.is_some())];
        if let Some((key, _)) = of_buckets.into_iter().find(|(_, given)| *given) {
            let message = format!("'{key}' under [output] is for bucket releases");
            return Err(Error::params(message).hint("say --buckets linked, or leave it out"));
        }
        check_destinations(job)
    }

    fn plan(&self, job: &Job, data: &TableData, context: &Context<'_>) -> Result<GeneralizedPlan> {
        let dependencies = data.dependencies(job)?;
        context.lap(Step::Encode);
        Ok(GeneralizedPlan { plan: data.plan(job)?, dependencies })
    }

    fn divide(
        &self,
        job: &Job,
        GeneralizedPlan { plan, .. }: &GeneralizedPlan,
        data: &mut TableData,
        context: &Context<'_>,
    ) -> Result<TableStore> {
        data.divide(job, plan, context)
    }

    fn is_anytime(&self, plan: &GeneralizedPlan) -> bool {
        self.stand_in.unwrap_or(plan.plan.algorithm).info().capabilities.anytime
    }

    fn decide(
        &self,
        job: &Job,
        GeneralizedPlan { plan, .. }: &GeneralizedPlan,
        data: &TableData,
        context: &Context<'_>,
    ) -> Result<Decided> {
        let algorithm = self.stand_in.unwrap_or(plan.algorithm);
        decide(algorithm, (job, plan), data, context.observer)
    }

    fn write(
        &self,
        job: &Job,
        GeneralizedPlan { plan, .. }: &GeneralizedPlan,
        partition: Partition<'_, Tables<'t>, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        let Partition { data, decision, before, random, is_everything } = partition;
        let (mut draft, mut witness) = match before {
            Some(before) => before,
            None => {
                let (draft, options) = open(job, &data.encoded.source)?;
                (draft, Witness::new(options))
            }
        };
        let (table, recoding) = (&mut data.encoded.table, decision.recoding.as_mut());
        append_made_up(job, &mut data.encoded.made_up, table, recoding)?;
        let mut random = (!job.output.keep_order).then(random).transpose()?;
        let published = reorder_by(random.as_mut(), table, recoding)?.rows;
        witness.published.push(published);
        witness.layout.n_rows += published;
        witness.statistics = describe(plan, table, recoding)?;
        let Witness { layout: Layout { options, .. }, statistics, writer, .. } = &mut witness;
        let rendered = render(table, recoding, &plan.forms, statistics, options.format);
        // With several partitions the steps of each are too short to be shown.
        let observer = if is_everything { context.observer } else { &Unobserved };
        let books = data.part.as_ref().and_then(|part| part.books());
        writer.append(&mut draft, &rendered, published, (options, books), observer)?;
        drop(rendered);
        context.lap(Step::Write);
        if !is_everything {
            // It won't be in memory any more.
            witness.figures.add(measure_partition(table, recoding, plan.k, is_everything));
            context.lap(Step::Measure);
        }
        Ok((draft, witness))
    }
    fn close(&self, draft: &mut Draft, witness: &mut Witness) -> Result<()> {
        witness.writer.end(draft)
    }

    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadBack> {
        let Written { data, plan, partitions, witness, .. } = *written;
        crate::pseudonyms::verify(&data.encoded.pseudonyms)?;
        let file = (draft.path()?, &witness.layout, &witness.published[..]);
        read_back(&plan.plan, data, partitions, file, context.observer)
    }

    fn promises<'a>(&self, plan: &'a GeneralizedPlan) -> &'a dyn Promises {
        &plan.plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Tables<'t>, Self>,
        read: &'a ReadBack,
    ) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file"
    }
    fn known_to_fail(&self, plan: &GeneralizedPlan) -> Option<&'static str> {
        let Info { capabilities, name, .. } = plan.plan.algorithm.info();
        let requirements = &plan.plan.requirements;
        let about_earlier = requirements.iter().any(is_about_earlier);
        let looks_back = !about_earlier || capabilities.can_serve(Fact::Earlier);
        // No algorithm looks at all rows of an owner together.
        let about_owners = requirements.iter().any(|asked| asked.scope() == Scope::Owners);
        (!capabilities.keeps_promises || !looks_back || about_owners).then_some(*name)
    }

    fn describe(&self, written: &Written<'_, Tables<'t>, Self>, read: &ReadBack) -> Described {
        let file = ManifestFile {
            holds: "rows".into(),
            rows: read.evidence.rows,
            sha256: read.sha256.clone(),
            ..ManifestFile::default()
        };
        Described {
            rows: read.evidence.rows,
            details: crate::forms::column_details(written.job),
            files: vec![file],
        }
    }

    fn report(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        read: &ReadBack,
        checked: &Checked,
    ) -> Result<Report> {
        let Written { job, data, plan: GeneralizedPlan { plan, dependencies }, .. } = *written;
        let recoding = written.partitions.held().map(|decided| decided.recoding.as_ref());
        let mut measured = Figures::default();
        // What is still in memory is measured now, when it is known to be true.
        if let Some(recoding) = recoding {
            measured.add(measure_partition(&data.encoded.table, recoding, plan.k, true));
        }
        let figures = if recoding.is_some() { &measured } else { &written.witness.figures };
        check_blank(job, data.n_rows(), figures.silent())?;
        let mut report = report(&Parts {
            job,
            data,
            plan,
            recoding,
            statistics: &written.witness.statistics,
            read,
            guarantees: checked.guarantees(),
            figures,
            dependencies,
        });
        if recoding.is_some() && self.stand_in.is_none() {
            report.warnings.extend(ignored(plan));
        }
        report.warnings.splice(0..0, warning(&data.encoded));
        if let Some(say) = self.say {
            say(&mut report);
        }
        Ok(report)
    }

    fn record(
        &self,
        _: &Written<'_, Tables<'t>, Self>,
        read: &ReadBack,
    ) -> Result<Option<serde_json::Value>> {
        let Some(beside) = &read.beside else { return Ok(None) };
        let facts = serde_json::to_value(&beside.published);
        Ok(Some(facts.map_err(|error| {
            Error::internal(format!("what a release says can't be recorded: {error}"))
        })?))
    }

    fn write_beside(&self, written: &Written<'_, Tables<'t>, Self>) -> Result<Vec<AtomicFile>> {
        let (job, encoded) = (written.job, &written.data.encoded);
        let recoding = match written.partitions.held() {
            Some(decided) => crate::recoding_file::save(job, encoded, decided.recoding.as_ref()),
            None => spill::save_recoding(job, &encoded.table, written.partitions),
        };
        let held = written.partitions.held().map(|decided| decided.recoding.as_ref());
        let made_up = save_made_up(job, encoded, held)?;
        Ok(recoding?.into_iter().chain(made_up).chain(encoded.pseudonyms.save(job)?).collect())
    }

    fn lies(&self) -> Vec<Lie<TableData, Decided>> {
        super::lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        crate::explain::explain(job, context.observer)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        audit::open(audit::TableAuditRequest::of(request)?, context.observer)
    }
    fn bind<'a>(&self, models: &[String], opened: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(bind_models(models, &opened.bind())?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(opened)
    }
    fn audit_evidence(&self, opened: &Opened, scope: &str) -> &'static str {
        opened.evidence(scope)
    }
    fn figures(&self, opened: &Opened) -> Result<AuditFigures> {
        opened.figures()
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        super::utility::utility(request, context.observer)
    }

    fn apply(&self, job: &Job, request: &ApplyRequest, context: &Context<'_>) -> Result<Report> {
        let parsed = SavedFile::parse(&request.recoding);
        let saved = parsed.map_err(|error| error.in_file(&request.file))?;
        // New rows needn't bring what is dropped.
        let job = Job { may_lack_identifiers: true, ..job.clone() };
        apply_saved(&saved, request.unseen, &job, context.observer)
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, "generalized")
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        crate::attacks::stage("generalized", request, context)
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        crate::query::query(&crate::query::TableQueryRequest::of(request)?, context.observer)
    }
}

/// Refuse a release that says nothing about more records than the job allows: whether a record is
/// left out or is `*` in every quasi column is the same to a recipient.
fn check_blank(job: &Job, n_rows: u64, (left_out, blank): (u64, u64)) -> Result<()> {
    let limit = job.privacy.limit_of_silent();
    let allowed = limit.of(n_rows as usize);
    if limit.is_unsaid() || left_out + blank <= allowed {
        return Ok(());
    }
    Err(Error::infeasible(format!(
        "{left_out} records would be left out and {blank} published as * in every quasi column; \
         together at most {allowed} may say nothing"
    ))
    .hint(
        "raise --max-suppression, which limits both, or say with --max-blank how many records may \
         say nothing in all; or ask for less, or try another algorithm or hierarchies",
    ))
}

impl Witness {
    fn new(options: WriteOptions) -> Self {
        Witness {
            layout: Layout { n_rows: 0, options },
            published: Vec::new(),
            statistics: Statistics::default(),
            figures: Figures::default(),
            writer: Appender::default(),
        }
    }
}
