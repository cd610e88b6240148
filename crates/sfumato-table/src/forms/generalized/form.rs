//! Generalized cells as a form of release: the steps of the pipeline for tables in memory and on
//! disk.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Promises};
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::Info;
use sfumato_core::traits::Algorithm;
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::{Context, Step};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::{Form, Written};
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::{Checked, failed_verification};
use sfumato_report::Report;

use super::anonymize::anonymize;
use super::apply::{Layout, apply};
use super::check_destinations::check_destinations;
use super::make_plan::{Plan, bind_models, make_plan};
use super::measure::measure;
use super::reorder::reorder;
use super::report::{Parts, ignored, report};
use super::statistics::{Statistics, describe};
use super::verify::{ReadBack, read_back};
use crate::audit::{self, Opened};
use crate::data::check_dependencies::{Dependency, check_dependencies};
use crate::forms::buckets::Buckets;
use crate::forms::perturbed::Perturbed;
use crate::job::Job;
use crate::kind::{TableData, Tables};
use crate::spill::{Appended, Division};

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

/// The decision about a table.
pub enum Decision {
    /// How every record is published.
    Recoding(Box<dyn Recoding>),
    /// How the input was divided. Each partition is decided when it is published.
    Division(Box<Division>),
}

/// What the verifier needs besides the original.
pub enum Witness {
    /// Row i of the file is record i of the reordered table.
    Held(Layout, Box<Statistics>),
    /// Partitions in the order in which they were published.
    Appended(Box<Appended>),
}

impl<'t> Form<Tables<'t>> for Generalized<'_> {
    type Plan = GeneralizedPlan;
    type Decision = Decision;
    type Witness = Witness;
    type Read = ReadBack;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        "generalized"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        let all = crate::algorithms::all().iter().filter(|algorithm| !algorithm.makes_buckets());
        all.map(|algorithm| algorithm.info()).collect()
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
    fn takes(&self, job: &Job) -> Result<bool> {
        let is_other = Form::<Tables<'t>>::takes(&Perturbed, job)?
            || Form::<Tables<'t>>::takes(&Buckets, job)?;
        Ok(!is_other)
    }

    fn check(&self, job: &Job) -> Result<()> {
        let of_buckets =
            [("group", job.output.group.is_some()), ("format", job.output.format.is_some())];
        if let Some((key, _)) = of_buckets.into_iter().find(|(_, given)| *given) {
            let message = format!("'{key}' under [output] is for bucket releases");
            return Err(
                sfumato_core::Error::params(message).hint("say --buckets linked, or leave it out")
            );
        }
        check_destinations(job)
    }

    fn plan(&self, job: &Job, data: &TableData, context: &Context<'_>) -> Result<GeneralizedPlan> {
        match data {
            TableData::Larger(larger) => {
                Ok(GeneralizedPlan { plan: larger.plan(job)?, dependencies: Vec::new() })
            }
            TableData::Held(encoded) => {
                let dependencies = check_dependencies(job, &encoded.table)?;
                context.lap(Step::Encode);
                Ok(GeneralizedPlan { plan: make_plan(job, &encoded.table)?, dependencies })
            }
        }
    }

    fn decide(
        &self,
        job: &Job,
        GeneralizedPlan { plan, .. }: &GeneralizedPlan,
        data: &TableData,
        context: &Context<'_>,
    ) -> Result<Decision> {
        match data {
            TableData::Larger(larger) => {
                Ok(Decision::Division(Box::new(larger.divide(job, plan, context)?)))
            }
            TableData::Held(encoded) => {
                let algorithm = self.stand_in.unwrap_or(plan.algorithm);
                let table = &encoded.table;
                anonymize(algorithm, plan, table, context.observer).map(Decision::Recoding)
            }
        }
    }

    fn write(
        &self,
        job: &Job,
        GeneralizedPlan { plan, .. }: &GeneralizedPlan,
        data: &mut TableData,
        decision: &mut Decision,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        match (data, decision) {
            (TableData::Larger(larger), Decision::Division(division)) => {
                let (draft, appended) = larger.publish((job, plan), division, context)?;
                Ok((draft, Witness::Appended(Box::new(appended))))
            }
            (TableData::Held(encoded), Decision::Recoding(recoding)) => {
                let published = reorder(job, &mut encoded.table, recoding.as_mut())?;
                let statistics = describe(plan, &encoded.table, recoding.as_ref())?;
                let to_write = (&plan.forms, &statistics);
                let observer = context.observer;
                let (draft, layout) =
                    apply(job, encoded, recoding.as_ref(), to_write, published, observer)?;
                Ok((draft, Witness::Held(layout, Box::new(statistics))))
            }
            _ => Err(mixed()),
        }
    }

    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadBack> {
        let plan = &written.plan.plan;
        match (written.data, written.decision, written.witness) {
            (TableData::Larger(larger), _, Witness::Appended(appended)) => {
                larger.read_back(plan, appended, draft, context.observer)
            }
            (TableData::Held(encoded), Decision::Recoding(recoding), Witness::Held(layout, _)) => {
                let file = (draft.path()?, layout);
                read_back(plan, encoded, recoding.as_ref(), file, context.observer)
            }
            _ => Err(mixed()),
        }
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
        let algorithm = plan.plan.algorithm;
        (!algorithm.keeps_promises()).then(|| algorithm.info().name)
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
        let Written { job, data, plan: GeneralizedPlan { plan, dependencies }, .. } = written;
        let mut report = match (data, written.decision, written.witness) {
            (
                TableData::Larger(larger),
                Decision::Division(division),
                Witness::Appended(appended),
            ) => larger.report((job, plan), division, appended, (read, checked.guarantees())),
            (
                TableData::Held(encoded),
                Decision::Recoding(recoding),
                Witness::Held(_, statistics),
            ) => {
                let hiding = read.matched.as_ref().unwrap_or(&read.class_people);
                let measured = measure(&encoded.table, recoding.as_ref(), plan.k, hiding);
                let mut report = report(&Parts {
                    job,
                    encoded,
                    plan,
                    recoding: recoding.as_ref(),
                    statistics,
                    read,
                    guarantees: checked.guarantees(),
                    measured: &measured,
                    dependencies,
                });
                if self.stand_in.is_none() {
                    report.warnings.extend(ignored(plan));
                }
                report
            }
            _ => return Err(mixed()),
        };
        if let Some(say) = self.say {
            say(&mut report);
        }
        Ok(report)
    }

    fn write_beside(&self, written: &Written<'_, Tables<'t>, Self>) -> Result<()> {
        match (written.data, written.decision, written.witness) {
            (TableData::Larger(larger), _, Witness::Appended(appended)) => {
                larger.save_recoding(written.job, appended)
            }
            (TableData::Held(encoded), Decision::Recoding(recoding), _) => {
                crate::recoding_file::save(written.job, encoded, recoding.as_ref())
            }
            _ => Err(mixed()),
        }
    }

    fn committed(&self, written: &Written<'_, Tables<'t>, Self>) {
        if let TableData::Larger(larger) = written.data {
            larger.finish();
        }
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<String> {
        crate::explain::explain(job, context.observer)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        audit::open(audit::AuditRequest::of(request)?, context.observer)
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
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        opened.figures()
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        crate::query::query(&crate::query::QueryRequest::of(request)?, context.observer)
    }
}

/// The error for mixing parts of a run in memory with parts of one on disk.
fn mixed() -> sfumato_core::Error {
    failed_verification("steps of a run in memory and on disk were mixed")
}
