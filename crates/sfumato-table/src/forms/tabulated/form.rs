//! A table of cells as a form of release: the steps of the pipeline.

use sfumato_core::dataset::{Column, Role};
use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::traits::Requirements;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::Described;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::random::{generator, key};
use sfumato_engine::verify::{Checked, failed_verification};
use sfumato_report as shown;

use crate::algorithms::tabulated::{self, Tabulated, Tabulating, TabulatingAlgorithm};
use crate::forms::generalized::apply::Layout;
use crate::forms::generalized::check_destinations::check_destinations;
use crate::forms::perturbed::{OpenedValues, ReadValues, open_values, read_back, refuse_models};
use crate::forms::whole_values::{self, Foreseen};
use crate::job::Job;
use crate::kind::{TableData, Tables};

/// The form of tables of cells.
#[derive(Clone, Copy)]
pub struct TableOfCells;

/// What will run: the algorithm and its parameters.
pub struct CellsPlan {
    algorithm: &'static dyn TabulatingAlgorithm,
    params: Params,
    /// The promises, which are empty: no model can judge.
    promises: Requirements,
}

/// A table of cells, and how it came about.
pub struct Made {
    /// The table, and its noise where there is some.
    pub made: Tabulated,
    /// The key of the randomness by which one row of each person was taken.
    people: [u8; 32],
}

/// The call of the algorithm that a job asks for.
fn asked(job: &Job) -> Option<Call> {
    let call: Call = job.recode.algorithm.parse().ok()?;
    tabulated::is_one(&call.name).then_some(call)
}

/// The key of a stream of the job's randomness.
fn stream(job: &Job, number: u64) -> Result<[u8; 32]> {
    // Keys of a seed differ by the stream, those of the operating system by themselves.
    key(job.run.seed.map(|seed| seed.wrapping_mul(3).wrapping_add(number)))
}

impl<'t> Form<Tables<'t>> for TableOfCells {
    type Plan = CellsPlan;
    type Decision = Made;
    type Witness = Layout;
    type Read = ReadValues;
    type Opened = OpenedValues;

