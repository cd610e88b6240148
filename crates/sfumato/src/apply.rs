//! Publishing new records as an earlier release was published.

use std::path::Path;

use sfumato_engine::apply::{self as engine, ApplyRequest};
use sfumato_io::Inbox;
use sfumato_kinds::RELEASES;
use sfumato_table::recoding_file::{self, Dialect, SavedFile};

use crate::run::{in_threads, received};
use crate::watch::Watch;
use crate::{Cancel, Data, Error, Progress, Release, Report, Result};

/// A recoding that was saved beside a release; see
/// [`Job::save_recoding`](crate::Job::save_recoding). Keep it private: its bounds and
/// labels are real values of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoding {
    text: String,
    file: String,
}

impl Recoding {
    /// Read a recoding.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let file = path.as_ref().display().to_string();
        let text = sfumato_io::read_text(&file).map_err(Error::of)?;
        Ok(Recoding { text, file })
    }

    /// A recoding that was kept elsewhere than in a file.
    pub fn from_json(text: impl Into<String>) -> Self {
        Recoding { text: text.into(), file: "recoding".into() }
    }

    /// The recoding as it lies in a file.
    pub fn to_json(&self) -> &str {
        &self.text
    }

    /// The recoding as one SQL statement, for rows that stay in a database. `table` is what it
    /// reads: `people` or `schema.people`. Only a recoding of each column by itself can be written
    /// so. The statement leaves groups out that are too small, and says in comments which models it
    /// doesn't check; it carries real values, as the recoding does.
    ///
    /// ```
    /// use sfumato::{Hierarchy, Job, Recoding, SqlDialect};
    ///
    /// # fn main() -> sfumato::Result<()> {
    /// # let folder = std::env::temp_dir().join(format!("sfumato-sql-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// std::fs::write(folder.join("people.csv"), "age\n31\n33\n52\n58\n").unwrap();
    /// let recoding = folder.join("recoding.json");
    /// let job = Job::table()
    ///     .quasi("age")
    ///     .hierarchy("age", Hierarchy::interval(10.0, 1))
    ///     .k(2)
    ///     .algorithm("datafly")
    ///     .save_recoding(&recoding);
    /// sfumato::anonymize(folder.join("people.csv"), &job)?;
    /// let sql = Recoding::load(&recoding)?.to_sql("clinic.people", SqlDialect::DuckDb)?;
    /// assert!(sql.contains("FROM \"clinic\".\"people\""));
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_sql(&self, table: &str, dialect: SqlDialect) -> Result<String> {
        let saved = SavedFile::parse(&self.text).map_err(|error| error.in_file(&self.file));
        let written = saved.and_then(|file| recoding_file::to_sql(&file, table, dialect.inner()));
        written.map_err(Error::of)
    }
}

/// A dialect of SQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SqlDialect {
    /// Standard SQL with window functions.
    #[default]
    Ansi,
    /// DuckDB.
    DuckDb,
    /// PostgreSQL.
    PostgreSql,
    /// Spark SQL, and Databricks.
    Spark,
    /// BigQuery.
    BigQuery,
}

impl SqlDialect {
    fn inner(self) -> Dialect {
        match self {
            SqlDialect::Ansi => Dialect::Ansi,
            SqlDialect::DuckDb => Dialect::DuckDb,
            SqlDialect::PostgreSql => Dialect::PostgreSql,
            SqlDialect::Spark => Dialect::Spark,
            SqlDialect::BigQuery => Dialect::BigQuery,
        }
    }
}

impl std::str::FromStr for SqlDialect {
    type Err = Error;
    /// By its name: `ansi`, `duckdb`, `postgresql`, `spark`, `bigquery`.
    fn from_str(name: &str) -> Result<Self> {
        Ok(match name.parse::<Dialect>().map_err(Error::of)? {
            Dialect::Ansi => SqlDialect::Ansi,
            Dialect::DuckDb => SqlDialect::DuckDb,
            Dialect::PostgreSql => SqlDialect::PostgreSql,
            Dialect::Spark => SqlDialect::Spark,
            Dialect::BigQuery => SqlDialect::BigQuery,
        })
    }
}

