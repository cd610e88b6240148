//! Perturbed values of a table as a form of release: the steps of the pipeline.

use rayon::prelude::*;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Role, Table, ValueKind};
use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::{Call, Info, Params};
use sfumato_core::traits::Requirements;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::exec::Records;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::random::{generator, shuffle};
use sfumato_engine::reports::params_json;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_engine::verify::{Checked, failed_verification};
use sfumato_io::{AtomicFile, write_rows};
use sfumato_report as shown;

use super::audit::{self, OpenedValues};
use super::read_back::{ReadValues, read_back};
use crate::algorithms::perturbed::{self, Draws, PerturbingAlgorithm};
use crate::forms::generalized::apply::{Layout, open, publish_unchanged, write_columns};
use crate::forms::generalized::check_destinations::check_destinations;
use crate::job::Job;
use crate::kind::{TableData, Tables};
use crate::metrics::perturbed::Pairs;

/// The form of perturbed values.
#[derive(Clone, Copy)]
pub struct Perturbed;

/// What will run: the algorithm and its parameters.
pub struct PerturbedPlan {
    algorithm: &'static dyn PerturbingAlgorithm,
    params: Params,
    /// The promises, which are empty: no model can judge.
    promises: Requirements,
}

/// The name of the algorithm that a job asks for.
fn asked(job: &Job) -> Option<Call> {
    let call: Call = job.recode.algorithm.parse().ok()?;
    perturbed::is_one(&call.name).then_some(call)
}

/// A column with other numbers, formatted with as many digits as before.
fn spelled(column: &Column, numbers: &[Option<f64>]) -> Column {
    let digits = match column.domain.kind {
        ValueKind::Integer => 0,
        ValueKind::Decimal { scale } => usize::from(scale),
        _ => 6,
    };
    let mut texts: Vec<String> = Vec::new();
    let mut code_of: FastMap<String, u32> = FastMap::default();
    let mut codes = Vec::with_capacity(numbers.len());
    for number in numbers {
        codes.push(number.map(|number| {
            let text = format!("{number:.digits$}");
            // Minus nothing is nothing.
            let text = if text.trim_start_matches('-').bytes().all(|b| b == b'0' || b == b'.') {
                text.trim_start_matches('-').to_string()
            } else {
                text
            };
            *code_of.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                texts.len() as u32 - 1
            })
        }));
    }
    let domain = Domain::of_texts(&texts);
    let missing = domain.missing();
    let codes = codes.into_iter().map(|code| code.unwrap_or(missing)).collect();
    Column { codes: Codes::U32(codes), domain, hierarchy: None, ..column.clone() }
}

impl<'t> Form<Tables<'t>> for Perturbed {
    type Plan = PerturbedPlan;
    type Decision = Table;
    type Witness = Layout;
    type Read = ReadValues;
    type Opened = OpenedValues;