    fn name(&self) -> &'static str {
        "tabulated"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        tabulated::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        Vec::new()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(asked(job).is_some())
    }

    fn check(&self, job: &Job) -> Result<()> {
        refuse_models(&job.privacy.models)?;
        if job.output.recoding.is_some() || job.output.buckets.is_some() || job.output.keep_order {
            return Err(Error::unsupported(
                "a table of cells has no recoding to save, no buckets, and no order to keep",
            ));
        }
        check_destinations(job)
    }
    fn plan(&self, job: &Job, data: &TableData, _: &Context<'_>) -> Result<CellsPlan> {
        let call =
            asked(job).ok_or_else(|| failed_verification("no table of cells was asked for"))?;
        let algorithm = tabulated::find(&call.name)?;
        let table = &data.encoded.table;
        let params = Params::check(algorithm.info(), &call.args)?;
        if table.n_rows == 0 {
            return Err(Error::input("there are no records to be counted"));
        }
        // What is added up isn't published record by record; nothing else has a place in a table.
        let is_added = |column: &&Column| params.text("of") == Some(column.name.as_str());
        let mut others = table.published().filter(|column| column.role != Role::Quasi);
        if let Some(column) = others.find(|column| !is_added(column)) {
            return Err(Error::unsupported(format!(
                "a table of cells has no place for column '{}'",
                column.name
            ))
            .hint("give it the role identifier, which leaves it out, or quasi"));
        }
        Ok(CellsPlan { algorithm, params, promises: Requirements::new(Vec::new()) })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &CellsPlan,
        data: &TableData,
        _: &Context<'_>,
    ) -> Result<Made> {
        let people = stream(job, 1)?;
        let task = Tabulating { table: &data.encoded.table, people };
        let made = plan.algorithm.tabulate(&plan.params, &task, &mut generator(job.run.seed)?)?;
        Ok(Made { made, people })
    }
    fn write(
        &self,
        job: &Job,
        _: &CellsPlan,
        Partition { data, decision, .. }: Partition<'_, Tables<'t>, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Layout)> {
        let source = &data.encoded.source;
        whole_values::write(job, &decision.made.table, source, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadValues> {
        let plan = written.plan;
        let Made { made, people } = written.decision();
        let task = Tabulating { table: &written.data.encoded.table, people: *people };
        if let Some(fault) = plan.algorithm.fault(&plan.params, &task, made) {
            return Err(failed_verification(&fault));
        }
        // The file says what the table says, which was compared with the original.
        let witness = (draft.path()?, written.witness);
        read_back(&made.table, witness, &plan.promises, context.observer)
    }
    fn promises<'a>(&self, plan: &'a CellsPlan) -> &'a dyn Promises {
        &plan.promises
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Tables<'t>, Self>,
        read: &'a ReadValues,
    ) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn vouches(&self, plan: &CellsPlan) -> Option<(String, bool)> {
        Some((plan.params.describe(), plan.algorithm.info().capabilities.promises_privacy))
    }
    fn checked_how(&self) -> &'static str {
        "by the mechanism alone"
    }
    fn describe(&self, written: &Written<'_, Tables<'t>, Self>, read: &ReadValues) -> Described {
        whole_values::describe(written.job, read)
    }
    fn report(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        read: &ReadValues,
        _: &Checked,
    ) -> Result<shown::Report> {
        let encoded = &written.data.encoded;
        let CellsPlan { algorithm, params, .. } = written.plan;
        let made = &written.decision().made;
        let mut warnings = vec![match encoded.table.subject.is_some() {
            true => "who contributes is a person: all rows of the subject column".to_string(),
            false => "who contributes is a row: no subject column says whose rows are one person's"
                .to_string(),
        }];
        if algorithm.info().capabilities.promises_privacy {
            warnings.push(
                "the list of the values of each column is taken to be public: a value that one \
                 person has is a row of the table"
                    .into(),
            );
        }
        if written.job.run.seed.is_some() && !made.drawn.is_empty() {
            warnings.push("a seed was given: not for release, the noise can be replayed".into());
        }
        let mut details = made.details.clone();
        details["chosen"] = "by the job".into();
        details["shape"] = "a table of cells".into();
        Ok(shown::Report {
            warnings,
            words: shown::Words { truthful: TRUTHFUL, ..shown::Words::default() },
            ..whole_values::report(encoded, (algorithm.info(), params), details, read)
        })
    }

    fn lies(&self) -> Vec<Lie<TableData, Made>> {
        super::lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        whole_values::explain(job, context, |data| {
            let plan = self.plan(job, data, context)?;
            let table = &data.encoded.table;
            let names: Vec<&str> = table.published().map(|column| column.name.as_str()).collect();
            Ok(Foreseen {
                publishes: format!("a table of cells by {}", names.join(", ")),
                call: plan.params.describe(),
                summary: plan.algorithm.info().summary.into(),
                suppresses: "all records: their counts or sums are published",
                beside: "twice",
            })
        })
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<OpenedValues> {
        open_values(request, context.observer)
    }
    fn bind<'a>(&self, models: &[String], _: &'a OpenedValues) -> Result<Box<dyn Promises + 'a>> {
        refuse_models(models)?;
        Ok(Box::new(Requirements::new(Vec::new())))
    }
    fn state<'a>(&self, opened: &'a OpenedValues) -> Box<dyn Facts + 'a> {
        Box::new(opened)
    }
    fn audit_evidence(&self, _: &OpenedValues, _: &str) -> &'static str {
        "none"
    }
    fn figures(&self, opened: &OpenedValues) -> Result<Figures> {
        Ok(opened.figures())
    }
    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        crate::forms::perturbed::utility(request, context.observer)
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported("a table of cells isn't asked: its cells say what they say")
            .hint("read the cell in the file itself"))
    }
}

/// What recipients must not rely on.
const TRUTHFUL: &str = "A row is a cell and no record. Counts with noise are near the true ones; \
    sums that are published are true.";
