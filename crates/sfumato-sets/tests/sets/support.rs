//! Jobs and audits of baskets in tests, through the list of releases as in the program.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::Audit;
use sfumato_engine::entry::Request;
use sfumato_engine::pipeline::Tamper;
use sfumato_engine::query::Answers;
use sfumato_engine::{AnyRelease, Job};
use sfumato_report::Report;
use sfumato_sets::RELEASES;

/// A folder of a test.
pub struct Place {
    folder: tempfile::TempDir,
}

/// The release entry of a form.
pub fn form(name: &str) -> &'static dyn AnyRelease {
    *RELEASES.iter().find(|release| release.form() == name).unwrap()
}

impl Place {
    pub fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap() }
    }
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// A job from its text.
    pub fn job(&self, text: &str) -> Job {
        Job::parse(text, "release.toml", self.folder()).unwrap()
    }
    /// A job without an output.
    pub fn reading(&self, input: &str, baskets: &str, models: &[&str]) -> Job {
        let models: Vec<String> = models.iter().map(|model| format!("{model:?}")).collect();
        self.job(&format!(
            "[input]\npath = \"{input}\"\n[baskets]\n{baskets}\n[privacy]\nmodels = [{}]\n",
            models.join(", ")
        ))
    }
    /// Run a job in the form that takes it.
    pub fn run(&self, text: &str) -> Result<Report> {
        let job = self.job(text);
        taking(&job)?.run(&job, &Unobserved)
    }
    /// Run a job whose draft is changed before it is read back.
    pub fn tampered(&self, text: &str, tamper: &dyn Fn(&Path) -> Result<()>) -> Error {
        let job = self.job(text);
        taking(&job).unwrap().run_tampered(&job, Tamper::Draft(tamper), &Unobserved).unwrap_err()
    }
    /// Audit a release in a form.
    pub fn audit(&self, form: &str, job: Job, original: Option<Job>) -> Result<Audit> {
        self::form(form).audit(&Request { job, original, ..Request::default() }, &Unobserved)
    }
    /// Ask a query about a release in a form.
    pub fn query(
        &self,
        form: &str,
        job: Job,
        queries: &[&str],
        original: Option<Job>,
    ) -> Result<Answers> {
        let queries = queries.iter().map(|query| query.to_string()).collect();
        let request = Request { job, original, queries, ..Request::default() };
        self::form(form).query(&request, &Unobserved)
    }
}

/// The first form that takes a job.
fn taking(job: &Job) -> Result<&'static dyn AnyRelease> {
    for release in RELEASES {
        if release.takes(job)? {
            return Ok(*release);
        }
    }
    Err(Error::internal("no form takes the job"))
}
