//! Flows: instead of paths, a matrix of how many people went from where to where.

pub mod plan;
pub mod release;
mod report;

pub use plan::{Plan, make_plan};
pub use release::Read;

use sfumato_core::facts::{Fact, Facts, Hiding, Least, Promises};
use sfumato_core::registry::{Call, Info};
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::input::read_options;
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::random::generator;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_engine::verify::Checked;
use sfumato_io::WriteOptions;
use sfumato_report::Report;
use sfumato_report::numbers::count;

use super::{check_audit, check_steps, requirements_of};
use crate::algorithms::flows::{self as algorithms, FlowTask};
use crate::data::flows::{self, Flows, ReadFlows};
use crate::data::read::{self, Loaded, input_of};
use crate::job::Job;
use crate::kind::Paths;
use crate::metrics;

/// The name of the form in manifests.
const NAME: &str = "flows";
/// The word in the manifest for the only file of a release.
const RECORDS: &str = "records";
/// The family of its algorithms in the catalogue.
const ALGORITHMS: &str = "flow-algorithms";

/// The form in which a matrix of origins and destinations is published.
pub struct FlowsForm;

/// Whether a job names an algorithm that publishes flows.
pub(crate) fn is_named(job: &Job) -> bool {
    let call: Result<Call> = job.recode.algorithm.parse();
    let is_ours = |call: Call| algorithms::ALL.iter().any(|one| one.info().name == call.name);
    call.is_ok_and(is_ours)
}

/// A matrix that was published.
pub struct Stated<'a>(&'a Flows);

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        "a matrix of flows"
    }
    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        let counts = self.0.values().copied();
        Ok((hiding == Hiding::Copies).then(|| Least {
            least: counts.clone().min().unwrap_or(0),
            violations: counts.filter(|n| *n < required).count() as u64,
        }))
    }
}

/// A matrix as an audit reads it.
pub struct Opened {
    path: String,
    sha256: String,
    flows: Flows,
}

