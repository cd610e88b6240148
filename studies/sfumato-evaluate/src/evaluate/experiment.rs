//! One experiment on a dataset in memory: what is learnt from training rows only, and how that
//! applies to any other row.
//!
//! Nothing of a test row reaches a training: not its texts in a dictionary, not its kind of value,
//! not a hierarchy built from data.

use sfumato_core::dataset::Table;
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_core::registry::Params;
use sfumato_core::{Error, Result};

use super::assign::Assigner;
use super::cells::{Cells, published_cells};
use super::place::Places;
use super::take::take_rows;
use crate::explore::check::{Asked, PublishedClasses, check_published};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_table::data::encode::encode;
use sfumato_table::data::read::Dataset;
use sfumato_table::forms::generalized::anonymize::anonymize;
use sfumato_table::forms::generalized::make_plan::{Plan, make_plan, needs_classes};
use sfumato_table::job::Job;

/// A dataset with the job that says what its columns are and what must hold.
#[derive(Clone, Copy)]
pub struct Experiment<'a> {
    /// The job: roles, hierarchies, models, workload. Its input and output are ignored.
    pub job: &'a Job,
    /// All rows.
    pub dataset: &'a Dataset,
}

/// What was learnt of the training rows before anything was anonymized.
pub struct Training {
    /// The rows of the dataset that were learnt from, in the order of the table's.
    pub rows: Vec<u32>,
    /// They, encoded as if there were no others.
    pub table: Table,
}

/// How to anonymize: an algorithm, and whether it knows the workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// The algorithm as the user wrote it: `name(param=value)`, `auto`, or `auto(workload=false)`.
    pub text: String,
}

/// A recoding of a training part that was checked.
pub struct Anonymized {
    /// The decision about the training rows.
    pub recoding: Box<dyn Recoding>,
    /// What was planned.
    pub plan: Plan,
    /// For each class of the recoding the one that a recipient sees; those without records have
    /// none.
    pub class_seen: Vec<Option<u32>>,
    /// How many classes a recipient sees.
    pub n_classes_seen: usize,
    /// Seconds that the algorithm took.
    pub seconds: f64,
}

impl Experiment<'_> {
    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.dataset.raw.n_rows
    }

    /// Encode some rows as if there were no others.
    pub fn train(&self, rows: &[u32]) -> Result<Training> {
        if rows.is_empty() {
            return Err(Error::input("a training part has no rows"));
        }
        let table = encode(self.job, take_rows(self.dataset, rows))?.table;
        Ok(Training { rows: rows.to_vec(), table })
    }

    /// Anonymize a training part and check the result, as a release would be.
    pub fn anonymize(
        &self,
        training: &Training,
        arm: &Arm,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Anonymized> {
        let plan = make_plan(&arm.job(self.job, seed), &training.table)?;
        needs_classes(plan.algorithm)?;
        let mut clock = Stopwatch::start();
        let recoding = anonymize(plan.algorithm, &plan, &training.table, observer)?;
        let seconds = clock.lap() / 1e3;
        let asked = Asked { requirements: &plan.requirements, max_suppressed: plan.max_suppressed };
        let published: PublishedClasses =
            check_published(&training.table, &asked, recoding.as_ref()).map_err(|what| {
                let message =
                    format!("what {} found failed its check: {what}", plan.algorithm.info().name);
                match plan.algorithm.info().capabilities.keeps_promises {
                    true => Error::internal(message).hint(
                        "this is a bug in Sfumato; please report it with the command and the \
                            version",
                    ),
                    false => Error::infeasible(message),
                }
            })?;
        let n_classes_seen = published.classes.summaries.len();
        Ok(Anonymized { recoding, plan, class_seen: published.of_class, n_classes_seen, seconds })
    }

    /// The cells of a column of the training table in any rows of the dataset, as they are.
    pub fn exact_cells(&self, training: &Training, column: usize, rows: &[u32]) -> Result<Cells> {
        let (codes, places) = self.places(training, column)?;
        let of_row = rows.iter().map(|row| codes.get(*row as usize)).collect();
        Ok(Cells { extents: places.exact, of_row })
    }

    /// The cells of all quasi columns in any rows of the dataset, as a release by this recoding
    /// publishes them: the recoding as a function of the domain.
    pub fn assigned_cells(
        &self,
        training: &Training,
        anonymized: &Anonymized,
        rows: &[u32],
    ) -> Result<Vec<Cells>> {
        let assigner = Assigner::new(&training.table, anonymized.recoding.as_ref());
        let mut codes = Vec::new();
        let mut spans = Vec::new();
        for column in training.quasi_places() {
            let (raw, places) = self.places(training, column)?;
            codes.push(rows.iter().map(|row| raw.get(*row as usize)).collect());
            spans.push(places.spans);
        }
        Ok(assigner.assign(&spans, &codes))
    }

    fn places(
        &self,
        training: &Training,
        column: usize,
    ) -> Result<(&sfumato_core::column::Codes, Places)> {
        let column = &training.table.columns[column];
        let raw = self.dataset.raw.column(&column.name).ok_or_else(|| {
            Error::internal(format!("column '{}' isn't in the dataset", column.name))
        })?;
        let tokens = &self.job.input.missing;
        let is_missing = |text: &str| text.is_empty() || tokens.iter().any(|token| token == text);
        Ok((&raw.codes, Places::new(raw, column, is_missing)))
    }
}

impl Training {
    /// The places of the quasi columns among the table's columns.
    pub fn quasi_places(&self) -> Vec<usize> {
        use sfumato_core::dataset::Role;
        let columns = self.table.columns.iter().enumerate();
        columns.filter(|(_, column)| column.role == Role::Quasi).map(|(place, _)| place).collect()
    }
}

impl Anonymized {
    /// The training rows, by their places in the training table, that are published.
    pub fn kept(&self) -> Vec<u32> {
        let classes = self.recoding.class_of_row().iter().zip(0..);
        classes.filter(|(class, _)| **class != SUPPRESSED).map(|(_, row)| row).collect()
    }

    /// The cells of the quasi columns of the published training rows, in the order of
    /// [`Anonymized::kept`].
    pub fn published_cells(&self, training: &Training) -> Vec<Cells> {
        published_cells(&training.table, self.recoding.as_ref(), &self.kept())
    }

    /// What ran, in full.
    pub fn describe(&self) -> String {
        let info = self.plan.algorithm.info();
        match Params::check(info, &Default::default()).is_ok_and(|plain| plain == self.plan.params)
        {
            true => info.name.to_string(),
            false => self.plan.params.describe(),
        }
    }
}

/// `auto`, but as if nothing were known of what the recipient will do.
const BLIND: &str = "auto(workload=false)";

impl Arm {
    /// An algorithm as written.
    pub fn new(text: &str) -> Self {
        Arm { text: text.trim().to_string() }
    }

    /// `auto` without the workload.
    pub fn blind() -> Self {
        Arm::new(BLIND)
    }

    /// Whether `auto` chooses.
    pub fn is_auto(&self) -> bool {
        self.text == "auto" || self.is_blind()
    }

    fn is_blind(&self) -> bool {
        self.text.chars().filter(|c| !c.is_whitespace()).eq(BLIND.chars())
    }

    /// The job of this arm.
    pub fn job(&self, job: &Job, seed: u64) -> Job {
        let mut own = job.clone();
        own.recode.algorithm = if self.is_auto() { "auto".into() } else { self.text.clone() };
        if self.is_blind() {
            own.workload.tasks.clear();
        }
        own.run.seed = Some(seed);
        own
    }
}
