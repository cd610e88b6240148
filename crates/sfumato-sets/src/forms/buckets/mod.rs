//! Buckets of baskets: harmless items are published as they are, sensitive ones as counts per group
//! in a second file of the same folder, or permuted within groups in one file.

mod audit;
mod facts;
mod files;
mod lies;
mod linked;
mod open;
mod plan;
mod publish;
mod query;
mod read_back;
mod report;
mod section;
mod truth;
mod utility;

pub use audit::Opened;
pub(crate) use open::open as open_release;
pub use plan::{BucketPlan, make_plan};
pub use publish::Witness;
pub(crate) use query::{Asked, answer_all};
pub use query::{ItemCondition, ItemQuery};
pub use read_back::BucketRead;

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Facts, Hiding, Promises};
use sfumato_core::observer::Unit;
use sfumato_core::registry::Info;
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_bucket_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_report::Report;

use super::{asks_for_buckets, check_job, requirements_of};
use crate::data::read::Loaded;
use crate::data::{FactCounts, Groups};
use crate::job::{BucketLayout, Job};
use crate::kind::Baskets;
use crate::traits::BucketFindings;
use crate::{algorithms, metrics};

use self::facts::Stated;

/// The name of the form in manifests.
const NAME: &str = "buckets";

/// The form in which records are in groups whose sensitive items are published separately.
pub struct Buckets;

/// What is published of the records besides their harmless items.
pub struct BucketDecision {
    /// The group of each record.
    pub groups: Groups,
    /// The counts of sensitive items in each group; `None` where items are permuted instead.
    pub counts: Option<FactCounts>,
    /// What the algorithm found out on its way.
    pub findings: BucketFindings,
}

impl Form<Baskets> for Buckets {
    type Plan = BucketPlan;
    type Decision = BucketDecision;
    type Witness = Witness;
    type Read = BucketRead;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::buckets::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Hiding(Hiding::Bystanders)]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::buckets::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "bucket-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "bucket-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("privacy-degree", "p"))
    }
    fn more_is_better(&self, metric: &str) -> bool {
        ["frequent-itemset-precision", "frequent-itemset-recall"].contains(&metric)
    }
    fn is_folder(&self, job: &Job) -> bool {
        job.output.buckets.unwrap_or_default() == BucketLayout::Linked
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(asks_for_buckets(&requirements_of(job)?))
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_job(job)?;
        // Lines of items may be in a file of any name, and files have the format of the input.
        check_bucket_places(&job.common(), job.output.buckets.unwrap_or_default(), None, false)
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<BucketPlan> {
        make_plan(job, data)
    }
    fn decide(
        &self,
        job: &Job,
        plan: &BucketPlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<BucketDecision> {
        context.observer.begin("anonymize", 0, Unit::Rows);
        let (groups, findings) = plan.group(data, context.observer)?;
        let counts = match self.is_folder(job) {
            true => Some(FactCounts::of(&groups, plan::sensitive_of(data)?)),
            false => None,
        };
        context.observer.end();
        Ok(BucketDecision { groups, counts, findings })
    }
    fn write(
        &self,
        job: &Job,
        _: &BucketPlan,
        Partition { data, decision, .. }: Partition<'_, Baskets, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        publish::publish(job, data, decision, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Baskets, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<BucketRead> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a BucketPlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Baskets, Self>,
        read: &'a BucketRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(Stated { linked: &read.linked })
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written files, against the original"
    }
    fn describe(&self, written: &Written<'_, Baskets, Self>, read: &BucketRead) -> Described {
        read_back::describe(written, read)
    }
    fn report(
        &self,
        written: &Written<'_, Baskets, Self>,
        read: &BucketRead,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, BucketDecision>> {
        lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        plan::explain(job, context.observer)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        audit::open(request, context.observer)
    }
    fn bind<'a>(&self, models: &[String], _: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(crate::models::bind(models)?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(opened.state())
    }
    fn audit_evidence(&self, _: &Opened, _: &str) -> &'static str {
        "counted in the files"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        opened.figures()
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, NAME)
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        crate::attacks::stage(NAME, request, context)
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        utility::utility(request, context.observer)
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        query::query(request, context.observer)
    }
}
