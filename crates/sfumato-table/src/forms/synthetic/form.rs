//! Made-up records of a table as a form of release: the steps of the pipeline.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Table};
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

use crate::algorithms::synthetic::{self, Measured, Records, SynthesizingAlgorithm};
use crate::forms::generalized::apply::Layout;
use crate::forms::generalized::check_destinations::check_destinations;
use crate::forms::perturbed::{OpenedValues, ReadValues, open_values, read_back, refuse_models};
use crate::forms::whole_values::{self, Foreseen};
use crate::job::Job;
use crate::kind::{TableData, Tables};
use crate::metrics::perturbed::{Both, measure};

/// The form of made-up records.
#[derive(Clone, Copy)]
pub struct Synthetic;

/// What will run: the algorithm and its parameters.
pub struct SyntheticPlan {
    algorithm: &'static dyn SynthesizingAlgorithm,
    params: Params,
    /// The promises, which are empty: no model can judge.
    promises: Requirements,
}

/// Made-up records, and what they were made of.
pub struct Synthesized {
    /// The made-up records: the published columns alone.
    pub table: Table,
    /// What was measured of the original.
    pub measured: Measured,
    /// The key of the randomness by which one row of each person was taken.
    people: [u8; 32],
    /// The key of the randomness by which records were made.
    making: [u8; 32],
}

/// The largest number of values of a column.
const MOST_VALUES: usize = 20_000;

/// The call of the algorithm that a job asks for.
fn asked(job: &Job) -> Option<Call> {
    let call: Call = job.recode.algorithm.parse().ok()?;
    synthetic::is_one(&call.name).then_some(call)
}

/// Made-up codes as a table.
fn table_of(original: &Table, codes: Vec<Vec<u32>>) -> Table {
    let n_rows = codes.first().map_or(0, Vec::len);
    let columns = original.published().zip(codes).map(|(column, codes)| {
        let codes = Codes::from_iter(column.domain.len() + 1, codes.into_iter());
        Column { codes, ..column.clone() }
    });
    Table { n_rows, columns: columns.collect(), subject: None }
}

/// The key of a stream of the job's randomness.
fn stream(job: &Job, number: u64) -> Result<[u8; 32]> {
    // Keys of a seed differ by the stream, those of the operating system by themselves.
    key(job.run.seed.map(|seed| seed.wrapping_mul(3).wrapping_add(number)))
}

impl<'t> Form<Tables<'t>> for Synthetic {
    type Plan = SyntheticPlan;
    type Decision = Synthesized;
    type Witness = Layout;
    type Read = ReadValues;
    type Opened = OpenedValues;

