//! What k costs, by several algorithms.

use std::fmt;

use sfumato_evaluate::explore::{Grid, explore_any};
use sfumato_kinds::RELEASES;
use sfumato_report::explore as shown;

use crate::run::in_threads;
use crate::watch::Watch;
use crate::{Cancel, Data, Job, Progress, Result};

/// The trade-off: the same data anonymized for several k by several algorithms. Every figure is of
/// a recoding that was verified; nothing is published.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use sfumato::{Explore, Job};
///
/// # fn main() -> sfumato::Result<()> {
/// let ages: ArrayRef = Arc::new(Int64Array::from_iter_values((0..60).map(|i| 20 + i % 40)));
/// let people = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let explored = Explore::new(&Job::table().quasi("age")).ks([2, 5, 10]).data(people)?;
/// assert!(explored.is_feasible());
/// assert!(explored.to_svg().starts_with("<svg"));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct Explore<'a> {
    job: &'a Job,
    grid: Grid,
    watch: Watch<'a>,
}

impl<'a> Explore<'a> {
    /// Explore for the models of a job, whose k is replaced.
    pub fn new(job: &'a Job) -> Self {
        let grid = Grid { ks: vec![2, 5, 10, 25, 50, 100], ..Grid::default() };
        Explore { job, grid, watch: Watch::default() }
    }

    /// The values of k: 2, 5, 10, 25, 50 and 100 if they aren't said. Those above the number of
    /// records are left out.
    pub fn ks(mut self, ks: impl IntoIterator<Item = u64>) -> Self {
        self.grid.ks = ks.into_iter().collect();
        self
    }

    /// The algorithms; what the engine would choose, and mondrian, if none is named.
    pub fn algorithms<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.grid.algorithms = names.into_iter().map(Into::into).collect();
        self
    }

    /// Look at the lattice of full-domain recodings of a table too, if it is small.
    pub fn lattice(mut self) -> Self {
        self.grid.with_lattice = true;
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

    /// Explore data in memory or in a file.
    pub fn data(self, data: impl Into<Data>) -> Result<Exploration> {
        let (job, data) = (&self.job.inner, data.into());
        let inner = in_threads(job, || {
            let lent = data.lend(job.base())?;
            let mut job = job.clone();
            job.set("input", "path", lent.name.as_str());
            job.remove("output");
            let job = RELEASES.expand(&job)?;
            explore_any(&RELEASES, &job, &self.grid, &self.watch)
        })?;
        Ok(Exploration { inner })
    }
}

/// What an exploration found. It shows as a table.
#[derive(Debug, Clone)]
pub struct Exploration {
    inner: shown::Exploration,
}

impl Exploration {
    /// Whether an algorithm meets the requirements at any k.
    pub fn is_feasible(&self) -> bool {
        self.inner.is_feasible()
    }

    /// Everything as one JSON object.
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The table as CSV.
    pub fn to_csv(&self) -> String {
        shown::csv(&self.inner)
    }

    /// The lattice as a picture, if it was asked for and small enough to be looked at.
    pub fn lattice_svg(&self) -> Option<String> {
        self.inner.lattice.as_ref().map(shown::draw_lattice)
    }

    /// Loss against k and against risk, as a picture.
    pub fn to_svg(&self) -> String {
        shown::draw_tradeoff(&self.inner)
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown::words(&self.inner))
    }
}
