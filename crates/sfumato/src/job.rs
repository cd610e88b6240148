//! Jobs: what the data is, what must hold, how to get there. A job is a `release.toml`, or what
//! stands for one.

use std::path::Path;

use crate::{Column, Error, Hierarchy, Layout, Result, Role, Value};

/// What to do: what columns or items are, which models must hold, which algorithm runs.
///
/// A job is built, or read from a `release.toml`; [`Job::set`] says anything that has no method of
/// its own, for every kind of data. Nothing is checked before the job runs: then everything is, and
/// what doesn't belong is refused by name.
///
/// ```
/// use sfumato::{Column, Hierarchy, Job};
///
/// let job = Job::table()
///     .identifier("name")
///     .quasi(Column::new("age").hierarchy(Hierarchy::interval(5.0, 3)))
///     .quasi("zip")
///     .sensitive("ill")
///     .k(10)
///     .model("l-diversity-entropy(l=3)")
///     .max_suppression("2%")
///     .set("recode", "effort", "high");
/// assert_eq!(Job::from_toml(&job.to_toml()).unwrap().to_toml(), job.to_toml());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Job {
    pub(crate) inner: sfumato_engine::Job,
}

impl Job {
    /// A job about a table: name the role of every column.
    pub fn table() -> Self {
        Job { inner: sfumato_engine::Job::default() }
    }

    /// A job about baskets, sets of items such as purchases or diagnoses.
    pub fn baskets(layout: Layout) -> Self {
        Job::table().set("baskets", "layout", layout.text())
    }

