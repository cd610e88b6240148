//! Bitmaps of baskets (Xue, Karras, Raissi, Vaidya and Tan 2012): each record is published as a
//! base set, the items in which it may be wrong, and in how many of them. The release is a folder
//! with two files.

mod admitted;
mod audit;
mod facts;
mod files;
mod lies;
mod plan;
mod publish;
mod query;
mod read;
mod read_back;
mod report;
mod section;
mod utility;

pub use audit::Opened;
pub use plan::{BitmapPlan, make_plan};
pub use publish::Witness;
pub(crate) use read::open;
pub use read_back::BitmapRead;

use sfumato_core::facts::{Fact, Facts, Hiding, Promises};
use sfumato_core::observer::Unit;
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
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

use super::{asks_for_bitmaps, check_job, requirements_of};
use crate::data::read::Loaded;
use crate::job::{BucketLayout, Job};
use crate::kind::Baskets;
use crate::traits::BitmapDecision;
use crate::{algorithms, metrics};

/// The name of the form in manifests.
const NAME: &str = "bitmaps";

/// The form in which records are published as base sets that may be wrong in some items.
pub struct Bitmaps;

impl Form<Baskets> for Bitmaps {
    type Plan = BitmapPlan;
    type Decision = BitmapDecision;
    type Witness = Witness;
    type Read = BitmapRead;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::nonreciprocal::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Hiding(Hiding::Matches), Fact::Hiding(Hiding::Labels)]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::bitmaps::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "bitmap-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "bitmap-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("nonreciprocal-k-anonymity", "k"))
    }
    fn is_folder(&self, _: &Job) -> bool {
        true
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(asks_for_bitmaps(&requirements_of(job)?))
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_job(job)?;
        let refuse = |what: &str, hint: &str| Err(Error::unsupported(what).hint(hint));
        if job.output.buckets.is_some() {
            return refuse(
                "bitmaps are no buckets: nobody is in a group",
                "leave --buckets out, or ask for a privacy degree",
            );
        }
        if job.output.keep_order {
            return refuse(
                "bitmaps can't leave in the order of the input: it would say which published \
                    record is whose",
                "leave --keep-order out",
            );
        }
        if !job.privacy.max_suppression.is_unsaid() {
            return refuse(
                "nothing is suppressed where bitmaps are published",
                "leave --max-suppression out",
            );
        }
        // Both files are in one folder, as those of linked buckets are, in the format of the input.
        check_bucket_places(&job.common(), BucketLayout::Linked, None, false)
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<BitmapPlan> {
        make_plan(job, data)
    }
    fn decide(
        &self,
        _: &Job,
        plan: &BitmapPlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<BitmapDecision> {
        context.observer.begin("anonymize", 0, Unit::Rows);
        let decision = plan.decide(data, context.observer)?;
        context.observer.end();
        Ok(decision)
    }
    fn write(
        &self,
        job: &Job,
        _: &BitmapPlan,
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
    ) -> Result<BitmapRead> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a BitmapPlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        written: &'a Written<'_, Baskets, Self>,
        read: &'a BitmapRead,
    ) -> Box<dyn Facts + 'a> {
        let (matches, sensitive) = (&written.decision().matches, read.sensitive.as_ref());
        Box::new(facts::Drawn { matches, sensitive })
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written files, against the original"
    }
    fn describe(&self, written: &Written<'_, Baskets, Self>, read: &BitmapRead) -> Described {
        read_back::describe(written, read)
    }
    fn report(
        &self,
        written: &Written<'_, Baskets, Self>,
        read: &BitmapRead,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, BitmapDecision>> {
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
        "found in the files, against the original"
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

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        query::query(request, context.observer)
    }
}
