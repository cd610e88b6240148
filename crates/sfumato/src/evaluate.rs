//! What a recipient can do with a release.

use std::fmt;

use sfumato_core as core;
use sfumato_evaluate::evaluate::{Protocol, Settings, evaluate};
use sfumato_kinds::RELEASES;
use sfumato_report::evaluate as shown;

use crate::run::in_threads;
use crate::watch::Watch;
use crate::{Cancel, Data, Job, Progress, Result};

/// How well the recipient's tasks can be done with a release of a table, on rows that were held
/// out, by algorithm and learner. Nothing is published.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use sfumato::{Evaluate, Job, Role};
///
/// # fn main() -> sfumato::Result<()> {
/// let numbers = || 0..90;
/// let ages: ArrayRef = Arc::new(Int64Array::from_iter_values(numbers().map(|i| 20 + i % 45)));
/// let pays = numbers().map(|i| if i % 45 > 20 { "high" } else { "low" });
/// let pays: ArrayRef = Arc::new(StringArray::from_iter_values(pays));
/// let people = RecordBatch::try_from_iter([("age", ages), ("pay", pays)]).unwrap();
/// let job = Job::table().quasi("age").column("pay", Role::Target).k(3).seed(1);
/// let job = job.task("classification(target=pay)");
/// let found = Evaluate::new(&job)
///     .algorithms(["mondrian"])
///     .learners(["decision-tree"])
///     .folds(3)
///     .queries(10)
///     .data(people)?;
/// assert!(found.to_json().contains("decision-tree"));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct Evaluate<'a> {
    job: &'a Job,
    settings: Settings,
    watch: Watch<'a>,
}

impl<'a> Evaluate<'a> {
    /// Evaluate releases for the tasks of a job, with five folds, and learners that see at most
    /// 2,000 rows of each.
    pub fn new(job: &'a Job) -> Self {
        let settings =
            Settings { protocol: Protocol::Folds(5), learn_rows: 2000, ..Settings::default() };
        Evaluate { job, settings, watch: Watch::default() }
    }

    /// The algorithms; the engine's choice with the tasks and without, and a global recoding, if
    /// none is named.
    pub fn algorithms<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.settings.algorithms = names.into_iter().map(Into::into).collect();
        self
    }

    /// The learners; four for classes and two for numbers if none is named.
    pub fn learners<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.settings.learners = names.into_iter().map(Into::into).collect();
        self
    }

    /// How many folds of cross-validation, at least two.
    pub fn folds(mut self, folds: usize) -> Self {
        self.settings.protocol = Protocol::Folds(folds);
        self
    }

    /// How many rows of a part a learner sees at most; 0 for all.
    pub fn learn_rows(mut self, rows: usize) -> Self {
        self.settings.learn_rows = if rows == 0 { usize::MAX } else { rows };
        self
    }

    /// How many random COUNT queries are estimated.
    pub fn queries(mut self, count: usize) -> Self {
        self.settings.queries.count = count;
        self
    }

    /// Be told how far the study is, from any of its threads.
    pub fn progress(mut self, listener: impl Fn(&Progress) + Send + Sync + 'a) -> Self {
        self.watch.progress = Some(Box::new(listener));
        self
    }

    /// Stop when the token says so.
    pub fn cancel(mut self, token: &Cancel) -> Self {
        self.watch.cancel = Some(token.clone());
        self
    }

    /// Evaluate on data in memory or in a file.
    pub fn data(self, data: impl Into<Data>) -> Result<Evaluation> {
        let (job, data) = (&self.job.inner, data.into());
        let inner = in_threads(job, || {
            if let Protocol::Folds(0 | 1) = self.settings.protocol {
                return Err(core::Error::params("cross-validation needs at least two folds"));
            }
            let lent = data.lend(job.base())?;
            let mut job = job.clone();
            job.set("input", "path", lent.name.as_str());
            job.remove("output");
            if RELEASES.kind_of_job(&job)? != Some("table") {
                return Err(core::Error::unsupported("only tables can be evaluated")
                    .hint("explore takes every kind of data"));
            }
            let job: sfumato_table::Job = RELEASES.expand(&job)?.without_output()?;
            let settings = Settings { seed: job.run.seed.unwrap_or(0), ..self.settings };
            evaluate(&job, &settings, &self.watch)
        })?;
        Ok(Evaluation { inner })
    }
}

/// What an evaluation found. It shows as tables.
#[derive(Debug, Clone)]
pub struct Evaluation {
    inner: shown::Evaluation,
}

impl Evaluation {
    /// Whether an algorithm meets the requirements in every training part.
    pub fn is_feasible(&self) -> bool {
        self.inner.is_feasible()
    }

    /// Everything as one JSON object.
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The scores as CSV.
    pub fn to_csv(&self) -> String {
        shown::scores_csv(&self.inner)
    }

    /// The scores as a picture.
    pub fn to_svg(&self) -> String {
        shown::draw_scores(&self.inner)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown::words(&self.inner))
    }
}
