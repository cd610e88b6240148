//! Generalized baskets: each record is published as a set of nodes of the item hierarchy, which
//! stand for its items. A node says that the record has at least one of the items below it; items
//! below no published node it hasn't, unless the release says that some were left out.

mod audit;
mod decide;
mod explain;
mod facts;
mod labels;
mod lies;
mod plan;
mod publish;
mod query;
mod read_back;
mod report;
mod section;
mod utility;

pub use audit::Opened;
pub use plan::TreePlan;
pub use publish::Witness;
pub use read_back::TreeRead;

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
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::verify::Checked;
use sfumato_io::{AtomicFile, write_text_unnamed};
use sfumato_report::Report;

use super::release_file::describe_file;
use super::{asks_for_others, check_job, requirements_of};
use crate::algorithms::generalization::{self, GeneralizedSets};
use crate::data::item_tree::{AUTO, ItemTree};
use crate::data::read::Loaded;
use crate::job::Job;
use crate::kind::Baskets;
use crate::metrics;

/// The name of the form in manifests.
const NAME: &str = "generalized";

/// What a manifest says if items were left out of all records.
const SUPPRESSES: &str = "suppresses";

/// The form in which records are published as sets of nodes of the item hierarchy.
pub struct Generalized;

/// The tree of a job that was read.
fn tree_of(data: &Loaded) -> Result<&ItemTree> {
    data.tree.as_ref().ok_or_else(|| {
        Error::params("items are generalized by an item hierarchy, and none is named")
            .hint("name it with --item-hierarchy")
    })
}

impl Form<Baskets> for Generalized {
    type Plan = TreePlan;
    type Decision = GeneralizedSets;
    type Witness = Witness;
    type Read = TreeRead;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        generalization::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Hiding(Hiding::Copies), Fact::Combinations]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::generalized::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "item-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "item-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("k-anonymity", "k"))
    }
    fn more_is_better(&self, metric: &str) -> bool {
        metrics::generalized::more_is_better(metric)
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        let requirements = requirements_of(job)?;
        let is_other = asks_for_others(&requirements);
        Ok(job.baskets.hierarchy.is_some() && !is_other)
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_job(job)?;
        if job.output.buckets.is_some() {
            return Err(Error::params("generalized baskets aren't published in buckets")
                .hint("leave --buckets or --item-hierarchy out"));
        }
        let saved = job.output.item_hierarchy.as_deref();
        if job.baskets.hierarchy.as_deref() == Some(AUTO) && saved.is_none() {
            return Err(Error::params(
                "groups that are made from the items mean nothing without their tree",
            )
            .hint("say where it is to be written with --save-item-hierarchy items.csv"));
        }
        check_places(&job.common(), saved.as_slice())
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<TreePlan> {
        plan::make_plan(job, data.baskets.quasi.len())
    }
    fn decide(
        &self,
        _: &Job,
        plan: &TreePlan,
        data: &Loaded,
        context: &Context<'_>,
    ) -> Result<GeneralizedSets> {
        decide::decide(plan, data, context.observer)
    }
    fn write(
        &self,
        job: &Job,
        _: &TreePlan,
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
    ) -> Result<TreeRead> {
        read_back::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a TreePlan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Baskets, Self>,
        read: &'a TreeRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(facts::Stated { combinations: read.combinations() })
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file, against the original"
    }
    fn describe(&self, written: &Written<'_, Baskets, Self>, read: &TreeRead) -> Described {
        let Loaded { baskets, release_layout, .. } = written.data;
        let rows = read.rows.len() as u64;
        let mut described =
            describe_file(release_layout, rows, &read.sha256, baskets.items.sensitive_names());
        if !written.decision().suppressed.is_empty() {
            described.details.insert(SUPPRESSES.into(), true.into());
        }
        described
    }
    fn report(
        &self,
        written: &Written<'_, Baskets, Self>,
        read: &TreeRead,
        _: &Checked,
    ) -> Result<Report> {
        report::report(written, read)
    }

    fn write_beside(&self, written: &Written<'_, Baskets, Self>) -> Result<Vec<AtomicFile>> {
        let Some(path) = &written.job.output.item_hierarchy else { return Ok(Vec::new()) };
        let table = tree_of(written.data)?.to_levels(&written.decision().suppressed);
        let text = sfumato_hierarchy::to_csv(&table, ';');
        let path = resolve(&written.job.base, path);
        Ok(vec![write_text_unnamed(std::path::Path::new(&path), &text, false)?])
    }

    fn lies(&self) -> Vec<Lie<Loaded, GeneralizedSets>> {
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
