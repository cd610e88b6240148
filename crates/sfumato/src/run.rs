//! Running jobs, with progress and cancellation.

use sfumato_core as core;
use sfumato_engine::entry::Request;
use sfumato_io::Inbox;
use sfumato_kinds::RELEASES;

use crate::data::Lent;
use crate::watch::Watch;
use crate::{
    Answer, Attacks, Audit, Cancel, Comparison, Data, Error, Job, Manifest, Plan, Progress,
    Release, Report, Result,
};

/// A job that is about to run, with whoever watches it. The functions of this crate are short for
/// one with nothing but its job.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use sfumato::{Cancel, ErrorKind, Job, Run};
///
/// let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 33, 52, 58]));
/// let people = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let job = Job::table().quasi("age").k(2);
/// let cancel = Cancel::new();
/// let release = Run::new(&job)
///     .progress(|progress| assert!(!progress.step.is_empty()))
///     .cancel(&cancel)
///     .anonymize(people.clone())
///     .unwrap();
/// assert_eq!(release.manifest().records(), 4);
///
/// cancel.cancel();
/// let error = Run::new(&job).cancel(&cancel).anonymize(people).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Cancelled);
/// ```
#[must_use]
pub struct Run<'a> {
    job: &'a Job,
    original: Option<Data>,
    population: Option<Data>,
    control: Option<Data>,
    other: Option<Data>,
    watch: Watch<'a>,
}

