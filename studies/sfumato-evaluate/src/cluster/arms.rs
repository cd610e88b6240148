//! The algorithms that are tried, with the labels and blind to them, and the decision of each.

use sfumato_core::dataset::Table;
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::Params;
use sfumato_core::traits::{Algorithm, View};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_learn::Matrix;

use super::features::matrix_of_release;
use super::labelled::{Labelled, Labels, with_labels};
use super::settings::Settings;
use crate::explore::check::{Asked, check};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_table::forms::generalized::anonymize::anonymize;
use sfumato_table::forms::generalized::make_plan::{Plan, make_plan, needs_classes};
use sfumato_table::job::Job;

/// An algorithm to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    /// The algorithm, as the user wrote it.
    pub text: String,
    /// Whether it is tried with labels too.
    pub with_labels: bool,
}

/// What to try: what was named, or the two that look at labels and what `auto` takes without any.
pub fn tries(job: &Job, settings: &Settings, table: &Table) -> Result<Vec<Try>> {
    let both = |text: &str| Try { text: text.into(), with_labels: true };
    if !settings.algorithms.is_empty() {
        return Ok(settings.algorithms.iter().map(|text| both(text)).collect());
    }
    let mut tries = vec![both("mondrian"), both("top-down-refinement")];
    match make_plan(&job_of(job, "auto", settings.seed), table) {
        Ok(plan) => {
            let text = written(&plan);
            if tries.iter().all(|known| known.text != text) {
                tries.push(Try { text, with_labels: false });
            }
        }
        Err(error) if error.kind == ErrorKind::Unsupported => {}
        Err(error) => return Err(error),
    }
    Ok(tries)
}

/// What `auto` takes with these labels, or without any; another algorithm is itself.
pub fn resolve(
    job: &Job,
    text: &str,
    seed: u64,
    table: &Table,
    labels: Option<&[u32]>,
) -> Result<String> {
    if text != "auto" {
        return Ok(text.to_string());
    }
    let job = job_of(job, "auto", seed);
    let plan = match labels {
        None => make_plan(&job, table)?,
        Some(labels) => {
            let (labelled, _) = with_labels(table, labels)?;
            let mut own = job;
            let name = &labelled.columns[labelled.columns.len() - 1].name;
            own.workload.tasks = vec![format!("classification(target={name})")];
            make_plan(&own, &labelled)?
        }
    };
    Ok(written(&plan))
}

/// A plan's algorithm as a user would write it.
fn written(plan: &Plan) -> String {
    let info = plan.algorithm.info();
    match Params::check(info, &Default::default()).is_ok_and(|plain| plain == plan.params) {
        true => info.name.to_string(),
        false => plan.params.describe(),
    }
}

fn job_of(job: &Job, algorithm: &str, seed: u64) -> Job {
    let mut own = job.clone();
    own.recode.algorithm = algorithm.into();
    own.run.seed = Some(seed);
    own
}

/// A recoding that was checked, ready to be clustered.
pub struct Masked {
    /// The decision.
    pub recoding: Box<dyn Recoding>,
    /// The published records as numbers.
    pub matrix: Matrix,
    /// The published records.
    pub kept: Vec<u32>,
    /// Classes that a recipient sees.
    pub classes: u64,
    /// The normalized certainty penalty.
    pub ncp: Option<f64>,
    /// Seconds that the algorithm took.
    pub seconds: f64,
}

/// Anonymize by an algorithm, with labels or without, and check the result as a release would be.
pub fn mask(
    job: &Job,
    algorithm: &str,
    seed: u64,
    table: &Table,
    labels: Option<&[u32]>,
    observer: &dyn Observer,
) -> Result<Masked> {
    let plan = make_plan(&job_of(job, algorithm, seed), table)?;
    needs_classes(plan.algorithm)?;
    let mut clock = Stopwatch::start();
    let told =
        labels.map(|labels| Labelled { inner: plan.algorithm, labels: Labels::Known(labels) });
    let runs: &dyn Algorithm = match &told {
        Some(told) => told,
        None => plan.algorithm,
    };
    let recoding = anonymize(runs, &plan, table, observer)?;
    let seconds = clock.lap() / 1e3;
    let asked = Asked { requirements: &plan.requirements, max_suppressed: plan.max_suppressed };
    let people = check(table, &asked, recoding.as_ref()).map_err(|what| {
        let message = format!("what {algorithm} found failed its check: {what}");
        match plan.algorithm.info().capabilities.keeps_promises {
            true => Error::internal(message).hint(
                "this is a bug in Sfumato; please report it with the command and the version",
            ),
            false => Error::infeasible(message),
        }
    })?;
    let classes = recoding.class_of_row().iter().zip(0..);
    let kept: Vec<u32> =
        classes.filter(|(class, _)| **class != SUPPRESSED).map(|(_, row)| row).collect();
    if kept.is_empty() {
        return Err(Error::infeasible("every record is suppressed"));
    }
    let ncp =
        sfumato_table::metrics::find("ncp")?.measure(&View::new(table, recoding.as_ref(), plan.k));
    Ok(Masked {
        matrix: matrix_of_release(table, recoding.as_ref(), &kept)?,
        kept,
        classes: people.len() as u64,
        ncp: ncp.map(|measured| measured.overall),
        seconds,
        recoding,
    })
}
