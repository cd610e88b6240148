//! Whether the clusters of the data survive anonymizing.

use sfumato_evaluate::cluster::{Settings, cluster};
use sfumato_kinds::RELEASES;
use sfumato_report::cluster as shown;

use crate::run::in_threads;
use crate::watch::Watch;
use crate::{Cancel, Data, Job, Progress, Result};

/// A comparison of clusters: the records of a table are clustered on their quasi columns,
/// anonymized, and clustered again, by several algorithms. Nothing is published.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use sfumato::{Clusters, Job};
///
/// # fn main() -> sfumato::Result<()> {
/// let age = |i: i64| if i % 2 == 0 { 20 + i % 7 } else { 60 + i % 9 };
/// let ages: ArrayRef = Arc::new(Int64Array::from_iter_values((0..80).map(age)));
/// let people = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let job = Job::table().quasi("age").k(5);
/// let found = Clusters::new(&job).numbers([2]).algorithms(["mondrian"]).data(people)?;
/// assert!(found.is_feasible());
/// let records: u64 = found.both(0, 0).iter().map(|(_, _, records)| records).sum();
/// assert_eq!(records, 80);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct Clusters<'a> {
    job: &'a Job,
    settings: Settings,
    watch: Watch<'a>,
}

impl<'a> Clusters<'a> {
    /// Compare for the models of a job about a table.
    pub fn new(job: &'a Job) -> Self {
        Clusters { job, settings: Settings::default(), watch: Watch::default() }
    }

    /// The numbers of clusters; 5 if none is said.
    pub fn numbers(mut self, numbers: impl IntoIterator<Item = u64>) -> Self {
        self.settings.clusters = numbers.into_iter().collect();
        self
    }

    /// The algorithms; those that look at clusters, and what the engine would choose, if none is
    /// named.
    pub fn algorithms<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.settings.algorithms = names.into_iter().map(Into::into).collect();
        self
    }

    /// Be told how far the comparison is, from any of its threads.
    pub fn progress(mut self, listener: impl Fn(&Progress) + Send + Sync + 'a) -> Self {
        self.watch.progress = Some(Box::new(listener));
        self
    }

    /// Stop when the token says so.
    pub fn cancel(mut self, token: &Cancel) -> Self {
        self.watch.cancel = Some(token.clone());
        self
    }

    /// Compare on data in memory or in a file.
    pub fn data(self, data: impl Into<Data>) -> Result<FoundClusters> {
        let (job, data) = (&self.job.inner, data.into());
        let inner = in_threads(job, || {
            let lent = data.lend(job.base())?;
            let mut job = job.clone();
            job.set("input", "path", lent.name.as_str());
            job.remove("output");
            let job: sfumato_table::Job = RELEASES.expand(&job)?.without_output()?;
            let seed = job.run.seed.unwrap_or(0);
            cluster(&job, &Settings { seed, ..self.settings }, &self.watch)
        })?;
        Ok(FoundClusters { inner })
    }
}

/// What a comparison of clusters found.
#[derive(Debug, Clone)]
pub struct FoundClusters {
    inner: shown::ClusterStudy,
}

impl FoundClusters {
    /// Whether an algorithm meets the requirements.
    pub fn is_feasible(&self) -> bool {
        self.inner.is_feasible()
    }

    /// Everything as one JSON object.
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// How many records are in which cluster of the original and which of the release, by the place
    /// of the number of clusters and of the algorithm in the JSON. None where that algorithm can't
    /// meet the requirements.
    pub fn both(&self, number: usize, arm: usize) -> &[(u32, u32, u64)] {
        let arm = self.inner.numbers.get(number).and_then(|number| number.arms.get(arm));
        arm.and_then(|arm| arm.figures.as_ref()).map_or(&[], |figures| &figures.both)
    }
}