impl Form<Paths> for FlowsForm {
    type Plan = Plan;
    type Decision = Flows;
    type Witness = WriteOptions;
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        NAME
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Hiding(Hiding::Copies)]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::flows::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn algorithms_family(&self) -> String {
        ALGORITHMS.into()
    }
    fn metrics_family(&self) -> String {
        "flow-metrics".into()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn more_is_better(&self, metric: &str) -> bool {
        metric == "people-kept"
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        let requirements = requirements_of(job)?;
        Ok(requirements.all.iter().any(|one| one.flows().is_some()) || is_named(job))
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, data: &Loaded, context: &Context<'_>) -> Result<Plan> {
        check_steps(data)?;
        flows::check(data)?;
        make_plan(job, context.observer)
    }
    fn decide(&self, job: &Job, plan: &Plan, data: &Loaded, _: &Context<'_>) -> Result<Flows> {
        let flows = flows::of_paths(&data.data);
        let task = FlowTask { flows: &flows, k: plan.k, places: plan.places.as_deref() };
        plan.algorithm.publish(&plan.params, &task, &mut generator(job.run.seed)?)
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision, .. }: Partition<'_, Paths, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, WriteOptions)> {
        if decision.is_empty() {
            return Err(Error::infeasible("no count would be left")
                .hint("make places coarser, ask for a smaller k, or bring more data"));
        }
        release::publish(job, data, decision, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Paths, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<Read> {
        release::read_back(written, draft, context.observer)
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(&self, _: &'a Written<'_, Paths, Self>, read: &'a Read) -> Box<dyn Facts + 'a> {
        Box::new(Stated(&read.flows))
    }
    fn vouches(&self, plan: &Plan) -> Option<(String, bool)> {
        plan.algorithm.is_random().then(|| (plan.params.describe(), true))
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file, which was compared with the original"
    }
    fn describe(&self, _: &Written<'_, Paths, Self>, read: &Read) -> Described {
        let rows = read.flows.len() as u64;
        let file = ManifestFile {
            holds: RECORDS.into(),
            rows,
            sha256: read.sha256.clone(),
            ..ManifestFile::default()
        };
        Described { rows, details: toml::Table::new(), files: vec![file] }
    }
    fn report(
        &self,
        written: &Written<'_, Paths, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<Report> {
        Ok(report::report(written, read))
    }

    fn lies(&self) -> Vec<Lie<Loaded, Flows>> {
        vec![
            Lie {
                name: "small counts are published too",
                subject: Subject::Privacy,
                tell: |loaded, decided| {
                    let all = flows::of_paths(&loaded.data);
                    let is_other = all != *decided;
                    *decided = all;
                    is_other
                },
            },
            Lie {
                name: "a count is one too many",
                subject: Subject::Cell,
                tell: |_, decided| match decided.values_mut().next() {
                    Some(n) => {
                        *n += 1;
                        true
                    }
                    None => false,
                },
            },
            Lie {
                name: "people are counted between other places",
                subject: Subject::Row,
                tell: |_, decided| match decided.pop_first() {
                    Some(((from, to), n)) => {
                        decided.insert((to, format!("{from} ")), n);
                        true
                    }
                    None => false,
                },
            },
        ]
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        let mut clock = Stopwatch::start();
        let loaded = read::read(job, context.observer)?;
        let read_ms = clock.lap();
        let plan = self.plan(job, &loaded, context)?;
        let data = &loaded.data;
        let requires = plan.requirements.all.iter();
        Ok(PlanFacts {
            read: ReadFacts {
                records: data.paths.len() as u64,
                called: "paths",
                bytes: loaded.source.bytes,
                besides: format!("{} places", count(data.places.len() as u64)),
                about: Vec::new(),
            },
            requires: requires.map(|one| format!("{}: {}", one.describe(), one.words())).collect(),
            algorithm: AlgorithmFacts {
                call: plan.params.describe(),
                why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
                summary: plan.algorithm.info().summary.into(),
                notes: Vec::new(),
            },
            suppresses: "counts, and no people".into(),
            passes: vec![ONE_PASS.into()],
            memory: Estimate::unknown("the paths, and a number for each pair of places"),
            time: only_reading(read_ms),
            ..PlanFacts::default()
        })
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Opened> {
        check_audit(request)?;
        let input = input_of(&request.job);
        let options = read_options(&input)?;
        let ReadFlows { flows, sha256, .. } = flows::read(&input.path, &options, context.observer)?;
        if let Some(manifest) = &request.manifest {
            let described =
                manifest.holding(RECORDS).map_err(|error| error.in_file(&input.path))?;
            if described.sha256 != sha256 {
                let what = "this isn't the file that the manifest beside it describes";
                return Err(Error::input(what)
                    .in_file(&input.path)
                    .hint("its hash is another; take the manifest away to audit it as it is"));
            }
        }
        Ok(Opened { path: request.job.input.path.clone(), sha256, flows })
    }
    fn bind<'a>(&self, models: &[String], _: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(crate::models::bind(models)?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(Stated(&opened.flows))
    }
    fn audit_evidence(&self, _: &Opened, _: &str) -> &'static str {
        "counted in the file"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        let (pairs, people) = (opened.flows.len() as u64, opened.flows.values().sum::<u64>());
        let head = format!(
            "file       {} ({} pairs of places, {} people)\n",
            opened.path,
            count(pairs),
            count(people)
        );
        let json = [
            ("sha256".to_string(), opened.sha256.clone().into()),
            ("pairs".to_string(), pairs.into()),
            ("people".to_string(), people.into()),
        ];
        Ok(Figures {
            rows: pairs,
            is_true: None,
            json: json.into_iter().collect(),
            head,
            tail: String::new(),
        })
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported("queries over a matrix of flows aren't answered")
            .hint("its rows are the answers"))
    }
}
