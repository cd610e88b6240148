//! Noisy answers: the graph isn't published, but answers about it, with noise that hides each edge.

mod audit;
mod published;
mod read_back;
mod report;

pub use audit::OpenedAnswers;
pub use published::Published;
pub use read_back::AnswersRead;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::{AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, only_reading};
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers as Answered, QueryRequest};
use sfumato_engine::random::generator;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_engine::verify::Checked;
use sfumato_io::Sink;
use sfumato_report::Report;

use super::edited::explain::read_facts;
use crate::algorithms::answering::{self, AnsweringAlgorithm, Drawn};
use crate::data::{Loaded, read};
use crate::job::Job;
use crate::kind::Graphs;
use crate::metrics;
use crate::traits::GraphRequirements;

/// The name of the form in manifests.
pub(crate) const NAME: &str = "answers";

/// The form in which questions are answered and nothing else is published.
#[derive(Clone, Copy)]
pub struct Answers;

/// What will run: the algorithm and its parameters.
pub struct AnswersPlan {
    algorithm: &'static dyn AnsweringAlgorithm,
    params: Params,
    /// The promises, which are empty: the mechanism promises.
    promises: GraphRequirements,
}

/// Whether a job asks for an algorithm that answers.
pub(crate) fn asks(job: &Job) -> Result<bool> {
    let call: Call = job.recode.algorithm.parse()?;
    Ok(answering::is_one(&call.name))
}

impl Form<Graphs> for Answers {
    type Plan = AnswersPlan;
    type Decision = Drawn;
    type Witness = ();
    type Read = AnswersRead;
    type Opened = OpenedAnswers;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        answering::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::answers::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        "graph-answer-algorithms".into()
    }
    fn metrics_family(&self) -> String {
        "graph-answer-metrics".into()
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
                "{model} can't be judged on answers: no graph is published"
            ))
            .hint("leave models out; the noise itself promises epsilon"));
        }
        if job.output.mapping.is_some()
            || job.graph.attributes.is_some()
            || job.graph.names_sensitive()
        {
            return Err(Error::unsupported(
                "no node is published that could be mapped, and every edge is hidden alike",
            )
            .hint("leave --save-mapping and --sensitive-edges out"));
        }
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, _: &Loaded, _: &Context<'_>) -> Result<AnswersPlan> {
        let call: Call = job.recode.algorithm.parse()?;
        let algorithm = answering::find(&call.name)?;
        let params = Params::check(algorithm.info(), &call.args)?;
        Ok(AnswersPlan { algorithm, params, promises: GraphRequirements::default() })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &AnswersPlan,
        data: &Loaded,
        _: &Context<'_>,
    ) -> Result<Drawn> {
        plan.algorithm.draw(&plan.params, &data.graph, &mut generator(job.run.seed)?)
    }
    fn write(
        &self,
        job: &Job,
        plan: &AnswersPlan,
        Partition { data, decision, .. }: Partition<'_, Graphs, Self>,
        _: &Context<'_>,
    ) -> Result<(Draft, ())> {
        let destination = resolve(&job.base, &job.output.path);
        let mut draft = Draft::file(&destination)?;
        let name = if Sink::of(&destination).path().is_some() { &destination } else { "" };
        let delta = plan.params.number("delta");
        Published::of(&data.graph, decision, delta)?.write(&mut draft, name)?;
        Ok((draft, ()))
    }
    fn read_back(
        &self,
        written: &Written<'_, Graphs, Self>,
        draft: &mut Draft,
        _: &Context<'_>,
    ) -> Result<AnswersRead> {
        let path = draft.path()?.display().to_string();
        let graph = &written.data.graph;
        read_back::read_back(&path, graph, written.decision(), &written.plan.params)
    }
    fn promises<'a>(&self, plan: &'a AnswersPlan) -> &'a dyn Promises {
        &plan.promises
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Graphs, Self>,
        _: &'a AnswersRead,
    ) -> Box<dyn Facts + 'a> {
        Box::new(audit::NoFacts)
    }
    fn vouches(&self, plan: &AnswersPlan) -> Option<(String, bool)> {
        Some((plan.params.describe(), plan.algorithm.info().capabilities.promises_privacy))
    }
    fn checked_how(&self) -> &'static str {
        "by the mechanism: the file is the true answers with its noise, which is within the budget"
    }
    fn describe(&self, written: &Written<'_, Graphs, Self>, read: &AnswersRead) -> Described {
        let mut details = toml::Table::new();
        details.insert("mechanism".into(), written.plan.params.describe().into());
        let file = ManifestFile {
            holds: NAME.into(),
            rows: read.published.nodes,
            sha256: read.source.sha256.clone(),
            ..ManifestFile::default()
        };
        Described { rows: read.published.nodes, details, files: vec![file] }
    }
    fn report(
        &self,
        written: &Written<'_, Graphs, Self>,
        read: &AnswersRead,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, Drawn>> {
        vec![
            Lie {
                name: "nothing is added to any number",
                subject: Subject::Privacy,
                tell: |_, drawn| {
                    drawn.noise.iter_mut().for_each(|noise| noise.drawn.fill(0));
                    drawn.noise.iter().any(|noise| noise.drawn.len() >= 30)
                },
            },
            Lie {
                name: "the noise is that of ten times the budget",
                subject: Subject::Privacy,
                tell: |_, drawn| {
                    drawn.noise.iter_mut().for_each(|noise| noise.law.s *= 10);
                    !drawn.noise.is_empty()
                },
            },
            Lie {
                name: "an edge is said to change nothing",
                subject: Subject::Privacy,
                tell: |_, drawn| {
                    drawn.noise.iter_mut().for_each(|noise| noise.law.t /= 2);
                    !drawn.noise.is_empty()
                },
            },
        ]
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        let mut clock = Stopwatch::start();
        let data = read::read(job, context.observer)?;
        let read_ms = clock.lap();
        let plan = self.plan(job, &data, context)?;
        Ok(PlanFacts {
            read: read_facts(job, &data),
            publishes: vec!["answers with noise; no node and no edge".into()],
            algorithm: AlgorithmFacts {
                call: plan.params.describe(),
                summary: plan.algorithm.info().summary.into(),
                ..AlgorithmFacts::default()
            },
            suppresses: "no nodes".into(),
            passes: vec![ONE_PASS.into()],
            memory: Estimate::about(data.graph.bytes() as f64 * 2.0, "the graph twice"),
            time: only_reading(read_ms),
            ..PlanFacts::default()
        })
    }

    fn open(&self, request: &AuditRequest<Job>, _: &Context<'_>) -> Result<OpenedAnswers> {
        audit::open(request)
    }
    fn bind<'a>(&self, models: &[String], _: &'a OpenedAnswers) -> Result<Box<dyn Promises + 'a>> {
        audit::refuse_models(models)?;
        Ok(Box::new(GraphRequirements::default()))
    }
    fn state<'a>(&self, _: &'a OpenedAnswers) -> Box<dyn Facts + 'a> {
        Box::new(audit::NoFacts)
    }
    fn audit_evidence(&self, _: &OpenedAnswers, _: &str) -> &'static str {
        "none"
    }
    fn figures(&self, opened: &OpenedAnswers) -> Result<Figures> {
        opened.figures()
    }

    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answered> {
        audit::query(request, context.observer)
    }
}
