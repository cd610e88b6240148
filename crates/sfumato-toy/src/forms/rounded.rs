//! Rounded numbers: every number is published as the next multiple of a step that isn't above it.

use std::collections::BTreeMap;

use std::io::Write as _;

use sfumato_core::facts::{Fact, Facts, Hiding, Least, Promises};
use sfumato_core::registry::{Call, Info};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, Staged, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::context::Context;
use sfumato_engine::destinations::check_places;
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::{
    AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts, only_reading,
};
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::manifest::{Described, Manifest, ManifestFile};
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answer, Answers, QueryRequest};
use sfumato_engine::random::{generator, shuffle};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_engine::verify::{Checked, cant_read_back, failed_verification};
use sfumato_report as shown;

use crate::algorithms::{self, RoundingAlgorithm};
use crate::attacks::{self, Numbered};
use crate::data::{Loaded, read as read_numbers};
use crate::job::Job;
use crate::kind::Numbers;
use crate::{metrics, models};

/// The form of rounded numbers.
pub struct Rounded;

/// What will run: the models and the algorithm.
pub struct Plan {
    requirements: models::NumberRequirements,
    algorithm: &'static dyn RoundingAlgorithm,
}

/// What the bytes of a release say: the published numbers, and how many records each stands for.
pub struct Read {
    numbers: Vec<i64>,
    counts: BTreeMap<i64, u64>,
    loaded: Loaded,
    path: String,
    step: Option<i64>,
}

/// The next multiple of a step that isn't above a number.
pub fn rounded(number: i64, step: i64) -> i64 {
    number - number.rem_euclid(step)
}

/// How often each number occurs.
pub fn counts(numbers: &[i64]) -> BTreeMap<i64, u64> {
    let mut counts = BTreeMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_insert(0) += 1);
    counts
}

impl Facts for Read {
    fn release(&self) -> &'static str {
        "a release of rounded numbers"
    }
    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        if hiding != Hiding::Copies {
            return Ok(None);
        }
        let below = self.counts.values().filter(|count| **count < required).count() as u64;
        let least = self.counts.values().copied().min().unwrap_or(0);
        Ok(Some(Least { least, violations: below }))
    }
}

fn reread(path: &str, step: Option<i64>) -> Result<Read> {
    let loaded = read_numbers(path)?;
    let numbers = loaded.numbers.clone();
    Ok(Read { counts: counts(&numbers), numbers, loaded, path: path.into(), step })
}

impl Form<Numbers> for Rounded {
    type Plan = Plan;
    type Decision = i64;
    type Witness = Vec<u32>;
    type Read = Read;
    type Opened = Read;

