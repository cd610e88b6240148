//! Suppressed paths: each is published as a part of itself. Steps are left out, and what is left
//! keeps its order, its times and what stands beside it.

mod alike;
mod audit;
pub mod decide;
mod explain;
pub mod facts;
mod lies;
pub mod plan;
pub mod publish;
mod query;
pub mod read_back;
mod report;
mod section;
mod utility;

pub use audit::Opened;
pub use plan::{Plan, make_plan};
pub use publish::Witness;
pub use read_back::Read;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, Staged, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::exec::Records;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_report::Report;

use super::release_file::{ReleaseFile, describe_file, describe_quasi, load_original, load_other};
use super::{check_steps, requirements_of};
use crate::algorithms::suppression::{self, KeptSteps};
use crate::attacks::{self, paths::PathStage};
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Paths;
use crate::metrics;

use facts::Stated;

/// The name of the form in manifests.
const NAME: &str = "suppressed";
/// The family of its algorithms in the catalogue.
const ALGORITHMS: &str = "path-algorithms";

/// The form in which paths are published as parts of themselves.
pub struct Suppressed;

impl Form<Paths> for Suppressed {
    type Plan = Plan;
    type Decision = KeptSteps;
    type Witness = Witness;
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        suppression::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Sequences]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::suppressed::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        ALGORITHMS.into()
    }
    fn metrics_family(&self) -> String {
        "path-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn more_is_better(&self, _: &str) -> bool {
        true
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        let requirements = requirements_of(job)?;
        let is_ours = requirements.all.iter().all(|requirement| requirement.sequences().is_some());
        Ok(is_ours && !super::flows::is_named(job) && !super::moved::is_named(job))
    }

    fn needs(&self) -> Records {
        Records::IfTheyFit
    }
    fn check(&self, job: &Job) -> Result<()> {
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<Plan> {
        check_steps(data)?;
        make_plan(job, data.data.paths.len())
    }
    fn decide(
        &self,
        _: &Job,
        plan: &Plan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<KeptSteps> {
        let kept = decide::decide(plan, &data.data, context.observer)?;
        match kept.paths.len() == data.data.paths.len() {
            true => Ok(kept),
            false => Err(Error::internal("the algorithm hasn't decided about every path")),
        }
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision, .. }: Partition<'_, Paths, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        let order = publish::order(job, &decision.paths)?;
        publish::publish(job, data, &decision.paths, order, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Paths, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<Read> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(&self, _: &'a Written<'_, Paths, Self>, read: &'a Read) -> Box<dyn Facts + 'a> {
        Box::new(Stated { data: &read.data })
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file, which was compared with the original"
    }
    fn describe(&self, written: &Written<'_, Paths, Self>, read: &Read) -> Described {
        let sensitive = read.data.sensitive.iter().map(|column| column.name.clone()).collect();
        let rows = read.data.paths.len() as u64;
        let layout = &written.data.release.layout;
        let mut described = describe_file(layout, rows, &read.sha256, sensitive);
        // Counts of what is left are those of the original, or at most those.
        let is_global = written.plan.algorithm.is_global() && read.data.quasi.is_empty();
        let how = if is_global { "global" } else { "local" };
        describe_quasi(&mut described, &read.data);
        described.details.insert("suppression".into(), how.into());
        described
    }
    fn report(
        &self,
        written: &Written<'_, Paths, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, KeptSteps>> {
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

    fn attacks(&self) -> Vec<&'static Info> {
        offered(attacks::paths::ALL, NAME)
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        let original = request.original()?;
        let release = &request.release;
        let manifest = release.manifest.as_ref();
        // The job of a run describes its original: the manifest says how the draft lies.
        let is_own = manifest.is_some() && release.job.paths.says_layout();
        let file = ReleaseFile::of(NAME, &release.job, is_own, manifest)?;
        let published = file.load(context.observer)?;
        let original = load_original(original, &release.job, context.observer)?;
        check_steps(&original)?;
        let mut stage = PathStage::new(original.data, &published.data);
        if let Some(other) = &request.other {
            stage = stage.with_other(&load_other(NAME, other, context.observer)?.data);
        }
        Ok(Box::new(Staged { stage, attacks: attacks::paths::ALL }))
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        utility::utility(request, context.observer)
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        query::query(request, context.observer)
    }
}