    fn name(&self) -> &'static str {
        "synthetic"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        synthetic::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        crate::metrics::perturbed::of_distributions().map(|metric| metric.info()).collect()
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
                "made-up records have no recoding to save, no buckets, and no order to keep",
            ));
        }
        check_destinations(job)
    }
    fn plan(&self, job: &Job, data: &TableData, _: &Context<'_>) -> Result<SyntheticPlan> {
        let call =
            asked(job).ok_or_else(|| failed_verification("no made-up records were asked for"))?;
        let algorithm = synthetic::find(&call.name)?;
        let table = &data.encoded.table;
        if table.n_rows == 0 || table.published().next().is_none() {
            return Err(Error::input("there are no records that others could be made up by"));
        }
        let mut columns = table.published();
        if let Some(column) = columns.find(|column| column.domain.len() > MOST_VALUES) {
            return Err(Error::unsupported(format!(
                "column '{}' has {} values, too many to be counted with noise",
                column.name,
                column.domain.len()
            ))
            .hint("give it the role identifier, which leaves it out, or round it first"));
        }
        if let Some(column) = table.published().find(|column| column.domain.is_empty()) {
            return Err(Error::unsupported(format!("column '{}' has no values", column.name))
                .hint("give it the role identifier, which leaves it out"));
        }
        let params = Params::check(algorithm.info(), &call.args)?;
        Ok(SyntheticPlan { algorithm, params, promises: Requirements::new(Vec::new()) })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &SyntheticPlan,
        data: &TableData,
        _: &Context<'_>,
    ) -> Result<Synthesized> {
        let table = &data.encoded.table;
        let (people, making) = (stream(job, 1)?, stream(job, 2)?);
        let records = Records::of(table, &mut ChaCha20Rng::from_seed(people));
        let mut random = generator(job.run.seed)?;
        let measured = plan.algorithm.measure(&plan.params, &records, &mut random)?;
        let mut random = ChaCha20Rng::from_seed(making);
        let codes = plan.algorithm.generate(&plan.params, &measured, &mut random);
        Ok(Synthesized { table: table_of(table, codes), measured, people, making })
    }
    fn write(
        &self,
        job: &Job,
        _: &SyntheticPlan,
        Partition { data, decision, .. }: Partition<'_, Tables<'t>, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Layout)> {
        let source = &data.encoded.source;
        whole_values::write(job, &decision.table, source, context.observer)
    }
    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadValues> {
        let (plan, original) = (written.plan, &written.data.encoded.table);
        let Synthesized { table, measured, people, making } = written.decision();
        let records = Records::of(original, &mut ChaCha20Rng::from_seed(*people));
        if let Some(fault) = plan.algorithm.fault(&plan.params, &records, measured) {
            return Err(failed_verification(&fault));
        }
        // Made again of what was measured alone: nothing else of the original is in the file.
        let mut random = ChaCha20Rng::from_seed(*making);
        let again =
            table_of(original, plan.algorithm.generate(&plan.params, measured, &mut random));
        let same = |(one, other): (&Column, &Column)| one.codes.iter().eq(other.codes.iter());
        let is_same = table.n_rows == again.n_rows
            && table.columns.len() == again.columns.len()
            && table.columns.iter().zip(&again.columns).all(same);
        if !is_same {
            return Err(failed_verification("the records don't follow from what was measured"));
        }
        read_back(&again, (draft.path()?, written.witness), &plan.promises, context.observer)
    }
    fn promises<'a>(&self, plan: &'a SyntheticPlan) -> &'a dyn Promises {
        &plan.promises
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Tables<'t>, Self>,
        read: &'a ReadValues,
    ) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn vouches(&self, plan: &SyntheticPlan) -> Option<(String, bool)> {
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
        let SyntheticPlan { algorithm, params, .. } = written.plan;
        let Synthesized { table, measured, .. } = written.decision();
        let original: Vec<&Column> = encoded.table.published().collect();
        let published: Vec<&Column> = table.columns.iter().collect();
        let both = Both { original: &original, published: &published };
        let mut warnings = vec![match encoded.table.subject.is_some() {
            true => "the promise is about a person: all rows of the subject column".to_string(),
            false => "the promise is about a row: no subject column says whose rows are one \
                      person's"
                .to_string(),
        }];
        warnings.push(
            "the list of the values of each column is taken to be public: a value that one person \
             has can be in the file"
                .into(),
        );
        if written.job.run.seed.is_some() {
            warnings.push("a seed was given: not for release, the noise can be replayed".into());
        }
        let pairs = measured.tables.iter().filter(|table| table.columns.len() == 2);
        let names = |columns: &[usize]| {
            columns.iter().map(|at| original[*at].name.clone()).collect::<Vec<String>>()
        };
        let details = serde_json::json!({
            "chosen": "by the job",
            "shape": "made-up records",
            "rho": measured.spent(),
            "pairs": pairs.map(|table| names(&table.columns)).collect::<Vec<_>>(),
        });
        Ok(shown::Report {
            metrics: measure(crate::metrics::perturbed::of_distributions(), &both),
            warnings,
            words: shown::Words { truthful: TRUTHFUL, ..shown::Words::default() },
            ..whole_values::report(encoded, (algorithm.info(), params), details, read)
        })
    }

    fn lies(&self) -> Vec<Lie<TableData, Synthesized>> {
        super::lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        whole_values::explain(job, context, |data| {
            let plan = self.plan(job, data, context)?;
            let table = &data.encoded.table;
            let names: Vec<&str> = table.published().map(|column| column.name.as_str()).collect();
            Ok(Foreseen {
                publishes: format!("made-up records with {}", names.join(", ")),
                call: plan.params.describe(),
                summary: plan.algorithm.info().summary.into(),
                suppresses: "all records: others are made up in their place",
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
        Err(Error::unsupported("made-up records give no bounds that hold")
            .hint("count in the file itself: its tables are near to the true ones"))
    }
}

/// What recipients must not rely on.
const TRUTHFUL: &str = "Records aren't truthful: all were made up, and none is anybody's. Only \
    what many of them say together means something.";
