//! One kind in one form, behind a trait object: the list of all releases is made of these.

use std::path::Path;

use sfumato_core::observer::Observer;
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_report::Report;

use crate::audit::{self, Audit};
use crate::context::Context;
use crate::form::Form;
use crate::job::Job;
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::pipeline::{self, Tamper};
use crate::query::{Answers, QueryRequest};

/// A form of release of a kind of data.
pub struct Entry<K, F> {
    /// The kind: what a record is.
    pub kind: K,
    /// The form: what is published of a record.
    pub form: F,
}

/// What to audit or to query, before its kind of data is known.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The job that has the release as its input. The sections of its kind say what the columns or
    /// items are.
    pub job: Job,
    /// The job that has the original data as its input.
    pub original: Option<Job>,
    /// The queries. Empty for an audit.
    pub queries: Vec<String>,
    /// The job that made the release, if it is known: it says what labels mean.
    pub own_job: Option<Job>,
    /// How many bytes of memory may be used.
    pub memory: Option<u64>,
    /// The folder for data that don't fit into memory.
    pub spill: Option<std::path::PathBuf>,
}

/// What can be done with any kind of data in any form, without knowing their types.
pub trait AnyRelease: Sync {
    /// The name of the kind.
    fn kind(&self) -> &'static str;
    /// What several records of the kind are called in messages.
    fn plural(&self) -> &'static str;
    /// The name of the form.
    fn form(&self) -> &'static str;
    /// The name of the section that makes a job one about this kind.
    fn section(&self) -> &'static str;
    /// The name of the family in the catalogue that lists the models of the kind.
    fn models_family(&self) -> &'static str;
    /// The models of the kind.
    fn models(&self) -> Vec<&'static Info>;
    /// The algorithms of the form.
    fn algorithms(&self) -> Vec<&'static Info>;
    /// The metrics of the form.
    fn metrics(&self) -> Vec<&'static Info>;
    /// The name of the family in the catalogue that lists the algorithms of the form.
    fn algorithms_family(&self) -> String;
    /// The name of the family in the catalogue that lists the metrics of the form.
    fn metrics_family(&self) -> String;
    /// Whether a job of the kind asks for this form.
    fn takes(&self, job: &Job) -> Result<bool>;
    /// Run a job.
    fn run(&self, job: &Job, observer: &dyn Observer) -> Result<Report>;
    /// Run a job whose draft is changed before it is read back, so that tests can see the verifier
    /// fail.
    fn run_tampered(
        &self,
        job: &Job,
        tamper: Tamper<'_>,
        observer: &dyn Observer,
    ) -> Result<Report>;
    /// Describe the plan of a job in words.
    fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<String>;
    /// Measure what a release really promises.
    fn audit(&self, request: &Request, observer: &dyn Observer) -> Result<Audit>;
    /// Answer queries over a release.
    fn query(&self, request: &Request, observer: &dyn Observer) -> Result<Answers>;
}

impl<K: Kind, F: Form<K>> AnyRelease for Entry<K, F> {
    fn kind(&self) -> &'static str {
        self.kind.name()
    }
    fn plural(&self) -> &'static str {
        self.kind.plural()
    }
    fn form(&self) -> &'static str {
        self.form.name()
    }
    fn section(&self) -> &'static str {
        self.kind.section()
    }
    fn models_family(&self) -> &'static str {
        self.kind.models_family()
    }
    fn models(&self) -> Vec<&'static Info> {
        self.kind.models()
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        self.form.algorithms()
    }
    fn metrics(&self) -> Vec<&'static Info> {
        self.form.metrics()
    }
    fn algorithms_family(&self) -> String {
        self.form.algorithms_family()
    }
    fn metrics_family(&self) -> String {
        self.form.metrics_family()
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        self.form.takes(&job.without_output()?)
    }
    fn run(&self, job: &Job, observer: &dyn Observer) -> Result<Report> {
        pipeline::run(&self.kind, &self.form, &job.of_kind()?, None, &Context::new(observer))
    }
    fn run_tampered(
        &self,
        job: &Job,
        tamper: Tamper<'_>,
        observer: &dyn Observer,
    ) -> Result<Report> {
        let context = Context::new(observer);
        pipeline::run(&self.kind, &self.form, &job.of_kind()?, Some(tamper), &context)
    }
    fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<String> {
        let job = job.of_kind()?;
        self.form.check(&job)?;
        self.form.explain(&job, &Context::new(observer))
    }
    fn audit(&self, request: &Request, observer: &dyn Observer) -> Result<Audit> {
        let request = audit::AuditRequest {
            manifest: Manifest::find(Path::new(&request.job.input_path()))?,
            job: request.job.without_output()?,
            original: request.original.as_ref().map(Job::without_output).transpose()?,
            memory: request.memory,
            spill: request.spill.clone(),
        };
        audit::audit(&self.kind, &self.form, &request, &Context::new(observer))
    }
    fn query(&self, request: &Request, observer: &dyn Observer) -> Result<Answers> {
        if request.queries.is_empty() {
            return Err(Error::params("no query was given")
                .hint("ask something like 'count where age >= 40'"));
        }
        let request = QueryRequest {
            manifest: Manifest::find(Path::new(&request.job.input_path()))?,
            job: request.job.without_output()?,
            own_job: request.own_job.as_ref().map(Job::without_output).transpose()?,
            queries: request.queries.clone(),
            original: request.original.as_ref().map(Job::without_output).transpose()?,
        };
        self.form.query(&request, &Context::new(observer))
    }
}
