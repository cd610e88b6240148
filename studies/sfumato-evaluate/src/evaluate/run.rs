//! A whole evaluation: reads, holds out, runs all parts at once, and puts their figures together.

use rayon::prelude::*;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::registry::{Call, Params};
use sfumato_core::workload::TargetKind;
use sfumato_core::{Error, Result};
use sfumato_learn::compare::{Split, folds, splits, stratified_folds};
use sfumato_report::evaluate::{Evaluation, Timings};

use super::experiment::{Arm, Experiment};
use super::join::join_rows;
use super::part::{PartFound, Shared};
use super::settings::{CLASS_LEARNERS, NUMBER_LEARNERS, Protocol, Settings};
use super::summary::summarize;
use super::tasks::{Goal, goals, with_tasks};
use super::trial::LearnerCall;
use super::truth::Truth;
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_table::data::check_dependencies::check_dependencies;
use sfumato_table::data::encode::encode;
use sfumato_table::data::read::{Dataset, read};
use sfumato_table::forms::buckets::find_generalizing;
use sfumato_table::forms::generalized::make_plan::{bind_models, bind_table};
use sfumato_table::job::Job;

/// Read the job's input and evaluate. The job's output is ignored, and nothing is written.
pub fn evaluate(job: &Job, settings: &Settings, observer: &dyn Observer) -> Result<Evaluation> {
    check_names(job, settings)?;
    let mut clock = Stopwatch::start();
    let mut dataset = read(job, observer)?;
    let n_train = dataset.raw.n_rows;
    if let Protocol::Separate(path) = &settings.protocol {
        let mut other = job.clone();
        other.input.path = path.clone();
        // The path is the user's, not one of the job's file.
        other.base = std::path::PathBuf::new();
        dataset = join_rows(dataset, read(&other, observer)?)?;
    }
    let read_seconds = clock.lap() / 1e3;
    let held_out = (n_train < dataset.raw.n_rows).then(|| Split {
        train: (0..n_train as u32).collect(),
        test: (n_train as u32..dataset.raw.n_rows as u32).collect(),
    });
    let mut found = evaluate_dataset(job, &dataset, held_out, settings, observer)?;
    found.timings.read_seconds = read_seconds;
    Ok(found)
}

/// Evaluate a dataset in memory. `held_out` stands in place of the protocol of the settings.
pub fn evaluate_dataset(
    job: &Job,
    dataset: &Dataset,
    held_out: Option<Split>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Evaluation> {
    let mut clock = Stopwatch::start();
    let rows: Vec<u32> = match &held_out {
        Some(split) => split.train.clone(),
        None => (0..dataset.raw.n_rows as u32).collect(),
    };
    // All rows are encoded together once, to find what the columns are called and what gives a
    // quasi column away.
    let whole = Experiment { job, dataset }.train(&rows)?.table;
    check_dependencies(job, &whole)?;
    bind_models(&job.privacy.models, &bind_table(&whole))?;
    let (job, notes) = with_tasks(job, &whole);
    let whole = match notes.is_empty() {
        true => whole,
        // With tasks, columns that pass through have their numbers.
        false => encode(&job, super::take::take_rows(dataset, &rows))?.table,
    };
    let workload = sfumato_table::workloads::bind(&job.workload.tasks, &whole)?;
    let goals = goals(&job, dataset, &whole, &workload)?;
    let learners = goals.iter().map(|goal| learners(settings, goal)).collect::<Result<Vec<_>>>()?;
    let arms = arms(settings, &goals, &whole);
    let parts = match held_out {
        Some(split) => vec![split],
        None => parts(&settings.protocol, dataset.raw.n_rows, &goals, settings.seed)?,
    };
    let trials: usize = learners.iter().map(Vec::len).sum();
    let steps = parts.len() * ((2 + arms.len()) * trials + arms.len());
    observer.begin("evaluate", steps as u64, Unit::Steps);
    let shared = Shared {
        experiment: Experiment { job: &job, dataset },
        settings,
        goals: &goals,
        learners: &learners,
        arms: &arms,
        observer,
    };
    let found: Result<Vec<PartFound>> = parts
        .par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(place, split)| shared.part(place, split))
        .collect();
    observer.end();
    let mut evaluation = summarize(&shared, &parts, &found?, &whole);
    evaluation.notes = notes;
    evaluation.timings = Timings { evaluate_seconds: clock.lap() / 1e3, ..evaluation.timings };
    Ok(evaluation)
}

