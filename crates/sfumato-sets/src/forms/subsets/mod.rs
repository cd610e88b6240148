//! Subsets: each record is published as a subset of its own items. Suppression turns present into
//! absent, and a recipient can't tell an item that was suppressed from one that never was there.

pub mod alike;
mod audit;
pub mod decide;
mod explain;
pub mod facts;
pub mod images;
mod lies;
pub mod plan;
pub mod publish;
pub mod read_back;
pub mod report;
pub(crate) mod section;
pub mod subset;
pub mod supporters;
pub mod utility;

pub use alike::Alike;
pub use audit::Opened;
pub use decide::{Decided, decide};
pub use plan::{SetPlan, make_plan};
pub use publish::Witness;
pub use read_back::SetRead;

use sfumato_core::facts::{Fact, Facts, Hiding, Promises};
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_report::Report;

use super::release_file::describe_file;
use super::{asks_for_others, check_job, requirements_of};
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Baskets;
use crate::{algorithms, metrics};

use self::facts::{RowOrigins, Stated};

/// The name of the form in manifests.
const NAME: &str = "subsets";

/// The form in which records are published as subsets of their own items.
pub struct Subsets;

impl Form<Baskets> for Subsets {
    type Plan = SetPlan;
    type Decision = Decided;
    type Witness = Witness;
    type Read = SetRead;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::all().iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[
            Fact::Hiding(Hiding::Copies),
            Fact::Hiding(Hiding::Supporters),
            Fact::Hiding(Hiding::Images),
            Fact::Combinations,
        ]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::subsets::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "set-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "set-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("k-anonymity", "k"))
    }
    fn more_is_better(&self, metric: &str) -> bool {
        !["distortion", "query-error"].contains(&metric)
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        let requirements = requirements_of(job)?;
        let is_other = asks_for_others(&requirements);
        Ok(job.baskets.hierarchy.is_none() && !is_other)
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_job(job)?;
        if job.output.buckets.is_some() {
            return Err(Error::params("buckets of baskets are made where a model asks for them")
                .hint("say --model 'privacy-degree(p=10)' and name --sensitive-items"));
        }
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<SetPlan> {
        make_plan(job, data.baskets.quasi.len())
    }
    fn is_anytime(&self, plan: &SetPlan) -> bool {
        plan.algorithm.info().capabilities.anytime
    }
    fn decide(
        &self,
        _: &Job,
        plan: &SetPlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<Decided> {
        decide(plan, &data.baskets, context.observer)
    }
    fn write(
        &self,
        job: &Job,
        _: &SetPlan,
        Partition { data, decision, .. }: Partition<'_, Baskets, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        let order = publish::order(job, data.baskets.quasi.len())?;
        publish::publish(job, data, &decision.published, order, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Baskets, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<SetRead> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a SetPlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        written: &'a Written<'_, Baskets, Self>,
        read: &'a SetRead,
    ) -> Box<dyn Facts + 'a> {
        let told =
            RowOrigins { published: &written.decision().published, order: &written.witness.order };
        let original = Some(&written.data.baskets.quasi);
        Box::new(Stated { combinations: read.combinations(), original, told: Some(told) })
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file, against the original"
    }
    fn describe(&self, written: &Written<'_, Baskets, Self>, read: &SetRead) -> Described {
        let Loaded { baskets, release_layout, .. } = written.data;
        let rows = read.rows.len() as u64;
        describe_file(release_layout, rows, &read.sha256, baskets.items.sensitive_names())
    }
    fn report(
        &self,
        written: &Written<'_, Baskets, Self>,
        read: &SetRead,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, Decided>> {
        lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        explain::explain(job, context.observer)
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
        "counted in the file"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        opened.figures()
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        utility::utility(request, context.observer)
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, NAME)
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        crate::attacks::stage(NAME, request, context)
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported(
            "queries over subsets aren't answered: how many items were suppressed isn't published, \
             so that nothing bounds a count from above",
        )
        .hint("count in the file itself, or publish buckets or bitmaps, which bound their answers"))
    }
}