/// What happens to records that a recoding has no place for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unseen {
    /// The run stops and says how many there are.
    #[default]
    Refuse,
    /// They go to the region that grows least by taking them in.
    Extend,
    /// They are suppressed, within the limit.
    Suppress,
}

/// A recoding that is about to be applied.
///
/// ```
/// use sfumato::{Apply, Job, Recoding, Unseen};
///
/// # fn main() -> sfumato::Result<()> {
/// # let folder = std::env::temp_dir().join(format!("sfumato-apply-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// std::fs::write(folder.join("people.csv"), "age\n31\n33\n52\n58\n").unwrap();
/// let recoding = folder.join("recoding.json");
/// let job = Job::table().quasi("age").k(2).save_recoding(&recoding);
/// sfumato::anonymize(folder.join("people.csv"), &job)?;
///
/// std::fs::write(folder.join("more.csv"), "age\n32\n33\n54\n57\n99\n").unwrap();
/// let release = Apply::new(&Recoding::load(&recoding)?)
///     .unseen(Unseen::Suppress)
///     .max_suppression("1")
///     .anonymize(folder.join("more.csv"))?;
/// assert_eq!(release.manifest().records(), 4);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct Apply<'a> {
    request: ApplyRequest,
    watch: Watch<'a>,
}

impl<'a> Apply<'a> {
    /// Apply a recoding. Roles and models are those of the release that it was saved beside.
    pub fn new(recoding: &Recoding) -> Self {
        let Recoding { text, file } = recoding.clone();
        let request = ApplyRequest { recoding: text, file, ..ApplyRequest::default() };
        Apply { request, watch: Watch::default() }
    }

    /// What happens to records that the recoding has no place for.
    pub fn unseen(mut self, unseen: Unseen) -> Self {
        self.request.unseen = match unseen {
            Unseen::Refuse => engine::Unseen::Refuse,
            Unseen::Extend => engine::Unseen::Extend,
            Unseen::Suppress => engine::Unseen::Drop,
        };
        self
    }

    /// How many records may be left out: `2%` or `150`. None without it.
    pub fn max_suppression(mut self, limit: &str) -> Self {
        self.request.max_suppression = Some(limit.into());
        self
    }

    /// Makes the run repeatable to the byte. Not for release.
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = Some(seed);
        self
    }

    /// Leave the records in the order in which they came. It may tell who is who; the report notes
    /// it.
    pub fn keep_order(mut self) -> Self {
        self.request.keep_order = true;
        self
    }

    /// Be told how far the run is, from any of its threads.
    pub fn progress(mut self, listener: impl Fn(&Progress) + Send + Sync + 'a) -> Self {
        self.watch.progress = Some(Box::new(listener));
        self
    }

    /// Stop when the token says so.
    pub fn cancel(mut self, token: &Cancel) -> Self {
        self.watch.cancel = Some(token.clone());
        self
    }

    /// Publish new records, and get the release as batches.
    pub fn anonymize(mut self, data: impl Into<Data>) -> Result<Release> {
        let lent = data.into().lend(Path::new("")).map_err(Error::of)?;
        let inbox = Inbox::new();
        self.request.input = lent.name.clone();
        self.request.output = inbox.name().to_string();
        let job = self.request.job().map_err(Error::of)?;
        in_threads(&job, || received(inbox, RELEASES.apply(&self.request, &self.watch)?))
    }

    /// Publish new records to a file.
    pub fn file(mut self, data: impl Into<Data>, output: impl AsRef<Path>) -> Result<Report> {
        let lent = data.into().lend(Path::new("")).map_err(Error::of)?;
        self.request.input = lent.name.clone();
        self.request.output = output.as_ref().display().to_string();
        let job = self.request.job().map_err(Error::of)?;
        in_threads(&job, || RELEASES.apply(&self.request, &self.watch)).map(Report::of)
    }
}

/// Publish new records in the regions of an earlier release, and get them as batches. The release
/// is verified like any other; records that the recoding has no place for are refused.
///
/// Whoever has both releases, and knows that a person is in both, may combine what each says.
/// [`Apply`] has the choices.
pub fn apply(recoding: &Recoding, data: impl Into<Data>) -> Result<Release> {
    Apply::new(recoding).anonymize(data)
}
