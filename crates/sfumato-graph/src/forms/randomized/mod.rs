//! Randomized graphs: edges are changed at random and nodes get random numbers. Nothing is
//! promised, and every report says so.

mod audit;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::{AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, only_reading};
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_engine::verify::{Checked, failed_verification};
use sfumato_io::AtomicFile;
use sfumato_report::Report;

pub use self::audit::OpenedRandomized;
use super::edited::explain::read_facts;
use super::edited::publish::{self, Witness};
use super::edited::read_back::{self, EditedRead};
use super::edited::report::{self, Decider};
use super::edited::{check_files, describe, lies, query};
use crate::algorithms::randomizing;
use crate::attacks;
use crate::data::{Loaded, read};
use crate::job::Job;
use crate::kind::Graphs;
use crate::metrics;
use crate::traits::{Edits, GraphRequirements, RandomizingAlgorithm};

/// The name of the form in manifests.
pub(crate) const NAME: &str = "randomized";

/// The form in which edges are changed at random.
#[derive(Clone, Copy)]
pub struct Randomized;

/// What will run: the algorithm and its parameters.
pub struct RandomizedPlan {
    algorithm: &'static dyn RandomizingAlgorithm,
    params: Params,
    seed: u64,
    /// The promises, which are empty: no model can judge.
    promises: GraphRequirements,
}

/// Whether a job asks for an algorithm that changes edges at random.
pub(crate) fn asks(job: &Job) -> Result<bool> {
    let call: Call = job.recode.algorithm.parse()?;
    Ok(randomizing::is_one(&call.name))
}

impl Form<Graphs> for Randomized {
    type Plan = RandomizedPlan;
    type Decision = Edits;
    type Witness = Witness;
    type Read = EditedRead;
    type Opened = OpenedRandomized;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        randomizing::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "random-graph-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "random-graph-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        asks(job)
    }

    fn check(&self, job: &Job) -> Result<()> {
        if let Some(model) = job.privacy.models.first() {
            return Err(Error::unsupported(format!(
                "{model} can't be judged on a randomized graph: its edges needn't be those of the \
                 original"
            ))
            .hint("leave models out; the report will say that nothing is promised"));
        }
        if job.graph.names_sensitive() {
            return Err(Error::unsupported("edges that change at random don't hide others")
                .hint("leave --algorithm out, and add --model 'hidden-edges'"));
        }
        check_files(job)
    }
    fn plan(&self, job: &Job, data: &Loaded, _: &Context<'_>) -> Result<RandomizedPlan> {
        publish::layout_of(job, data)?;
        let call: Call = job.recode.algorithm.parse()?;
        let algorithm = randomizing::find(&call.name)?;
        let params = Params::check(algorithm.info(), &call.args)?;
        let seed = match job.run.seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|error| {
                Error::resources(format!("the operating system gave no random numbers: {error}"))
            })?,
        };
        Ok(RandomizedPlan { algorithm, params, seed, promises: GraphRequirements::default() })
    }
    fn decide(
        &self,
        _: &Job,
        plan: &RandomizedPlan,
        data: &Loaded,
        _: &Context<'_>,
    ) -> Result<Edits> {
        plan.algorithm.randomize(&plan.params, &data.graph, plan.seed)
    }
    fn write(
        &self,
        job: &Job,
        _: &RandomizedPlan,
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
        let read = read_back::read_back(written, draft, context.observer)?;
        match read.in_original.m() == written.data.graph.m() {
            true => Ok(read),
            false => Err(failed_verification("there aren't as many edges as before")),
        }
    }
    fn promises<'a>(&self, plan: &'a RandomizedPlan) -> &'a dyn Promises {
        &plan.promises
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Graphs, Self>,
        read: &'a EditedRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(&read.stated)
    }
    fn vouches(&self, plan: &RandomizedPlan) -> Option<(String, bool)> {
        Some((plan.params.describe(), false))
    }
    fn checked_how(&self) -> &'static str {
        "by nothing: edges were changed at random"
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
        let RandomizedPlan { algorithm, params, .. } = written.plan;
        let decider = Decider { info: algorithm.info(), params, is_auto: false };
        let mut report = report::report(written, &decider, read)?;
        report.warnings.insert(
            0,
            "nothing is promised: whoever knows enough of the structure around a node may find it \
             although edges were changed at random"
                .into(),
        );
        Ok(report)
    }
    fn write_beside(&self, written: &Written<'_, Graphs, Self>) -> Result<Vec<AtomicFile>> {
        publish::mapping(written.job, written.data, (written.decision(), written.witness))
    }

    fn lies(&self) -> Vec<Lie<Loaded, Edits>> {
        let of_edges = lies::lies().into_iter().filter(|lie| lie.subject != Subject::Privacy);
        let more = Lie {
            name: "an edge more is added than is deleted",
            subject: Subject::Count,
            tell: |_, edits: &mut Edits| edits.deleted.pop().is_some(),
        };
        of_edges.chain([more]).collect()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        let mut clock = Stopwatch::start();
        let data = read::read(job, context.observer)?;
        let read_ms = clock.lap();
        let plan = self.plan(job, &data, context)?;
        Ok(PlanFacts {
            read: read_facts(job, &data),
            publishes: vec!["edges changed at random; nodes get random numbers".into()],
            algorithm: AlgorithmFacts {
                call: plan.params.describe(),
                summary: plan.algorithm.info().summary.into(),
                ..AlgorithmFacts::default()
            },
            suppresses: "no nodes".into(),
            passes: vec![ONE_PASS.into()],
            memory: Estimate::about(data.graph.bytes() as f64 * 6.0, "the graph six times"),
            time: only_reading(read_ms),
            ..PlanFacts::default()
        })
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<OpenedRandomized> {
        audit::open(request, context.observer)
    }
    fn bind<'a>(
        &self,
        models: &[String],
        _: &'a OpenedRandomized,
    ) -> Result<Box<dyn Promises + 'a>> {
        audit::refuse_models(models)?;
        Ok(Box::new(GraphRequirements::default()))
    }
    fn state<'a>(&self, opened: &'a OpenedRandomized) -> Box<dyn Facts + 'a> {
        Box::new(opened)
    }
    fn audit_evidence(&self, _: &OpenedRandomized, _: &str) -> &'static str {
        "none"
    }
    fn figures(&self, opened: &OpenedRandomized) -> Result<Figures> {
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
