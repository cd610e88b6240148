//! One kind in one form, behind a trait object: the list of all releases is made of these.

use std::path::Path;

use sfumato_core::facts::Fact;
use sfumato_core::observer::Observer;
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_report::compare::Side;
use sfumato_report::{MetricNote, Report};

use crate::apply::ApplyRequest;
use crate::attack::{self, AttackAsked, Attacks};
use crate::audit::{self, Audit, AuditRequest};
use crate::compare::{self, Question};
use crate::context::Context;
use crate::exec::{Records, check_budget};
use crate::explain::Explanation;
use crate::flags::KindFlags;
use crate::form::Form;
use crate::job::Job;
use crate::kind::{Kind, KindJob};
use crate::lie::Subject;
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
    /// What attackers know and which of them play. Only attacks look at it.
    pub attack: AttackAsked,
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
    /// The names of kinds whose sections and flags jobs of its kind have, too.
    fn builds_on(&self) -> &'static [&'static str];
    /// The name of the family in the catalogue that lists the models of the kind.
    fn models_family(&self) -> &'static str;
    /// The models of the kind.
    fn models(&self) -> Vec<&'static Info>;
    /// The algorithms of the form.
    fn algorithms(&self) -> Vec<&'static Info>;
    /// The metrics of the form.
    fn metrics(&self) -> Vec<&'static Info>;
    /// The attacks that can be played on the form.
    fn attacks(&self) -> Vec<&'static Info>;
    /// The name of the family in the catalogue that lists the attacks of the kind.
    fn attacks_family(&self) -> String;
    /// What a release of the form can state beside its original.
    fn states(&self) -> &'static [Fact];
    /// The word of the catalogue for its algorithms.
    fn algorithms_family(&self) -> String;
    /// The name of the family in the catalogue that lists the metrics of the form.
    fn metrics_family(&self) -> String;
    /// Whether the form needs all records in memory at once.
    fn needs(&self) -> Records;
    /// The model whose strength is tried where releases of several strengths are compared, and the
    /// parameter that says it.
    fn strength(&self) -> Option<(&'static str, &'static str)>;
    /// Whether a metric of the form says how much is kept instead of lost.
    fn more_is_better(&self, metric: &str) -> bool;
    /// Whether the release of a job is a folder of several files.
    fn is_folder(&self, job: &Job) -> Result<bool>;
    /// The flags of the kind.
    fn flags(&self) -> KindFlags;
    /// A job with all said that its kind has a default for.
    fn complete(&self, job: &Job) -> Result<Job>;
    /// Say in a job what only its file can say.
    fn expand(&self, job: &mut Job) -> Result<()>;
    /// Whether a job of the kind asks for this form.
    fn takes(&self, job: &Job) -> Result<bool>;
    /// Run a job.
    fn run(&self, job: &Job, observer: &dyn Observer) -> Result<Report>;
    /// The lies that tests can tell the form.
    fn lies(&self) -> Vec<(&'static str, Subject)>;
    /// Run a job with something wrong on the way: tests see the verifier fail.
    fn run_tampered(
        &self,
        job: &Job,
        tamper: Tamper<'_>,
        observer: &dyn Observer,
    ) -> Result<Report>;
    /// The plan of a job.
    fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation>;
    /// What a release really promises.
    fn audit(&self, request: &Request, observer: &dyn Observer) -> Result<Audit>;
    /// What attackers learn from a release.
    fn attack(&self, request: &Request, observer: &dyn Observer) -> Result<Attacks>;
    /// Answer queries over a release.
    fn query(&self, request: &Request, observer: &dyn Observer) -> Result<Answers>;
    /// What its metrics say.
    fn metric_notes(&self) -> Vec<MetricNote>;
    /// Questions about the original of a request, which releases of it are asked.
    fn questions(&self, request: &Request, observer: &dyn Observer) -> Result<Vec<Question>>;
    /// What a release keeps of its original, and how well it answers questions.
    fn side(
        &self,
        request: &Request,
        questions: &[Question],
        observer: &dyn Observer,
    ) -> Result<Side>;
    /// Publish new records by a saved recoding; the job is the request's.
    fn apply(&self, job: &Job, request: &ApplyRequest, observer: &dyn Observer) -> Result<Report>;
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
    fn builds_on(&self) -> &'static [&'static str] {
        self.kind.builds_on()
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
    fn attacks(&self) -> Vec<&'static Info> {
        self.form.attacks()
    }
    fn attacks_family(&self) -> String {
        self.kind.attacks_family()
    }
    fn states(&self) -> &'static [Fact] {
        self.form.states()
    }
    fn algorithms_family(&self) -> String {
        self.form.algorithms_family()
    }
    fn metrics_family(&self) -> String {
        self.form.metrics_family()
    }
    fn needs(&self) -> Records {
        self.form.needs()
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        self.form.strength()
    }
    fn more_is_better(&self, metric: &str) -> bool {
        self.form.more_is_better(metric)
    }
    fn is_folder(&self, job: &Job) -> Result<bool> {
        Ok(self.form.is_folder(&job.without_output()?))
    }
    fn flags(&self) -> KindFlags {
        self.kind.flags()
    }
    fn complete(&self, job: &Job) -> Result<Job> {
        Ok(Job::from_kind(&job.of_kind::<K::Job>()?))
    }
    fn expand(&self, job: &mut Job) -> Result<()> {
        self.kind.expand(job)
    }
    fn takes(&self, job: &Job) -> Result<bool> {
        self.form.takes(&job.without_output()?)
    }
    fn run(&self, job: &Job, observer: &dyn Observer) -> Result<Report> {
        pipeline::run(&self.kind, &self.form, &job.of_kind()?, None, &Context::new(observer))
    }
    fn lies(&self) -> Vec<(&'static str, Subject)> {
        self.form.lies().iter().map(|lie| (lie.name, lie.subject)).collect()
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
    fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        let job: K::Job = job.of_kind()?;
        self.form.check(&job)?;
        let names = (self.form.name(), self.kind.plural());
        check_budget(&job.common(), self.form.needs(), names)?;
        let facts = self.form.explain(&job, &Context::new(observer))?;
        Ok(Explanation::new((self.kind.name(), self.form.name()), facts, &job.common()))
    }
    fn audit(&self, request: &Request, observer: &dyn Observer) -> Result<Audit> {
        let request = audit_request(request)?;
        audit::audit(&self.kind, &self.form, &request, &Context::new(observer))
    }
    fn attack(&self, request: &Request, observer: &dyn Observer) -> Result<Attacks> {
        attack::attack(&self.kind, &self.form, request, &Context::new(observer))
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
    fn metric_notes(&self) -> Vec<MetricNote> {
        pipeline::metric_notes(&self.form)
    }
    fn questions(&self, request: &Request, observer: &dyn Observer) -> Result<Vec<Question>> {
        let AuditRequest { original, manifest, .. } = audit_request(request)?;
        let original = original.ok_or_else(|| {
            Error::params("releases are compared beside their original")
                .hint("say what they were made from with --original DATA")
        })?;
        self.kind.questions(&original, manifest.as_ref(), &Context::new(observer))
    }
    fn side(
        &self,
        request: &Request,
        questions: &[Question],
        observer: &dyn Observer,
    ) -> Result<Side> {
        let own_job = request.own_job.as_ref().map(Job::without_output).transpose()?;
        let request = audit_request(request)?;
        compare::side(&self.form, &request, own_job, questions, &Context::new(observer))
    }
    fn apply(&self, job: &Job, request: &ApplyRequest, observer: &dyn Observer) -> Result<Report> {
        self.form.apply(&job.of_kind()?, request, &Context::new(observer))
    }
}

/// A request whose kind is known.
fn audit_request<J: KindJob>(request: &Request) -> Result<AuditRequest<J>> {
    Ok(AuditRequest {
        manifest: Manifest::find(Path::new(&request.job.input_path()))?,
        job: request.job.without_output()?,
        original: request.original.as_ref().map(Job::without_output).transpose()?,
        memory: request.memory,
        spill: request.spill.clone(),
    })
}
