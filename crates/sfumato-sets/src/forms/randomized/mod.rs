//! Randomized baskets: what is published of a record is a random set, beside the size of its own.
//! No row says what its record has; how many records have some items can be recovered.

mod audit;
mod drawn;
mod lies;
mod manifest;
mod plan;
mod query;
mod read_back;
mod report;
mod utility;

pub use audit::Opened;
pub use drawn::Drawn;
pub use plan::RandomPlan;
pub use read_back::{RandomRead, Witness};

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
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

use super::{asks_for_randomized, check_job, requirements_of};
use crate::algorithms::randomization;
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Baskets;
use crate::metrics;

/// The name of the form in manifests.
const NAME: &str = "randomized";

/// The form in which random sets are published.
pub struct Randomized;

impl Form<Baskets> for Randomized {
    type Plan = RandomPlan;
    type Decision = Drawn;
    type Witness = Witness;
    type Read = RandomRead;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        randomization::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::randomized::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Amplification]
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn more_is_better(&self, metric: &str) -> bool {
        metrics::randomized::more_is_better(metric)
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(asks_for_randomized(&requirements_of(job)?))
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_job(job)?;
        let refuse = |what: &str, hint: &str| Err(Error::unsupported(what).hint(hint));
        if job.output.buckets.is_some() || job.output.keep_order {
            return refuse(
                "randomized baskets have no buckets and leave in random order",
                "leave --buckets and --keep-order out",
            );
        }
        if !job.baskets.sensitive.is_empty() {
            return refuse(
                "all items are randomized: none can be published as it is",
                "leave --sensitive-items out, or leave the items out with --drop-items",
            );
        }
        if !job.privacy.max_suppression.is_unsaid() {
            return refuse(
                "nothing is suppressed where baskets are randomized",
                "leave --max-suppression out",
            );
        }
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, _: &Loaded, _: &Context<'_>) -> Result<RandomPlan> {
        plan::make_plan(job)
    }
    fn decide(
        &self,
        job: &Job,
        plan: &RandomPlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<Drawn> {
        drawn::draw(job, plan, &data.baskets.quasi, context.observer)
    }
    fn write(
        &self,
        job: &Job,
        _: &RandomPlan,
        Partition { data, decision, .. }: Partition<'_, Baskets, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        read_back::publish(job, data, decision, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Baskets, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<RandomRead> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a RandomPlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        written: &'a Written<'_, Baskets, Self>,
        _: &'a RandomRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(drawn::Stated(written.decision().operator.amplification()))
    }
    fn vouches(&self, plan: &RandomPlan) -> Option<(String, bool)> {
        Some((plan.params.describe(), plan.algorithm.info().capabilities.promises_privacy))
    }
    fn checked_how(&self) -> &'static str {
        "computed from the operator that drew the sets; what was kept and added agrees with it"
    }
    fn describe(&self, written: &Written<'_, Baskets, Self>, read: &RandomRead) -> Described {
        manifest::describe(written, read)
    }
    fn report(
        &self,
        written: &Written<'_, Baskets, Self>,
        read: &RandomRead,
        _: &Checked,
    ) -> Result<Report> {
        report::report(written, read)
    }

    fn lies(&self) -> Vec<Lie<Loaded, Drawn>> {
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
        Box::new(drawn::Stated(opened.operator.amplification()))
    }
    fn audit_evidence(&self, _: &Opened, _: &str) -> &'static str {
        "computed from the operator that the manifest tells, with which the sizes of rows agree"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        Ok(opened.figures())
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        utility::utility(request, context.observer)
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        query::query(request, context.observer)
    }
}
