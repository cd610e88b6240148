//! Moved tracks: each is published where at least k - 1 others are close to it all the time.

mod aligned;
mod audit;
mod decide;
mod explain;
pub mod facts;
pub mod groups;
mod lies;
mod own;
pub mod plan;
pub mod publish;
pub mod read_back;
mod report;
mod utility;

pub use audit::Opened;
pub use decide::{Decided, decide};
pub use plan::{Plan, make_plan};
pub use publish::Witness;
pub use read_back::Read;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, Staged, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_report::Report;

use super::beside;
use super::release_file::{
    ReleaseFile, describe_file, describe_quasi, load_original, with_columns,
};
use super::requirements_of;
use crate::algorithms::moving;
use crate::attacks::{self, tracks::TrackStage};
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Paths;
use crate::metrics;

use decide::tracks_of;
use facts::Stated;
use groups::Together;

/// The name of the form in manifests.
const NAME: &str = "moved";
/// The family of its algorithms in the catalogue.
const ALGORITHMS: &str = "track-algorithms";

/// Whether a job names an algorithm that moves tracks without promising anything.
pub(crate) fn is_named(job: &Job) -> bool {
    let call: Result<Call> = job.recode.algorithm.parse();
    let is_ours =
        |call: Call| moving::ALL.iter().any(|one| !one.promises() && one.info().name == call.name);
    call.is_ok_and(is_ours)
}

/// The form in which tracks are moved close to others.
pub struct Moved;

impl Form<Paths> for Moved {
    type Plan = Plan;
    type Decision = Decided;
    type Witness = Witness;
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        moving::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Tracks]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::moved::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        ALGORITHMS.into()
    }
    fn metrics_family(&self) -> String {
        "track-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(requirements_of(job)?.tracks().is_some() || is_named(job))
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<Plan> {
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
        let together = Together {
            plane: read.plane,
            tracks: &read.tracks,
            told: &read.told,
            alike: &read.alike,
        };
        Box::new(Stated { together })
    }
    fn vouches(&self, plan: &Plan) -> Option<(String, bool)> {
        (!plan.algorithm.promises()).then(|| (plan.params.describe(), false))
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file, which was compared with the original"
    }
    fn describe(&self, written: &Written<'_, Paths, Self>, read: &Read) -> Described {
        let rows = read.tracks.len() as u64;
        let layout = &written.data.release.layout;
        let mut described = describe_file(layout, rows, &read.sha256, Vec::new());
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
        "searched in the file"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        opened.figures()
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(attacks::tracks::ALL, NAME)
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        let original = request.original()?;
        let release = &request.release;
        let manifest = release.manifest.as_ref();
        // The job of a run describes its original: the manifest says how the draft lies.
        let is_own = manifest.is_some() && release.job.paths.says_layout();
        let file = ReleaseFile::of(NAME, &release.job, is_own, manifest)?;
        let published = file.load(context.observer)?;
        let job = with_columns(&release.job, manifest);
        let original = load_original(original, &job, context.observer)?;
        let quasi = |loaded: &Loaded| -> Result<Vec<Vec<String>>> {
            Ok(beside::words(&loaded.data.quasi, tracks_of(loaded)?.tracks.len()))
        };
        let beside = (quasi(&published)?, quasi(&original)?);
        let (original, published) = (tracks_of(&original)?, tracks_of(&published)?);
        let stage = TrackStage {
            plane: original.plane,
            original: original.tracks.clone(),
            published: published.tracks.clone(),
            beside,
        };
        Ok(Box::new(Staged { stage, attacks: attacks::tracks::ALL }))
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        utility::utility(request, context.observer)
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported(
            "queries over moved tracks aren't answered: positions were moved, and how far isn't \
             published",
        )
        .hint("count in the file itself"))
    }
}