    fn name(&self) -> &'static str {
        "rounded"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Hiding(Hiding::Copies)]
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("crowd", "k"))
    }
    fn takes(&self, _: &Job) -> Result<bool> {
        Ok(true)
    }

    fn check(&self, job: &Job) -> Result<()> {
        check_places(&job.common(), &[])
    }
    fn plan(&self, job: &Job, _: &Loaded, _: &Context<'_>) -> Result<Plan> {
        let requirements = models::bind(&job.privacy.models)?;
        let name = match job.recode.algorithm.as_str() {
            "auto" => "doubling".to_string(),
            text => text.parse::<Call>()?.name,
        };
        Ok(Plan { requirements, algorithm: algorithms::find(&name)? })
    }
    fn decide(&self, _: &Job, plan: &Plan, data: &Loaded, _: &Context<'_>) -> Result<i64> {
        plan.algorithm.step(&data.numbers, plan.requirements.k())
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision: step, .. }: Partition<'_, Numbers, Self>,
        _: &Context<'_>,
    ) -> Result<(Draft, Vec<u32>)> {
        let mut order: Vec<u32> = (0..data.numbers.len() as u32).collect();
        shuffle(&mut order, &mut generator(job.run.seed)?);
        let mut draft = Draft::file(&resolve(&job.base, &job.output.path))?;
        draft.write(|mut file| {
            for record in &order {
                let published = rounded(data.numbers[*record as usize], *step);
                writeln!(file, "{published}")
                    .map_err(|error| Error::io(file.path(), "write", &error))?;
            }
            Ok(file)
        })?;
        Ok((draft, order))
    }

    fn read_back(
        &self,
        written: &Written<'_, Numbers, Self>,
        draft: &mut Draft,
        _: &Context<'_>,
    ) -> Result<Read> {
        let (numbers, step) = (&written.data.numbers, *written.decision());
        let read =
            reread(&draft.path()?.display().to_string(), Some(step)).map_err(cant_read_back)?;
        if read.numbers.len() != numbers.len() {
            return Err(failed_verification("there aren't as many rows as records"));
        }
        let is_true =
            |(row, record): (&i64, &u32)| *row == rounded(numbers[*record as usize], step);
        match read.numbers.iter().zip(written.witness).position(|row| !is_true(row)) {
            None => Ok(read),
            Some(row) => Err(failed_verification(&format!(
                "row {} isn't its record's number, rounded",
                row + 1
            ))),
        }
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(&self, _: &'a Written<'_, Numbers, Self>, read: &'a Read) -> Box<dyn Facts + 'a> {
        Box::new(read)
    }
    fn checked_how(&self) -> &'static str {
        "checked in the written file"
    }
    fn describe(&self, written: &Written<'_, Numbers, Self>, read: &Read) -> Described {
        let file = ManifestFile {
            holds: "numbers".into(),
            rows: read.numbers.len() as u64,
            sha256: read.loaded.sha256.clone(),
            ..ManifestFile::default()
        };
        // The step shows in the numbers: it tells nothing that they don't.
        let details = [("step".to_string(), toml::Value::from(*written.decision()))];
        Described {
            rows: read.numbers.len() as u64,
            details: details.into_iter().collect(),
            files: vec![file],
        }
    }
    fn report(
        &self,
        written: &Written<'_, Numbers, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<shown::Report> {
        let originals: Vec<i64> =
            written.witness.iter().map(|record| written.data.numbers[*record as usize]).collect();
        let rows = read.numbers.len() as u64;
        Ok(shown::Report {
            input: shown::Input {
                format: "numbers".into(),
                rows,
                columns: 1,
                bytes: written.data.bytes,
                sha256: written.data.sha256.clone(),
                ..shown::Input::default()
            },
            algorithm: shown::Algorithm {
                name: written.plan.algorithm.info().name.into(),
                details: serde_json::json!({ "step": written.decision() }),
                ..shown::Algorithm::default()
            },
            metrics: metrics::ALL
                .iter()
                .map(|metric| (metric.info().name, metric.measure(&originals, &read.numbers)))
                .collect(),
            classes: Some(shown::Classes::from_sizes(
                sfumato_core::traits::ClassSizes::from_sizes(read.counts.values().copied()).iter(),
            )),
            evidence: shown::Evidence { rows, cells: rows, ..shown::Evidence::default() },
            output: Some(shown::Output {
                rows,
                bytes: read.loaded.bytes,
                sha256: read.loaded.sha256.clone(),
                ..shown::Output::default()
            }),
            ..shown::Report::default()
        })
    }

    fn lies(&self) -> Vec<Lie<Loaded, i64>> {
        let tell = |_: &Loaded, step: &mut i64| {
            *step = 1;
            true
        };
        vec![Lie { name: "numbers needn't be rounded", subject: Subject::Privacy, tell }]
    }

    fn explain(&self, job: &Job, context: &Context<'_>) -> Result<PlanFacts> {
        let mut clock = Stopwatch::start();
        let data = read_numbers(&resolve(&job.base, &job.input.path))?;
        let read_ms = clock.lap();
        let plan = self.plan(job, &data, context)?;
        let info = plan.algorithm.info();
        Ok(PlanFacts {
            read: ReadFacts {
                records: data.numbers.len() as u64,
                called: "numbers",
                bytes: data.bytes,
                ..ReadFacts::default()
            },
            requires: plan.requirements.describe(),
            algorithm: AlgorithmFacts {
                call: info.name.into(),
                summary: info.summary.into(),
                ..AlgorithmFacts::default()
            },
            suppresses: "no records".into(),
            passes: vec![ONE_PASS.into()],
            memory: Estimate::about(
                data.numbers.len() as f64 * 24.0,
                "three numbers of 8 bytes each",
            ),
            time: only_reading(read_ms),
            ..PlanFacts::default()
        })
    }

    fn open(&self, request: &AuditRequest<Job>, _: &Context<'_>) -> Result<Read> {
        let step = request.manifest.as_ref().and_then(|manifest| manifest.details.get("step"));
        let path = &request.job.input.path;
        let read = reread(path, step.and_then(|step| step.as_integer()))?;
        // The step is that of another file, if this one was changed.
        let is_other = |manifest: &Manifest| {
            manifest.files.iter().any(|file| file.sha256 != read.loaded.sha256)
        };
        match request.manifest.as_ref().is_some_and(is_other) {
            false => Ok(read),
            true => {
                let message = "this isn't the file that the manifest beside it describes";
                Err(Error::input(message).in_file(path))
            }
        }
    }
    fn bind<'a>(&self, models: &[String], _: &'a Read) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(models::bind(models)?))
    }
    fn state<'a>(&self, opened: &'a Read) -> Box<dyn Facts + 'a> {
        Box::new(opened)
    }
    fn audit_evidence(&self, _: &Read, _: &str) -> &'static str {
        "counted in the file"
    }
    fn figures(&self, opened: &Read) -> Result<Figures> {
        let rows = opened.numbers.len() as u64;
        let head = format!(
            "file       {} ({rows} numbers, {} different)\n",
            opened.path,
            opened.counts.len()
        );
        let json = [("different".to_string(), opened.counts.len().into())].into_iter().collect();
        Ok(Figures { rows, is_true: None, json, head, tail: String::new() })
    }

    fn attacks(&self) -> Vec<&'static Info> {
        offered(attacks::ALL, "rounded")
    }
    fn stage(&self, request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
        let read = self.open(&request.release, context)?;
        let numbers_of = |job: &Job| {
            let path = resolve(&job.base, &job.input.path);
            read_numbers(&path).map(|loaded| loaded.numbers)
        };
        let stage = Numbered {
            published: read.numbers,
            step: read.step,
            original: numbers_of(request.original()?)?,
            control: request.control.as_ref().map(numbers_of).transpose()?,
        };
        Ok(Box::new(Staged { stage, attacks: attacks::ALL }))
    }

    /// Answer queries such as `count where >= 10`. Each published number stands for the numbers
    /// from itself up to the next step.
    fn query(&self, request: &QueryRequest<Job>, context: &Context<'_>) -> Result<Answers> {
        let audited = AuditRequest {
            job: request.job.clone(),
            manifest: request.manifest.clone(),
            original: None,
            memory: None,
            spill: None,
        };
        let read = self.open(&audited, context)?;
        let step = read.step.ok_or_else(|| {
            Error::params("how far numbers were rounded isn't known")
                .hint("query a release that has its manifest beside it")
        })?;
        let answer = |query: &String| {
            let bound = query.strip_prefix("count where >= ").and_then(|text| text.parse().ok());
            let least: i64 = bound.ok_or_else(|| {
                Error::params(format!("can't read '{query}'")).hint("ask 'count where >= 10'")
            })?;
            let counted = |is_in: &dyn Fn(i64) -> bool| {
                let counts = read.counts.iter().filter(|(number, _)| is_in(**number));
                counts.map(|(_, count)| count).sum::<u64>()
            };
            let (lower, upper) =
                (counted(&|number| number >= least), counted(&|number| number + step > least));
            Ok(Answer {
                query: query.clone(),
                estimate: Some(((lower + upper) as f64 / 2.0).into()),
                lower: Some(lower.into()),
                upper: Some(upper.into()),
                truth: None,
                error: None,
                relative_error: None,
                imprecision: None,
            })
        };
        Ok(Answers {
            path: read.path.clone(),
            rows: read.numbers.len() as u64,
            answers: request.queries.iter().map(answer).collect::<Result<_>>()?,
            ..Answers::default()
        })
    }
}
