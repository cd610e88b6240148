//! Regions: where an attacker may know that somebody was, a box is published that has others in it.

mod audit;
mod decide;
mod explain;
pub mod facts;
mod lies;
pub mod people;
pub mod plan;
pub mod publish;
pub mod read_back;
mod report;

pub use audit::Opened;
pub use decide::{Decided, decide};
pub use plan::{Plan, make_plan};
pub use publish::Witness;
pub use read_back::Read;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, Staged, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_report::Report;

use super::release_file::{ReleaseFile, describe_file, describe_quasi, with_columns};
use super::requirements_of;
use crate::algorithms::regions as algorithms;
use crate::attacks::{self, regions::RegionStage};
use crate::data::layout::Layout;
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Paths;
use crate::metrics;

use decide::tracks_of;
use facts::Stated;

/// The name of the form in manifests.
const NAME: &str = "regions";
/// The family of its algorithms in the catalogue.
const ALGORITHMS: &str = "region-algorithms";

/// The form in which tracks are published as boxes.
pub struct Regions;

impl Form<Paths> for Regions {
    type Plan = Plan;
    type Decision = Decided;
    type Witness = Witness;
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::AttackGraph]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::regions::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        ALGORITHMS.into()
    }
    fn metrics_family(&self) -> String {
        "region-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(requirements_of(job)?.regions()?.is_some())
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<Plan> {
        publish::columns_of(data)?;
        make_plan(job, tracks_of(data)?.tracks.len())
    }
    fn decide(
        &self,
        _: &Job,
        plan: &Plan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<Decided> {
        decide(plan, data, context.observer)
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision, .. }: Partition<'_, Paths, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        publish::publish(job, data, decision, context.observer)
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
        Box::new(Stated { graph: Some(&read.graph) })
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file, beside the original"
    }
    fn known_to_fail(&self, plan: &Plan) -> Option<&'static str> {
        // Nothing makes edges have mirrors, and the paper's own release has some without.
        plan.asked.is_strict.then_some(plan.algorithm.info().name)
    }
    fn describe(&self, written: &Written<'_, Paths, Self>, read: &Read) -> Described {
        let rows = read.tracks.len() as u64;
        let layout = publish::columns_of(written.data).map(Layout::Regions);
        let layout = layout.unwrap_or_else(|_| written.data.release.layout.clone());
        let mut described = describe_file(&layout, rows, &read.sha256, Vec::new());
        describe_quasi(&mut described, &written.data.data);
        described
    }
    fn report(
        &self,
        written: &Written<'_, Paths, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<Report> {
        report::report(written, read)
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
        "counted beside the original"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        opened.figures()
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(attacks::regions::ALL, NAME)
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        let original = request.original()?;
        let job = &request.release.job;
        let manifest = request.release.manifest.as_ref();
        // The job of a run describes its original: the manifest says how the draft lies.
        let is_own = manifest.is_some() && job.paths.says_layout();
        let file = ReleaseFile::of(NAME, job, is_own, manifest)?;
        let loaded = file.load(context.observer)?;
        let quasi = loaded.data.quasi;
        let published = audit::regions_of(loaded.regions, job)?;
        let asked = requirements_of(job)?.regions()?;
        let known = asked.and_then(|asked| asked.known).map(|file| resolve(&job.base, &file));
        let job = with_columns(job, manifest);
        let published = audit::PublishedTracks { data: &published, quasi: &quasi };
        let known = known.as_deref();
        let graph = audit::graph_of(original, &job, &published, known, context.observer)?;
        let stage = RegionStage { graph: graph.graph };
        Ok(Box::new(Staged { stage, attacks: attacks::regions::ALL }))
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported("queries over regions aren't answered")
            .hint("count in the file itself: somebody is anywhere in their box"))
    }
}
