//! Edited graphs: edges are added and deleted until nodes are alike, nodes get random numbers, and
//! the report says how many edges were changed.

mod audit;
pub(crate) mod explain;
pub(crate) mod lies;
pub mod plan;
pub mod publish;
pub(crate) mod query;
pub mod read_back;
pub(crate) mod report;
mod section;

pub use audit::Opened;
pub use plan::EditPlan;
pub use publish::Witness;
pub use read_back::EditedRead;

use sfumato_core::facts::{Fact, Facts, Promises};
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
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_io::AtomicFile;
use sfumato_report::Report;

use self::report::Decider;
use super::release_file::EDGES;
use super::{answers, randomized, supernodes};
use crate::algorithms::editing;
use crate::attacks;
use crate::data::Loaded;
use crate::job::Job;
use crate::kind::Graphs;
use crate::metrics;
use crate::traits::Edits;

/// The name of the form in manifests.
pub(crate) const NAME: &str = "edited";

/// The form in which a graph is published with some of its edges changed.
#[derive(Clone, Copy)]
pub struct Edited;

/// Refuse outputs that can't be written.
pub(crate) fn check_files(job: &Job) -> Result<()> {
    let mapping: Vec<&str> = job.output.mapping.as_deref().into_iter().collect();
    if job.graph.attributes.is_some() && job.output.mapping.is_none() {
        return Err(Error::params("attributes of nodes go to a file that isn't named")
            .hint("name it with --save-mapping FILE; they aren't published with the graph"));
    }
    if job.output.mapping.as_deref() == Some("-") {
        return Err(Error::params("the mapping is for the steward and goes to a file"));
    }
    check_places(&job.common(), &mapping)
}

/// What the manifest says about a graph in a single file.
pub(crate) fn describe(witness: &Witness, read: &EditedRead) -> Described {
    let Witness { layout, label, .. } = witness;
    let mut details = toml::Table::new();
    details.insert("layout".into(), layout.spell().into());
    if let Some(label) = label {
        details.insert("label".into(), label.clone().into());
    }
    let file = ManifestFile {
        holds: EDGES.into(),
        rows: read.stated.graph.m(),
        sha256: read.sha256.clone(),
        ..ManifestFile::default()
    };
    Described { rows: read.stated.graph.n() as u64, details, files: vec![file] }
}

impl Form<Graphs> for Edited {
    type Plan = EditPlan;
    type Decision = Edits;
    type Witness = Witness;
    type Read = EditedRead;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        editing::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[
            Fact::Candidates,
            Fact::CandidateLabels,
            Fact::Automorphisms,
            Fact::Links,
            Fact::SensitiveEdges,
        ]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "graph-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "graph-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("k-degree", "k"))
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(!supernodes::asks(job)? && !randomized::asks(job)? && !answers::asks(job)?)
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_files(job)
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<EditPlan> {
        publish::layout_of(job, data)?;
        plan::make_plan(job, data)
    }
    fn decide(
        &self,
        _: &Job,
        plan: &EditPlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<Edits> {
        plan.edit(data, context.observer)
    }
    fn write(
        &self,
        job: &Job,
        _: &EditPlan,
        partition: Partition<'_, Graphs, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Witness)> {
        publish::publish(job, partition, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Graphs, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<EditedRead> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a EditPlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Graphs, Self>,
        read: &'a EditedRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(&read.stated)
    }
    fn checked_how(&self) -> &'static str {
        "counted in the written file; its edges are the original's but for those changed"
    }
    fn describe(&self, written: &Written<'_, Graphs, Self>, read: &EditedRead) -> Described {
        describe(written.witness, read)
    }
    fn report(
        &self,
        written: &Written<'_, Graphs, Self>,
        read: &EditedRead,
        _: &Checked,
    ) -> Result<Report> {
        let EditPlan { algorithm, params, is_auto, .. } = written.plan;
        let decider = Decider { info: algorithm.info(), params, is_auto: *is_auto };
        report::report(written, &decider, read)
    }
    fn write_beside(&self, written: &Written<'_, Graphs, Self>) -> Result<Vec<AtomicFile>> {
        publish::mapping(written.job, written.data, (written.decision(), written.witness))
    }

    fn lies(&self) -> Vec<Lie<Loaded, Edits>> {
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
        Box::new(opened.stated())
    }
    fn audit_evidence(&self, _: &Opened, _: &str) -> &'static str {
        "counted in the file"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        opened.figures()
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(attacks::ALL, NAME)
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        attacks::stage(NAME, request, context)
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        crate::forms::utility_of(NAME, request, context)
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        query::query_of(NAME, request, context.observer)
    }
}
