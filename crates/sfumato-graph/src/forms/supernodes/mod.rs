//! Supernodes: nodes are published together, with how many there are and how many edges lie inside
//! and between. The release is a folder of two tables.

mod audit;
mod explain;
mod files;
pub mod plan;
mod query;
mod read_back;
mod report;
mod stated;

pub use audit::OpenedSupernodes;
pub use plan::SupernodePlan;
pub use read_back::SupernodesRead;
pub use stated::StatedSupernodes;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info};
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_bucket_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::job::BucketLayout;
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::random::shuffle;
use sfumato_engine::verify::Checked;
use sfumato_report::Report;

use super::requirements_of;
use crate::algorithms::supernodes;
use crate::data::supernode_files::{EDGES, NODES};
use crate::data::{Loaded, Supernodes as Published};
use crate::forms::release_file::read_original;
use crate::job::Job;
use crate::kind::Graphs;
use crate::metrics;
use crate::traits::GraphTask;

/// The name of the form in manifests.
pub(crate) const NAME: &str = "supernodes";

/// The form in which nodes are published together.
#[derive(Clone, Copy)]
pub struct Supernodes;

/// Whether a job asks for supernodes: by a model about them, or by an algorithm that makes them.
pub(crate) fn asks(job: &Job) -> Result<bool> {
    let by_model = requirements_of(job)?.all.iter().any(|one| one.asks() == Fact::Supernodes);
    let call: Call = job.recode.algorithm.parse()?;
    let by_algorithm = supernodes::ALL.iter().any(|algorithm| algorithm.info().name == call.name);
    Ok(by_model || by_algorithm)
}

impl Form<Graphs> for Supernodes {
    type Plan = SupernodePlan;
    /// The supernode of each node.
    type Decision = Vec<u32>;
    /// The published number of the supernode of each node.
    type Witness = Vec<u32>;
    type Read = SupernodesRead;
    type Opened = OpenedSupernodes;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        supernodes::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Supernodes, Fact::Candidates, Fact::Links, Fact::SensitiveEdges]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::supernodes::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "supernode-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "supernode-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("supernode-size", "k"))
    }
    fn is_folder(&self, _: &Job) -> bool {
        true
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        asks(job)
    }

    fn check(&self, job: &Job) -> Result<()> {
        if job.output.mapping.is_some() || job.graph.attributes.is_some() {
            return Err(Error::unsupported("nodes of supernodes have no numbers to be mapped to"));
        }
        check_bucket_places(&job.common(), BucketLayout::Linked, None, false)
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<SupernodePlan> {
        plan::make_plan(job, data)
    }
    fn is_anytime(&self, plan: &SupernodePlan) -> bool {
        plan.algorithm.info().capabilities.anytime
    }
    fn decide(
        &self,
        _: &Job,
        plan: &SupernodePlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<Vec<u32>> {
        let open = data.open_graph();
        let task = GraphTask { graph: &open, ..plan.task(data, context.observer) };
        plan.algorithm.cluster(&plan.params, &task)
    }
    fn write(
        &self,
        job: &Job,
        _: &SupernodePlan,
        Partition { data, decision, random, .. }: Partition<'_, Graphs, Self>,
        _: &Context<'_>,
    ) -> Result<(Draft, Vec<u32>)> {
        let n = decision.iter().max().map_or(0, |group| *group + 1);
        let mut number: Vec<u32> = (0..n).collect();
        shuffle(&mut number, &mut random()?);
        let of: Vec<u32> = decision.iter().map(|group| number[*group as usize]).collect();
        let mut draft = Draft::folder(&resolve(&job.base, &job.output.path))?;
        files::write(&mut draft, &Published::of(&data.open_graph(), &of))?;
        Ok((draft, of))
    }
    fn read_back(
        &self,
        written: &Written<'_, Graphs, Self>,
        draft: &mut Draft,
        _: &Context<'_>,
    ) -> Result<SupernodesRead> {
        read_back::read_back(draft.path()?, written.data, written.witness)
    }
    fn promises<'a>(&self, plan: &'a SupernodePlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Graphs, Self>,
        read: &'a SupernodesRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(&read.stated)
    }
    fn checked_how(&self) -> &'static str {
        "counted in the written files; every number was counted anew in the original"
    }
    fn describe(&self, _: &Written<'_, Graphs, Self>, read: &SupernodesRead) -> Described {
        let published = &read.stated.published;
        let file = |(path, holds): (&str, &str), at: usize, rows: usize| ManifestFile {
            path: path.into(),
            holds: holds.into(),
            rows: rows as u64,
            sha256: read.sources[at].sha256.clone(),
            ..ManifestFile::default()
        };
        let files =
            vec![file(NODES, 0, published.sizes.len()), file(EDGES, 1, published.between.len())];
        Described { rows: published.nodes(), files, ..Described::default() }
    }
    fn report(
        &self,
        written: &Written<'_, Graphs, Self>,
        read: &SupernodesRead,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, Vec<u32>>> {
        vec![
            Lie {
                name: "every node is a supernode",
                subject: Subject::Privacy,
                tell: |_, of| {
                    (0u32..).zip(of.iter_mut()).for_each(|(node, group)| *group = node);
                    true
                },
            },
            Lie {
                name: "a node is a supernode by itself",
                subject: Subject::Privacy,
                tell: |_, of| {
                    let n = of.iter().max().map_or(0, |group| *group + 1);
                    of.first_mut().map(|group| *group = n).is_some()
                },
            },
        ]
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        explain::explain(job, context.observer)
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<OpenedSupernodes> {
        audit::open(request, context.observer)
    }
    fn bind<'a>(
        &self,
        models: &[String],
        _: &'a OpenedSupernodes,
    ) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(crate::models::bind(models)?))
    }
    fn state<'a>(&self, opened: &'a OpenedSupernodes) -> Box<dyn Facts + 'a> {
        Box::new(&opened.stated)
    }
    fn audit_evidence(&self, _: &OpenedSupernodes, _: &str) -> &'static str {
        "counted in the files"
    }
    fn figures(&self, opened: &OpenedSupernodes) -> Result<Figures> {
        opened.figures()
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        let original = request.original.as_ref();
        let alone = AuditRequest { original: None, ..request.clone() };
        let opened = self.open(&alone, context)?;
        let Some(original) = original else {
            let remarks = vec!["no original was named to compare with".to_string()];
            return Ok(Utility { remarks, ..Utility::default() });
        };
        let original = read_original(original, &request.job, context.observer)?.graph;
        Ok(audit::utility(&opened, &original))
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        query::query(request, context.observer)
    }
}