impl<'a> Run<'a> {
    /// Run a job that nobody watches.
    pub fn new(job: &'a Job) -> Self {
        let (original, population, control, other) = (None, None, None, None);
        Run { job, original, population, control, other, watch: Watch::default() }
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

    /// The data that a release was made from, for [`Run::audit`], [`Run::attack`] and
    /// [`Run::query`].
    pub fn original(mut self, original: impl Into<Data>) -> Self {
        self.original = Some(original.into());
        self
    }

    /// People of whom some are in the data, for [`Run::attack`].
    pub fn population(mut self, population: impl Into<Data>) -> Self {
        self.population = Some(population.into());
        self
    }

    /// People of the same kind who aren't in the data, for [`Run::attack`].
    pub fn control(mut self, control: impl Into<Data>) -> Self {
        self.control = Some(control.into());
        self
    }

    /// Another release of the same people, for [`Run::attack`].
    pub fn other_release(mut self, other: impl Into<Data>) -> Self {
        self.other = Some(other.into());
        self
    }

    /// Anonymize data in memory or in a file; see [`anonymize`](crate::anonymize).
    pub fn anonymize(self, data: impl Into<Data>) -> Result<Release> {
        let (job, data) = (&self.job.inner, data.into());
        in_threads(job, || {
            let lent = data.lend(job.base())?;
            let inbox = Inbox::new();
            let mut job = job.clone();
            job.set("input", "path", lent.name.as_str());
            job.set("output", "path", inbox.name());
            let report = RELEASES.run(&job, &self.watch)?;
            received(inbox, report)
        })
    }

    /// Read, anonymize, verify and write the files that the job names; see [`run`](crate::run).
    pub fn files(self) -> Result<Report> {
        let job = &self.job.inner;
        in_threads(job, || RELEASES.run(job, &self.watch)).map(Report::of)
    }

    /// What the job would run; see [`explain`](crate::explain).
    pub fn explain(self) -> Result<Plan> {
        let job = &self.job.inner;
        in_threads(job, || RELEASES.explain(job, &self.watch)).map(Plan::of)
    }

    /// What the job would run on this data, in place of the input that it names.
    pub fn explain_data(self, data: impl Into<Data>) -> Result<Plan> {
        let (job, data) = (&self.job.inner, data.into());
        let explained = in_threads(job, || {
            let lent = data.lend(job.base())?;
            let inbox = Inbox::new();
            let mut job = job.clone();
            job.set("input", "path", lent.name.as_str());
            job.set("output", "path", inbox.name());
            RELEASES.explain(&job, &self.watch)
        })?;
        Ok(Plan::of(explained))
    }

    /// What a release really promises; see [`audit`](crate::audit).
    pub fn audit(self, release: impl Into<Data>) -> Result<Audit> {
        let asked = release.into();
        in_threads(&self.job.inner, || {
            let (request, _lent) = self.request(asked)?;
            RELEASES.audit(&request, &self.watch)
        })
        .map(Audit::of)
    }

    /// What attackers learn from a release; see [`attack`](fn@crate::attack). Without any name all
    /// attacks are played that the release offers.
    pub fn attack(self, release: impl Into<Data>, attacks: &[&str]) -> Result<Attacks> {
        let asked = release.into();
        in_threads(&self.job.inner, || {
            let (mut request, mut lent) = self.request(asked)?;
            let mut reading = |data: &Option<Data>, is_release: bool| {
                let Some(data) = data else { return Ok(None) };
                let mut job = match is_release {
                    true => of_release(&self.job.inner, data)?,
                    false => self.job.inner.clone(),
                };
                lent.push(data.clone().lend(self.job.inner.base())?);
                let name = lent.last().map(|lent| lent.name.clone()).unwrap_or_default();
                job.set("input", "path", name);
                Ok::<_, core::Error>(Some(job))
            };
            request.attack.population = reading(&self.population, false)?;
            request.attack.control = reading(&self.control, false)?;
            request.attack.other = reading(&self.other, true)?;
            request.attack.attacks = attacks.iter().map(|name| name.to_string()).collect();
            let seed = self.job.inner.get("run", "seed").and_then(|seed| seed.as_integer());
            request.attack.seed = seed.unwrap_or(0) as u64;
            RELEASES.attack(&request, &self.watch)
        })
        .map(Attacks::of)
    }

    /// Compare releases of the [original](Run::original); see [`compare`](fn@crate::compare).
    pub fn compare(self, releases: Vec<Data>) -> Result<Comparison> {
        in_threads(&self.job.inner, || {
            let mut lent = Vec::new();
            let mut requests = Vec::with_capacity(releases.len());
            for release in releases {
                let (request, held) = self.request(release)?;
                lent.extend(held);
                requests.push(Request { own_job: Some(self.own_job()), ..request });
            }
            RELEASES.compare(&requests, &self.watch)
        })
        .map(Comparison::of)
    }

    /// The job as that of a release whose data may be gone: it was in memory.
    fn own_job(&self) -> sfumato_engine::Job {
        let mut own = self.job.inner.clone();
        if own.get("input", "path").is_none() {
            own.set("input", "path", "-");
        }
        own
    }

    /// Ask a release; see [`query`](crate::query).
    pub fn query(self, release: impl Into<Data>, queries: &[&str]) -> Result<Vec<Answer>> {
        let asked = release.into();
        let answers = in_threads(&self.job.inner, || {
            let (request, _lent) = self.request(asked)?;
            let own_job = self.own_job();
            let queries = queries.iter().map(|query| query.to_string()).collect();
            let request = Request { queries, own_job: Some(own_job), ..request };
            RELEASES.query(&request, &self.watch)
        })?;
        Ok(answers.answers.iter().map(Answer::of).collect())
    }

    /// What is asked of a release, and what is lent for it.
    fn request(&self, release: Data) -> core::Result<(Request, Vec<Lent>)> {
        let base = self.job.inner.base();
        let mut job = of_release(&self.job.inner, &release)?;
        let mut lent = vec![release.lend(base)?];
        job.set("input", "path", lent[0].name.as_str());
        let original = match &self.original {
            None => None,
            Some(data) => {
                lent.push(data.clone().lend(base)?);
                let mut original = self.job.inner.clone();
                original.set("input", "path", lent[1].name.as_str());
                Some(original)
            }
        };
        let memory = self.job.inner.get("run", "memory").and_then(|size| size.as_str());
        let memory = memory.map(core::memory::parse_bytes).transpose()?;
        Ok((Request { job, original, memory, ..Request::default() }, lent))
    }
}

/// A job as it describes a release: without columns that no release has, and without saying how and
/// where files are written.
fn of_release(job: &sfumato_engine::Job, release: &Data) -> core::Result<sfumato_engine::Job> {
    let mut job = job.clone();
    let has_manifest = match release {
        Data::Path(path) => sfumato_engine::manifest::Manifest::find(path)?.is_some(),
        Data::Batches(_) => false,
    };
    let columns = job.section("columns").cloned().unwrap_or_default();
    for (name, column) in &columns {
        let role = column.get("role").and_then(|role| role.as_str()).unwrap_or_default();
        let is_dropped = match role {
            "identifier" | "guard" => true,
            // Somebody else's file may say which rows belong to one person; no release does.
            "subject" => has_manifest || release.has_column(name) == Some(false),
            _ => false,
        };
        if is_dropped {
            job.unset("columns", name);
        }
    }
    ["format", "delimiter", "header"].iter().for_each(|key| job.unset("input", key));
    let output = job.section("output").cloned().unwrap_or_default();
    job.remove("output");
    for key in ["buckets", "group"] {
        if let Some(value) = output.get(key) {
            job.set("output", key, value.clone());
        }
    }
    Ok(job)
}

/// What was handed over, with its report.
pub(crate) fn received(inbox: Inbox, report: sfumato_report::Report) -> core::Result<Release> {
    let delivered = inbox
        .take()
        .ok_or_else(|| core::Error::internal("a run ended without handing its release over"))?;
    Ok(Release {
        batches: delivered.batches()?,
        manifest: Manifest::parse(&delivered.manifest)?,
        report: Report::of(report),
    })
}

/// Work in as many threads as the job asks for, and leave all others alone.
pub(crate) fn in_threads<T: Send>(
    job: &sfumato_engine::Job,
    work: impl FnOnce() -> core::Result<T> + Send,
) -> Result<T> {
    /// More can only be a mistake, and would cost gigabytes of stacks.
    const MOST: usize = 1024;
    let done = match job.threads() {
        None => work(),
        Some(n) if n == 0 || n > MOST => {
            Err(core::Error::params(format!("threads must be from 1 to {MOST}, not {n}")))
        }
        Some(n) => match rayon::ThreadPoolBuilder::new().num_threads(n).build() {
            Ok(pool) => pool.install(work),
            Err(error) => Err(core::Error::resources(format!("can't start {n} threads: {error}"))),
        },
    };
    done.map_err(Error::of)
}

/// Anonymize data, and get the release as batches. It was held in memory as the bytes of an Arrow
/// file, read back from these bytes and checked like any release; nothing touches the disk unless
/// the job limits the memory.
///
/// The input and output that the job names are not used; reports that it names are written. A form
/// that publishes several files, such as linked buckets and bitmaps, is refused.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use sfumato::Job;
///
/// # fn main() -> sfumato::Result<()> {
/// let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 33, 52, 58]));
/// let ills: ArrayRef = Arc::new(StringArray::from(vec!["flu", "flu", "cough", "flu"]));
/// let people = RecordBatch::try_from_iter([("age", ages), ("ill", ills)]).unwrap();
/// let job = Job::table().quasi("age").sensitive("ill").k(2);
/// let release = sfumato::anonymize(people, &job)?;
/// assert_eq!(release.batches().iter().map(RecordBatch::num_rows).sum::<usize>(), 4);
/// assert!(release.report().guarantees().iter().all(|guarantee| guarantee.holds));
/// # Ok(())
/// # }
/// ```
pub fn anonymize(data: impl Into<Data>, job: &Job) -> Result<Release> {
    Run::new(job).anonymize(data)
}

/// Run a job from its input to its output: read, anonymize, verify, measure, write, report. The
/// release gets its name last, and only if every model holds in the bytes that were written.
///
/// ```
/// use sfumato::{Job, Manifest};
///
/// # fn main() -> sfumato::Result<()> {
/// # let folder = std::env::temp_dir().join(format!("sfumato-run-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let people = "age,ill\n31,flu\n33,flu\n52,cough\n58,flu\n";
/// std::fs::write(folder.join("people.csv"), people).unwrap();
/// let job = Job::table()
///     .base(&folder)
///     .input("people.csv")
///     .quasi("age")
///     .sensitive("ill")
///     .k(2)
///     .output("release.csv");
/// let report = sfumato::run(&job)?;
/// assert_eq!(report.records_published(), 4);
/// let manifest = Manifest::find(folder.join("release.csv"))?.unwrap();
/// assert_eq!((manifest.kind(), manifest.form()), ("table", "generalized"));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok(())
/// # }
/// ```
pub fn run(job: &Job) -> Result<Report> {
    Run::new(job).files()
}

/// What a job would run: which algorithm, how many passes, how much memory. Reads the input and
/// writes nothing.
///
/// ```
/// use sfumato::Job;
///
/// # fn main() -> sfumato::Result<()> {
/// # let path = std::env::temp_dir().join(format!("sfumato-explain-{}.csv", std::process::id()));
/// std::fs::write(&path, "age\n31\n33\n52\n58\n").unwrap();
/// let job = Job::table().input(&path).quasi("age").k(2).output("release.csv");
/// let plan = sfumato::explain(&job)?;
/// assert_eq!(plan.form(), "generalized");
/// assert!(plan.to_string().contains("k-anonymity"));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok(())
/// # }
/// ```
pub fn explain(job: &Job) -> Result<Plan> {
    Run::new(job).explain()
}

const _: () = {
    const fn both<T: Send + Sync>() {}
    both::<Job>();
    both::<Release>();
    both::<Report>();
    both::<Error>();
    both::<Cancel>();
    both::<Run<'_>>();
    both::<Audit>();
};
