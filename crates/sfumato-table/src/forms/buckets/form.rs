//! Buckets of a table as a form of release: the steps of the pipeline.

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::recoding::Buckets as Groups;
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::random::generator;
use sfumato_engine::verify::Checked;
use sfumato_io::AtomicFile;
use sfumato_report::Report;

use super::check::{check_columns, check_job, check_requirements};
use super::layout_of;
use super::publish::{BucketFiles, publish};
use super::report::report;
use super::verify::{ReadGroups, read_back};
use crate::audit::buckets::{OpenedBuckets, open};
use crate::forms::generalized::anonymize::group;
use crate::forms::generalized::make_plan::{Plan, bind_models, make_plan};
use crate::forms::generalized::reorder::reorder_by;
use crate::job::{BucketLayout, Job};
use crate::kind::{TableData, Tables};

/// The form of buckets.
#[derive(Clone, Copy)]
pub struct Buckets;

impl<'t> Form<Tables<'t>> for Buckets {
    type Plan = (Plan, BucketLayout);
    type Decision = Groups;
    type Witness = BucketFiles;
    type Read = ReadGroups;
    type Opened = OpenedBuckets;

    fn name(&self) -> &'static str {
        "buckets"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        let all = crate::algorithms::all()
            .iter()
            .filter(|algorithm| !algorithm.info().capabilities.draws);
        all.map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::SensitiveValues]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        crate::metrics::buckets::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "table-bucket-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("l-diversity-distinct", "l"))
    }
    fn more_is_better(&self, metric: &str) -> bool {
        // The more groups, the fewer among whose sensitive values somebody's may be.
        metric == "groups"
    }
    fn is_folder(&self, job: &Job) -> bool {
        layout_of(job).ok().flatten() == Some(BucketLayout::Linked)
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(layout_of(job)?.is_some())
    }

    fn check(&self, job: &Job) -> Result<()> {
        if job.ledger.is_some() {
            return Err(Error::unsupported(
                "a chain of releases has no buckets: exact quasi values tell new records from old \
                 ones",
            )
            .hint("publish generalized cells, or leave the ledger out"));
        }
        check_job(job, layout_of(job)?.unwrap_or_default())
    }

    fn plan(&self, job: &Job, data: &TableData, _: &Context<'_>) -> Result<Self::Plan> {
        let table = &data.encoded.table;
        check_columns(job, table)?;
        let plan = make_plan(job, table)?;
        check_requirements(&plan.requirements)?;
        Ok((plan, layout_of(job)?.unwrap_or_default()))
    }

    fn is_anytime(&self, (plan, _): &Self::Plan) -> bool {
        plan.algorithm.info().capabilities.anytime
    }

    fn decide(
        &self,
        _: &Job,
        (plan, _): &Self::Plan,
        data: &TableData,
        context: &Context<'_>,
    ) -> Result<Groups> {
        group(plan.algorithm, plan, &data.encoded.table, context.observer)
    }

    fn write(
        &self,
        job: &Job,
        (_, layout): &Self::Plan,
        Partition { data, decision: groups, .. }: Partition<'_, Tables<'t>, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, BucketFiles)> {
        let encoded = &mut data.encoded;
        let mut random = generator(job.run.seed)?;
        let order = (!job.output.keep_order).then_some(&mut random);
        let n_rows = reorder_by(order, &mut encoded.table, groups)?.rows;
        if n_rows == 0 {
            return Err(Error::infeasible("every record would have to be suppressed"));
        }
        publish(job, *layout, encoded, (groups, n_rows), &mut random, context.observer)
    }

    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadGroups> {
        let Written { job, data, plan: (plan, _), witness, .. } = written;
        crate::pseudonyms::verify(&data.encoded.pseudonyms)?;
        read_back(job, plan, &data.encoded.table, (draft.path()?, witness), context.observer)
    }
    fn promises<'a>(&self, (plan, _): &'a Self::Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Tables<'t>, Self>,
        read: &'a ReadGroups,
    ) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file"
    }
    fn known_to_fail(&self, (plan, _): &Self::Plan) -> Option<&'static str> {
        (!plan.algorithm.info().capabilities.keeps_promises).then(|| plan.algorithm.info().name)
    }
    fn describe(&self, written: &Written<'_, Tables<'t>, Self>, read: &ReadGroups) -> Described {
        let mut details = crate::forms::column_details(written.job);
        details.insert("group".into(), written.job.group_column().into());
        let groups = i64::try_from(read.n_groups()).unwrap_or(i64::MAX);
        details.insert("groups".into(), groups.into());
        Described { rows: read.evidence.rows, details, files: read.files.clone() }
    }
    fn report(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        read: &ReadGroups,
        checked: &Checked,
    ) -> Result<Report> {
        let Written { job, data, plan: (plan, layout), .. } = written;
        let groups = written.decision();
        let mut report = report(job, *layout, data, plan, groups, (read, checked.guarantees()));
        data.encoded.pseudonyms.tell(&mut report, job, &data.encoded.table, None);
        Ok(report)
    }

    fn write_beside(&self, written: &Written<'_, Tables<'t>, Self>) -> Result<Vec<AtomicFile>> {
        let saved = written.data.encoded.pseudonyms.save(written.job)?;
        Ok(saved.into_iter().collect())
    }

    fn lies(&self) -> Vec<Lie<TableData, Groups>> {
        super::lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        crate::explain::explain(job, context.observer)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<OpenedBuckets> {
        open(crate::audit::TableAuditRequest::of(request)?, context.observer)
    }
    fn bind<'a>(
        &self,
        models: &[String],
        opened: &'a OpenedBuckets,
    ) -> Result<Box<dyn Promises + 'a>> {
        let requirements = bind_models(models, &opened.bind())?;
        check_requirements(&requirements)?;
        Ok(Box::new(requirements))
    }
    fn state<'a>(&self, opened: &'a OpenedBuckets) -> Box<dyn Facts + 'a> {
        Box::new(opened)
    }
    fn audit_evidence(&self, _: &OpenedBuckets, _: &str) -> &'static str {
        "measured in the files"
    }
    fn figures(&self, opened: &OpenedBuckets) -> Result<Figures> {
        opened.figures()
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, "buckets")
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        crate::attacks::stage("buckets", request, context)
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        // What the original has is asked by questions: quasi values are published as they are.
        let request = AuditRequest { original: None, ..request.clone() };
        Ok(self.open(&request, context)?.utility())
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        crate::query::query(&crate::query::TableQueryRequest::of(request)?, context.observer)
    }
}