/// Check names before a large file is read.
fn check_names(job: &Job, settings: &Settings) -> Result<()> {
    sfumato_table::metrics::find(&job.recode.metric)?;
    sfumato_table::workloads::check(&job.workload.tasks)?;
    if job.privacy.models.is_empty() {
        bind_models(&[], &bind_table(&Table { n_rows: 0, columns: Vec::new(), subject: None }))?;
    }
    for (place, text) in settings.algorithms.iter().enumerate() {
        if settings.algorithms[..place].contains(text) {
            return Err(Error::params(format!("the algorithm {text} is given twice")));
        }
        if !Arm::new(text).is_auto() {
            let call: Call = text.parse()?;
            Params::check(find_generalizing(&call.name)?.info(), &call.args)?;
        }
    }
    for (place, text) in settings.learners.iter().enumerate() {
        if settings.learners[..place].contains(text) {
            return Err(Error::params(format!("the learner {text} is given twice")));
        }
        LearnerCall::new(text, None)?;
    }
    match settings.protocol {
        Protocol::Folds(n) if n < 2 => {
            Err(Error::params(format!("there must be at least 2 folds, not {n}")))
        }
        Protocol::Share(share) if !(share > 0.0 && share < 1.0) => Err(Error::params(format!(
            "the share of test rows must be above 0 and below 1, not {share}"
        ))),
        _ => Ok(()),
    }
}

fn learners(settings: &Settings, goal: &Goal) -> Result<Vec<LearnerCall>> {
    let named = settings.learners.iter().map(|text| LearnerCall::new(text, settings.encoding));
    let mut named = named.collect::<Result<Vec<LearnerCall>>>()?;
    named.retain(|call| call.learns(&goal.truth));
    if !named.is_empty() {
        return Ok(named);
    }
    let usual: &[&str] = match goal.kind {
        TargetKind::Classes => &CLASS_LEARNERS,
        TargetKind::Numbers => &NUMBER_LEARNERS,
    };
    usual.iter().map(|name| LearnerCall::new(name, settings.encoding)).collect()
}

/// What `auto` chooses with the workload and without it, and a global recoding to compare with: the
/// one that looks at classes where there is a target of classes.
fn arms(settings: &Settings, goals: &[Goal], table: &Table) -> Vec<Arm> {
    if !settings.algorithms.is_empty() {
        return settings.algorithms.iter().map(|text| Arm::new(text)).collect();
    }
    let has_classes = goals.iter().any(|goal| goal.kind == TargetKind::Classes);
    let has_target = table.of_role(Role::Target).next().is_some();
    // A search of the whole lattice takes as long as everything else together; Datafly walks
    // through it once.
    let global = if has_classes && has_target { "top-down-specialization" } else { "datafly" };
    vec![Arm::new("auto"), Arm::blind(), Arm::new(global)]
}

/// The parts. Folds have nearly equally many rows of each class of the first target of classes;
/// rows without one are a class of their own here.
fn parts(protocol: &Protocol, n_rows: usize, goals: &[Goal], seed: u64) -> Result<Vec<Split>> {
    match protocol {
        Protocol::Folds(n) => {
            let classes = goals.iter().find_map(|goal| match &goal.truth {
                Truth::Classes { of_row, n_classes } => Some((of_row, *n_classes as u32)),
                Truth::Numbers(_) => None,
            });
            let held_out = match classes {
                Some((of_row, n_classes)) => {
                    let labels: Vec<u32> =
                        of_row.iter().map(|class| class.unwrap_or(n_classes)).collect();
                    stratified_folds(&labels, *n, seed)?
                }
                None => folds(n_rows, *n, seed)?,
            };
            Ok(held_out.iter().map(|test| Split::by_test(n_rows, test)).collect())
        }
        Protocol::Share(share) => splits(n_rows, (n_rows as f64 * share).round() as usize, 1, seed),
        Protocol::Separate(_) => Err(Error::input("the file of test rows has no rows")),
    }
}