    fn name(&self) -> &'static str {
        "perturbed"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        perturbed::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        crate::metrics::perturbed::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        None
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        Ok(asked(job).is_some())
    }

    fn check(&self, job: &Job) -> Result<()> {
        if job.ledger.is_some() {
            return Err(Error::unsupported(
                "a chain of releases has no perturbed values: nothing that later releases could be judged beside can be read from them",
            )
            .hint("publish generalized cells, or leave the ledger out"));
        }
        if let Some(model) = job.privacy.models.first() {
            return Err(Error::unsupported(format!(
                "{model} can't be judged on perturbed values: nothing in the file tells whether it \
                    holds"
            ))
            .hint("leave models out; the report will say that nothing is promised"));
        }
        if job.output.recoding.is_some() || job.output.buckets.is_some() || job.output.keep_order {
            return Err(Error::unsupported(
                "perturbed values have no recoding to save and no buckets, and leave in random \
                    order",
            ));
        }
        check_destinations(job)
    }
    fn plan(&self, job: &Job, data: &TableData, _: &Context<'_>) -> Result<PerturbedPlan> {
        let call = asked(job)
            .ok_or_else(|| failed_verification("no perturbing algorithm was asked for"))?;
        let algorithm = perturbed::find(&call.name)?;
        let quasi = data.encoded.table.quasi();
        if quasi.is_empty() {
            return Err(Error::params("no column is to be perturbed")
                .hint("name columns of numbers with --qi a,b"));
        }
        if let Some(column) = quasi.iter().find(|column| !column.domain.kind.is_number()) {
            return Err(Error::unsupported(format!(
                "column '{}' isn't one of numbers: {} can't be added to it",
                column.name, call.name
            ))
            .hint("give it another role, such as keep or identifier"));
        }
        let params = Params::check(algorithm.info(), &call.args)?;
        Ok(PerturbedPlan { algorithm, params, promises: Requirements::new(Vec::new()) })
    }
    fn decide(
        &self,
        job: &Job,
        plan: &PerturbedPlan,
        data: &TableData,
        _: &Context<'_>,
    ) -> Result<Table> {
        let table = &data.encoded.table;
        let mut draws = Draws(generator(job.run.seed)?);
        let mut perturbed = table.clone();
        for column in perturbed.columns.iter_mut().filter(|column| column.role == Role::Quasi) {
            let numbers = plan.algorithm.perturb(&plan.params, column, &mut draws)?;
            *column = spelled(column, &numbers);
        }
        Ok(perturbed)
    }
    fn write(
        &self,
        job: &Job,
        _: &PerturbedPlan,
        Partition { data, decision: perturbed, .. }: Partition<'_, Tables<'t>, Self>,
        context: &Context<'_>,
    ) -> Result<(Draft, Layout)> {
        let encoded = &mut data.encoded;
        let n_rows = perturbed.n_rows;
        let mut order: Vec<u32> = (0..n_rows as u32).collect();
        // Another stream than the noise: who knows one must not know the other.
        let mut random = generator(job.run.seed)?;
        random.set_stream(1);
        shuffle(&mut order, &mut random);
        for table in [&mut encoded.table, perturbed] {
            let columns = table.columns.par_iter_mut();
            columns.for_each(|column| column.codes = column.codes.gather(&order));
        }
        let (mut draft, options) = open(job, &encoded.source)?;
        let format = options.format;
        let rendered: Vec<_> =
            perturbed.published().map(|column| publish_unchanged(column, format)).collect();
        let columns = write_columns(&rendered);
        draft.write(|file| write_rows(file, &columns, n_rows, &options, context.observer))?;
        Ok((draft, Layout { n_rows, options }))
    }
    fn read_back(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        draft: &mut Draft,
        context: &Context<'_>,
    ) -> Result<ReadValues> {
        crate::pseudonyms::verify(&written.data.encoded.pseudonyms)?;
        let original = &written.data.encoded.table;
        let is_other = |(before, after): (&Column, &Column)| {
            before.role != Role::Quasi && before.codes != after.codes
        };
        if written.decision().n_rows != original.n_rows {
            return Err(failed_verification("there aren't as many rows as records"));
        }
        if original.columns.iter().zip(&written.decision().columns).any(is_other) {
            return Err(failed_verification("a column changed that wasn't to be perturbed"));
        }
        read_back(written.decision(), (draft.path()?, written.witness), context.observer)
    }
    fn promises<'a>(&self, plan: &'a PerturbedPlan) -> &'a dyn Promises {
        &plan.promises
    }
    fn facts<'a>(
        &self,
        _: &'a Written<'_, Tables<'t>, Self>,
        read: &'a ReadValues,
    ) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn vouches(&self, plan: &PerturbedPlan) -> Option<(String, bool)> {
        Some((plan.params.describe(), plan.algorithm.info().capabilities.promises_privacy))
    }
    fn checked_how(&self) -> &'static str {
        "by the mechanism alone"
    }
    fn describe(&self, written: &Written<'_, Tables<'t>, Self>, read: &ReadValues) -> Described {
        let file = ManifestFile {
            holds: "rows".into(),
            rows: read.rows,
            sha256: read.sha256.clone(),
            ..ManifestFile::default()
        };
        let details = crate::forms::column_details(written.job);
        Described { rows: read.rows, details, files: vec![file] }
    }
    fn report(
        &self,
        written: &Written<'_, Tables<'t>, Self>,
        read: &ReadValues,
        _: &Checked,
    ) -> Result<shown::Report> {
        let encoded = &written.data.encoded;
        let PerturbedPlan { algorithm, params, .. } = written.plan;
        let both = encoded.table.columns.iter().zip(&written.decision().columns);
        let pairs: Vec<Pairs> = both
            .filter(|(original, _)| original.role == Role::Quasi)
            .map(|(original, published)| pairs(original, published))
            .collect();
        let mean = |measure: &dyn Fn(&Pairs) -> Option<f64>| {
            let values: Vec<f64> = pairs.iter().filter_map(measure).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let mut warnings = vec![
            "nothing is promised: noise alone keeps nobody from being found by the nearest record, \
             and where columns are correlated it can be filtered out"
                .to_string(),
        ];
        if written.job.run.seed.is_some() {
            warnings.push("a seed was given: not for release, the noise can be replayed".into());
        }
        let mut report = shown::Report {
            input: shown::Input {
                format: encoded.source.format.clone(),
                rows: encoded.table.n_rows as u64,
                columns: encoded.header.len() as u64,
                bytes: encoded.source.bytes,
                sha256: encoded.source.sha256.clone(),
                ..shown::Input::default()
            },
            algorithm: shown::Algorithm {
                name: algorithm.info().name.into(),
                params: params_json(params),
                details: serde_json::json!({ "chosen": "by the job", "shape": "perturbed values" }),
            },
            metrics: crate::metrics::perturbed::ALL
                .iter()
                .map(|metric| (metric.info().name, mean(&|pairs| metric.measure(pairs))))
                .collect(),
            suppressed: shown::Suppressed::new(0, 0, read.rows),
            evidence: shown::Evidence {
                rows: read.rows,
                cells: read.cells,
                ..shown::Evidence::default()
            },
            warnings,
            output: Some(shown::Output {
                rows: read.rows,
                bytes: read.bytes,
                sha256: read.sha256.clone(),
                ..shown::Output::default()
            }),
            words: shown::Words { truthful: TRUTHFUL, ..shown::Words::default() },
            ..shown::Report::default()
        };
        encoded.pseudonyms.tell(&mut report, written.job, &encoded.table, None);
        Ok(report)
    }

    fn write_beside(&self, written: &Written<'_, Tables<'t>, Self>) -> Result<Vec<AtomicFile>> {
        let saved = written.data.encoded.pseudonyms.save(written.job)?;
        Ok(saved.into_iter().collect())
    }

    fn lies(&self) -> Vec<Lie<TableData, Table>> {
        super::lies::lies()
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        use sfumato_engine::kind::Kind as _;
        let mut clock = Stopwatch::start();
        let data = Tables { saved: None }.read(job, Records::AtOnce, context)?;
        let read_ms = clock.lap();
        let plan = self.plan(job, &data, context)?;
        let (table, source) = (&data.encoded.table, &data.encoded.source);
        let names: Vec<&str> = table.quasi().iter().map(|column| column.name.as_str()).collect();
        Ok(PlanFacts {
            read: ReadFacts {
                records: table.n_rows as u64,
                called: "rows",
                bytes: source.bytes,
                ..ReadFacts::default()
            },
            requires: Vec::new(),
            publishes: vec![format!("{} perturbed, the rest as it is", names.join(", "))],
            algorithm: AlgorithmFacts {
                call: plan.params.describe(),
                summary: plan.algorithm.info().summary.into(),
                ..AlgorithmFacts::default()
            },
            suppresses: "no records: every value is published, perturbed".into(),
            passes: vec![ONE_PASS.into()],
            memory: Estimate::unknown(format!(
                "{} of codes, and what is read back",
                shown::numbers::bytes(table.code_bytes() as u64)
            )),
            time: only_reading(read_ms),
            disk: None,
        })
    }

    fn open(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<OpenedValues> {
        audit::open(request, context.observer)
    }
    fn bind<'a>(&self, models: &[String], _: &'a OpenedValues) -> Result<Box<dyn Promises + 'a>> {
        audit::refuse_models(models)?;
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
    fn attacks(&self) -> Vec<&'static Info> {
        offered(crate::attacks::ALL, "perturbed")
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        crate::attacks::stage("perturbed", request, context)
    }

    fn utility(&self, request: &AuditRequest<Job>, context: &Context<'_>) -> Result<Utility> {
        super::utility::utility(request, context.observer)
    }

    fn query(&self, _: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        Err(Error::unsupported("perturbed values give no bounds that hold")
            .hint("estimate from the file itself: means are kept on average"))
    }
}

/// What recipients must not rely on.
const TRUTHFUL: &str = "Records aren't truthful: numbers were changed at random, so that no \
    published record is anybody's. Only what many of them say together means something.";

/// The original numbers paired with the published ones.
fn pairs(original: &Column, published: &Column) -> Pairs {
    let number = |column: &Column, row: usize| match column.domain.number(column.codes.get(row)) {
        Some(number) => Some(number),
        None => column.domain.label(column.codes.get(row)).parse().ok(),
    };
    let both = (0..original.codes.len())
        .filter_map(|row| Some((number(original, row)?, number(published, row)?)));
    let (original, published) = both.unzip();
    Pairs { original, published }
}
