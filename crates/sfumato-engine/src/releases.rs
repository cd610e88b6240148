//! The list of all releases: every kind of data in every form. Only this file decides which kind
//! and form a job or a finished release is about; nothing else matches on kinds.

use std::path::Path;

use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Info};
use sfumato_core::{Error, Result};
use sfumato_report::compare::Comparison;
use sfumato_report::{MetricNote, Report};

use crate::apply::ApplyRequest;
use crate::attack::Attacks;
use crate::audit::Audit;
use crate::entry::{AnyRelease, Request};
use crate::explain::Explanation;
use crate::inputs::refuse_overwriting;
use crate::job::Job;
use crate::manifest::Manifest;
use crate::query::Answers;

/// Kinds in the order of the catalogue, each with its forms in the order in which a job is offered
/// to them. A job without a section of any kind is about the first kind.
#[derive(Clone, Copy)]
pub struct Releases(pub &'static [&'static [&'static dyn AnyRelease]]);

impl Releases {
    /// Every form of every kind.
    pub fn all(&self) -> impl Iterator<Item = &'static dyn AnyRelease> + use<> {
        self.0.iter().flat_map(|kind| kind.iter().copied())
    }

    /// The kind and form that a job asks for.
    pub fn of_job(&self, job: &Job) -> Result<&'static dyn AnyRelease> {
        let forms = self.kind_of(job)?;
        self.check_models(job, forms)?;
        let mut chosen = None;
        for form in forms {
            if chosen.is_none() && form.takes(job)? {
                chosen = Some(*form);
            }
        }
        let chosen = chosen.ok_or_else(|| {
            Error::unsupported("no form of release of this kind takes the job")
                .hint("'sfumato list' shows models and algorithms by kind and form")
        })?;
        self.check_algorithm(job, chosen, forms)?;
        Ok(chosen)
    }

    /// The kind and form of a release: those in its manifest, or those that the flags describe as a
    /// job would.
    pub fn of_release(&self, request: &Request) -> Result<&'static dyn AnyRelease> {
        let path = request.job.input_path();
        match Manifest::find(Path::new(&path))? {
            None => self.of_job(&request.job),
            // If the request itself says what the release is, that overrides the manifest.
            Some(manifest) if self.says_otherwise(&request.job, &manifest) => {
                self.of_job(&request.job)
            }
            Some(manifest) => {
                let named = |entry: &&dyn AnyRelease| {
                    entry.kind() == manifest.kind && entry.form() == manifest.form
                };
                self.all().find(named).ok_or_else(|| {
                    let Manifest { kind, form, .. } = &manifest;
                    Error::unsupported(format!(
                        "there is no form '{form}' of the kind '{kind}' here"
                    ))
                    .in_file(path)
                    .hint("another version of the program made this release")
                })
            }
        }
    }

    /// Whether a request is about another kind than the manifest, or names a form itself.
    fn says_otherwise(&self, job: &Job, manifest: &Manifest) -> bool {
        let own = self.all().find(|entry| entry.kind() == manifest.kind);
        let builds_on = own.map(|entry| entry.builds_on()).unwrap_or_default();
        let is_other = |entry: &dyn AnyRelease| {
            entry.kind() != manifest.kind
                && !builds_on.contains(&entry.kind())
                && job.has(entry.section())
        };
        job.has("output") || self.all().any(is_other)
    }

    /// The name of the kind that the sections of a job name.
    pub fn kind_of_job(&self, job: &Job) -> Result<Option<&'static str>> {
        Ok(self.kind_of(job)?.first().map(|form| form.kind()))
    }

    /// A job with all said that its kind has a default for.
    pub fn complete(&self, job: &Job) -> Result<Job> {
        match self.kind_of(job)?.first() {
            Some(form) => form.complete(job),
            None => Err(Error::internal("a kind has no form")),
        }
    }

    /// A job in which all is said that only its file can say.
    pub fn expand(&self, job: &Job) -> Result<Job> {
        let mut job = job.clone();
        if let Some(form) = self.kind_of(&job)?.first() {
            form.expand(&mut job)?;
        }
        Ok(job)
    }

    fn kind_of(&self, job: &Job) -> Result<&'static [&'static dyn AnyRelease]> {
        let is_named =
            |forms: &&&[&dyn AnyRelease]| forms.first().is_some_and(|form| job.has(form.section()));
        // A kind that builds on all that are named, or is named itself, is the one that is meant.
        let all: Vec<&str> = self
            .0
            .iter()
            .filter(is_named)
            .filter_map(|forms| Some(forms.first()?.kind()))
            .collect();
        let is_built = |form: &&dyn AnyRelease| all.iter().all(|kind| covers(*form, kind));
        if all.len() > 1
            && let Some(built) = self.0.iter().find(|forms| forms.first().is_some_and(is_built))
        {
            return Ok(built);
        }
        let mut named = self.0.iter().filter(is_named);
        match (named.next(), named.next()) {
            (Some(one), None) => Ok(one),
            (Some(one), Some(other)) => {
                let section = |forms: &[&dyn AnyRelease]| {
                    forms.first().map_or(String::new(), |form| {
                        format!("[{}] is for {}", form.section(), form.plural())
                    })
                };
                Err(Error::unsupported(format!("{}, and {}", section(one), section(other)))
                    .hint("a job is about one kind of data: leave the other out"))
            }
            (None, _) => {
                self.0.first().copied().ok_or_else(|| Error::internal("the list of kinds is empty"))
            }
        }
    }

    /// Refuse a model of another kind, and name that kind.
    fn check_models(&self, job: &Job, own: &[&dyn AnyRelease]) -> Result<()> {
        let Some(first) = own.first() else { return Ok(()) };
        for text in job.list("privacy", "models") {
            let Ok(call) = text.parse::<Call>() else { continue };
            if has(&first.models(), &call.name) {
                continue;
            }
            if let Some(other) = self.all().find(|other| has(&other.models(), &call.name)) {
                let message = format!(
                    "{} is a model for {}, and these are {}",
                    call.name,
                    other.plural(),
                    first.plural()
                );
                return Err(Error::params(message).hint(format!(
                    "'sfumato list {}' shows those for {}",
                    first.models_family(),
                    first.plural()
                )));
            }
        }
        Ok(())
    }

    /// Refuse an algorithm of another kind or form, and name these.
    fn check_algorithm(
        &self,
        job: &Job,
        chosen: &dyn AnyRelease,
        own: &[&dyn AnyRelease],
    ) -> Result<()> {
        let asked = job.get("recode", "algorithm").and_then(|value| value.as_str());
        let Some(Ok(call)) = asked.map(str::parse::<Call>) else { return Ok(()) };
        if call.name == "auto" || has(&chosen.algorithms(), &call.name) {
            return Ok(());
        }
        if let Some(form) = own.iter().find(|form| has(&form.algorithms(), &call.name)) {
            let message = format!(
                "{} publishes {} as {}, and this job asks for {}",
                call.name,
                form.plural(),
                form.form(),
                chosen.form()
            );
            return Err(Error::unsupported(message)
                .hint("take another algorithm, or models that go with that form"));
        }
        let is_other = |other: &&dyn AnyRelease| has(&other.algorithms(), &call.name);
        match self.all().find(is_other) {
            None => Ok(()),
            Some(other) => Err(Error::params(format!(
                "{} is an algorithm for {}, and these are {}",
                call.name,
                other.plural(),
                chosen.plural()
            ))
            .hint(format!(
                "'sfumato list {}' shows those for {}",
                chosen.algorithms_family(),
                chosen.plural()
            ))),
        }
    }

    /// Run a job: read, anonymize, verify, measure, write, report.
    pub fn run(&self, job: &Job, observer: &dyn Observer) -> Result<Report> {
        job.refuse_guesses()?;
        refuse_overwriting(job, &[])?;
        let job = &self.expand(job)?;
        self.of_job(job)?.run(job, observer)
    }

    /// Publish new records as an earlier release was published.
    pub fn apply(&self, request: &ApplyRequest, observer: &dyn Observer) -> Result<Report> {
        let job = request.job()?;
        refuse_overwriting(&job, &[&request.file])?;
        self.of_job(&job)?.apply(&job, request, observer)
    }

    /// The plan of a job. Reads the input and writes nothing.
    pub fn explain(&self, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        let job = &self.expand(job)?;
        self.of_job(job)?.explain(job, observer)
    }

    /// Measure what a release really promises, whoever made it.
    pub fn audit(&self, request: &Request, observer: &dyn Observer) -> Result<Audit> {
        self.of_release(request)?.audit(request, observer)
    }

    /// Play the adversaries against a release, whoever made it.
    pub fn attack(&self, request: &Request, observer: &dyn Observer) -> Result<Attacks> {
        self.of_release(request)?.attack(request, observer)
    }

    /// Compare releases of the same data: each request names a release, and all the same original.
    pub fn compare(&self, requests: &[Request], observer: &dyn Observer) -> Result<Comparison> {
        let entries =
            requests.iter().map(|request| self.of_release(request)).collect::<Result<Vec<_>>>()?;
        let ([first, ..], [entry, ..]) = (requests, &entries[..]) else {
            return Err(Error::params("there is nothing to compare"));
        };
        if let Some(other) = entries.iter().find(|other| other.kind() != entry.kind()) {
            let (one, other) = (entry.plural(), other.plural());
            return Err(Error::params(format!("{one} and {other} can't be compared"))
                .hint("compare releases of the same data"));
        }
        let questions = entry.questions(first, observer)?;
        let mut metric_notes: Vec<MetricNote> = Vec::new();
        let mut releases = Vec::with_capacity(requests.len());
        for (request, entry) in requests.iter().zip(&entries) {
            releases.push(entry.side(request, &questions, observer)?);
            for note in entry.metric_notes() {
                if metric_notes.iter().all(|known| known.name != note.name) {
                    metric_notes.push(note);
                }
            }
        }
        let original = first.original.as_ref().map(Job::input_path).unwrap_or_default();
        Ok(Comparison { kind: entry.plural().into(), original, releases, metric_notes })
    }

    /// Answer queries over a release.
    pub fn query(&self, request: &Request, observer: &dyn Observer) -> Result<Answers> {
        self.of_release(request)?.query(request, observer)
    }
}

/// Whether a kind is another, or builds on it.
pub(crate) fn covers(form: &dyn AnyRelease, kind: &str) -> bool {
    form.kind() == kind || form.builds_on().contains(&kind)
}

fn has(list: &[&'static Info], name: &str) -> bool {
    list.iter().any(|info| info.name == name)
}