    /// Read the text of a `release.toml`. Relative paths in it start from the current folder; see
    /// [`Job::base`].
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::parse(text, "release.toml", Path::new(""))
    }

    /// Read a `release.toml`. Relative paths in it start from its folder.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = sfumato_io::read_text(&name).map_err(Error::of)?;
        Self::parse(&text, &name, path.parent().unwrap_or(Path::new("")))
    }

    fn parse(text: &str, file: &str, base: &Path) -> Result<Self> {
        let inner = sfumato_engine::Job::parse(text, file, base).map_err(Error::of)?;
        Ok(Job { inner })
    }

    /// The `release.toml` that stands for this job.
    pub fn to_toml(&self) -> String {
        self.inner.to_toml()
    }

    /// What the job is about and what it publishes: `table` and `generalized`, or `sets` and
    /// `buckets`. A job that no form of release takes is an error, as it is when it runs.
    pub fn kind_and_form(&self) -> Result<(&'static str, &'static str)> {
        let mut job = self.inner.clone();
        // Where data comes from and goes to says nothing of its kind, and may not be said yet.
        for section in ["input", "output"] {
            if job.get(section, "path").is_none() {
                job.set(section, "path", "-");
            }
        }
        let entry = sfumato_kinds::RELEASES.of_job(&job).map_err(Error::of)?;
        Ok((entry.kind(), entry.form()))
    }

    /// Say where relative paths start from.
    pub fn base(mut self, folder: impl AsRef<Path>) -> Self {
        self.inner.set_base(folder.as_ref());
        self
    }

    /// Say a key of a section. So every kind of data has all its keys, and every key of a
    /// `release.toml` can be said.
    pub fn set(mut self, section: &str, key: &str, value: impl Into<Value>) -> Self {
        self.inner.set(section, key, value.into().into_toml());
        self
    }

    /// The role of a column of a table.
    pub fn column(self, column: impl Into<Column>, role: Role) -> Self {
        let column = column.into();
        let name = column.name.clone();
        self.set("columns", &name, column.into_value(role))
    }

    /// A column that an attacker may know: generalized.
    pub fn quasi(self, column: impl Into<Column>) -> Self {
        self.column(column, Role::Quasi)
    }

    /// A column that an attacker wants to learn: published as it is, guarded by the models.
    pub fn sensitive(self, column: impl Into<Column>) -> Self {
        self.column(column, Role::Sensitive)
    }

    /// A column that names a person: dropped.
    pub fn identifier(self, column: impl Into<Column>) -> Self {
        self.column(column, Role::Identifier)
    }

    /// The column that says which rows belong to one person: dropped, and people are counted.
    pub fn subject(self, column: impl Into<Column>) -> Self {
        self.column(column, Role::Subject)
    }

    /// A column that is published as it is.
    pub fn keep(self, column: impl Into<Column>) -> Self {
        self.column(column, Role::Keep)
    }

    /// How a column that was named before is generalized.
    pub fn hierarchy(self, column: &str, hierarchy: Hierarchy) -> Self {
        let known = self.inner.get("columns", column).and_then(|known| known.as_table());
        let mut keys = known.cloned().unwrap_or_default();
        keys.insert("hierarchy".into(), hierarchy.into_value().into_toml());
        let mut job = self;
        job.inner.set("columns", column, keys);
        job
    }

    /// Items of baskets that an attacker wants to learn: published as they are.
    pub fn sensitive_items<T: Into<Value>>(self, items: impl IntoIterator<Item = T>) -> Self {
        self.set("baskets", "sensitive", items.into_iter().collect::<Vec<T>>())
    }

    /// Every record is one of at least `k` that are published alike.
    pub fn k(self, k: u64) -> Self {
        self.model(format!("k-anonymity(k={k})"))
    }

    /// A privacy model that must hold beside the others, such as `l-diversity-distinct(l=3)`.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        let mut models = self.inner.list("privacy", "models");
        models.push(model.into());
        self.inner.set("privacy", "models", models);
        self
    }

    /// How many records may be left out: `2%` or `150`. None without it.
    pub fn max_suppression(self, limit: &str) -> Self {
        self.set("privacy", "max_suppression", limit)
    }

    /// What the recipient will do, such as `classification(target=salary)`.
    pub fn task(mut self, task: impl Into<String>) -> Self {
        let mut tasks = self.inner.list("workload", "tasks");
        tasks.push(task.into());
        self.inner.set("workload", "tasks", tasks);
        self
    }

    /// The algorithm with its parameters; without it one is chosen.
    pub fn algorithm(self, algorithm: &str) -> Self {
        self.set("recode", "algorithm", algorithm)
    }

    /// The metric to keep low.
    pub fn metric(self, metric: &str) -> Self {
        self.set("recode", "metric", metric)
    }

    /// How much memory a run may take, such as `512MiB`. What doesn't fit waits on disk.
    pub fn memory(self, size: &str) -> Self {
        self.set("run", "memory", size)
    }

    /// Go on where a killed run of the same job stopped, if it has [`memory`](Job::memory) and left
    /// anything; otherwise the run begins anew, and its report says so.
    pub fn resume(mut self) -> Self {
        self.inner.resume(true);
        self
    }

    /// How many threads a run may take; without it all that the process has.
    pub fn threads(self, threads: u32) -> Self {
        self.set("run", "threads", threads)
    }

    /// Makes a run repeatable to the byte. Not for release: whoever has the seed can replay the
    /// shuffle.
    pub fn seed(self, seed: u64) -> Self {
        // A job has no larger whole numbers: what is too large stays a text and is refused.
        let seed = i64::try_from(seed).map_or_else(|_| seed.to_string().into(), Value::Integer);
        self.set("run", "seed", seed)
    }

    /// The file to read, for [`run`](crate::run) and [`explain`](crate::explain).
    pub fn input(self, path: impl AsRef<Path>) -> Self {
        self.set("input", "path", path.as_ref().display().to_string())
    }

    /// Where the release goes, for [`run`](crate::run): a file, a folder for forms of several
    /// files, or `-` for standard output.
    pub fn output(self, path: impl AsRef<Path>) -> Self {
        self.set("output", "path", path.as_ref().display().to_string())
    }

    /// Where the private report goes, as `.html` or `.json`. It is for the steward's eyes only.
    pub fn report(self, path: impl AsRef<Path>) -> Self {
        self.set("output", "report", path.as_ref().display().to_string())
    }

    /// Where the public report goes, to hand out with the release, as `.html` or `.json`.
    pub fn public_report(self, path: impl AsRef<Path>) -> Self {
        self.set("output", "public_report", path.as_ref().display().to_string())
    }

    /// Where to save the recoding, to publish new rows in the same way; see
    /// [`apply`](crate::apply). It carries real values of the data.
    pub fn save_recoding(self, path: impl AsRef<Path>) -> Self {
        self.set("output", "recoding", path.as_ref().display().to_string())
    }
}
