//! Redacted documents: the original with parts of it replaced, and every other byte as it was.

mod audit;
mod certificate;
mod decide;
mod explain;
mod facts;
mod lies;
mod plan;
mod query;
mod read_back;
mod replacement;
mod report;
mod utility;

pub use certificate::{Cover, covers};
pub use decide::take_out;
pub use replacement::{Replacement, Replacer, generalized, tag};
pub use report::recall_words;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use sfumato_core::facts::{Fact, Facts, Promises};
use sfumato_core::registry::Info;
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{AttackRequest, Stage, offered};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_engine::context::Context;
use sfumato_engine::destinations::{check_paths, check_places};
use sfumato_engine::draft::Draft;
use sfumato_engine::explain::PlanFacts;
use sfumato_engine::form::{Form, Partition, Written};
use sfumato_engine::kind::KindJob as _;
use sfumato_engine::lie::Lie;
use sfumato_engine::manifest::{Described, ManifestFile};
use sfumato_engine::paths::resolve;
use sfumato_engine::query::{Answers, QueryRequest};
use sfumato_engine::reports::is_json;
use sfumato_engine::verify::Checked;
use sfumato_io::{AtomicFile, AtomicFolder, Format, Sink, WriteOptions, write_text_unnamed};
use sfumato_report as shown;

use crate::algorithms::{self, TermAlgorithm};
use crate::attacks;
use crate::data::{Corpus, Entities, Frame, Replaced, write_spans};
use crate::detectors::Chosen;
use crate::job::{Job, Layout};
use crate::kind::Documents;
use crate::metrics;
use crate::models::{self, CoverRequirements};
use audit::Opened;
pub(crate) use audit::open;
use facts::DocumentFacts;
use read_back::Read;

/// The form of redacted documents.
pub struct Redacted;

/// What will run.
pub struct Plan {
    requirements: CoverRequirements,
    /// The algorithm, if the job names one.
    algorithm: Option<&'static dyn TermAlgorithm>,
    chosen: Option<Chosen>,
    entities: Option<Entities>,
    how: Replacement,
}

/// What was decided: for each document what is replaced, in order and without overlaps.
#[derive(Debug, Clone)]
pub struct Decision {
    /// What is replaced in each document.
    pub replaced: Vec<Vec<Replaced>>,
    /// The names of the algorithms that decided which terms stay.
    pub algorithms: BTreeSet<&'static str>,
}

impl Form<Documents> for Redacted {
    type Plan = Plan;
    type Decision = Decision;
    type Witness = ();
    type Read = Read;
    type Opened = Opened;

    fn name(&self) -> &'static str {
        "redacted"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        algorithms::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn metrics(&self) -> Vec<&'static Info> {
        metrics::ALL.iter().map(|metric| metric.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Covers]
    }
    fn strength(&self) -> Option<(&'static str, &'static str)> {
        Some(("k-safety", "k"))
    }
    fn more_is_better(&self, _: &str) -> bool {
        true
    }
    fn is_folder(&self, job: &Job) -> bool {
        job.layout().is_ok_and(|layout| layout == Layout::Folder)
    }
    fn takes(&self, _: &Job) -> Result<bool> {
        Ok(true)
    }

    fn check(&self, job: &Job) -> Result<()> {
        plan::check(job)?;
        let beside = [job.output.spans.as_deref(), job.output.certificate.as_deref()];
        let beside: Vec<&str> = beside.into_iter().flatten().collect();
        match job.layout()? {
            Layout::Field { .. } | Layout::Mailbox => check_places(&job.common(), &beside),
            Layout::Folder => check_folder(job, &beside),
        }
    }
    fn plan(&self, job: &Job, _: &Corpus, _: &Context<'_>) -> Result<Plan> {
        plan::make(job)
    }
    fn decide(&self, job: &Job, plan: &Plan, corpus: &Corpus, _: &Context<'_>) -> Result<Decision> {
        decide::decide(job, plan, corpus)
    }
    fn write(
        &self,
        job: &Job,
        _: &Plan,
        Partition { data, decision, .. }: Partition<'_, Documents, Self>,
        _: &Context<'_>,
    ) -> Result<(Draft, ())> {
        let destination = resolve(&job.base, &job.output.path);
        let mut draft = match self.is_folder(job) {
            true => Draft::folder(&destination)?,
            false => Draft::file(&destination)?,
        };
        if matches!(data.frame, Frame::Table { .. }) {
            let options = options_of(job, data)?;
            draft.write(|file| data.write_table(&decision.replaced, file, &options))?;
        }
        for (name, content) in data.published(&decision.replaced) {
            let write = |mut file: sfumato_io::Output| {
                file.write_all(content.as_bytes())
                    .map_err(|error| Error::io(file.path(), "write", &error))?;
                Ok(file)
            };
            match name {
                Some(name) => draft.write_within(&name, write)?,
                None => draft.write(write)?,
            }
        }
        Ok((draft, ()))
    }
    fn read_back(
        &self,
        written: &Written<'_, Documents, Self>,
        draft: &mut Draft,
        _: &Context<'_>,
    ) -> Result<Read> {
        read_back::read_back(written, draft)
    }
    fn promises<'a>(&self, plan: &'a Plan) -> &'a dyn Promises {
        &plan.requirements
    }
    fn facts<'a>(
        &self,
        written: &'a Written<'_, Documents, Self>,
        read: &'a Read,
    ) -> Box<dyn Facts + 'a> {
        let entities = written.plan.entities.as_ref();
        Box::new(DocumentFacts { corpus: &read.corpus, entities })
    }
    fn vouches(&self, plan: &Plan) -> Option<(String, bool)> {
        plan.requirements.0.is_empty().then(|| (report::mechanism(plan), false))
    }
    fn checked_how(&self) -> &'static str {
        "counted in the written documents, among the entities of the file"
    }
    fn describe(&self, written: &Written<'_, Documents, Self>, read: &Read) -> Described {
        let is_folder = self.is_folder(written.job);
        let file = |(path, _, sha256): &(String, u64, String)| ManifestFile {
            path: path.clone(),
            holds: if is_folder { "document" } else { "documents" }.into(),
            rows: if is_folder { 1 } else { read.corpus.documents.len() as u64 },
            sha256: sha256.clone(),
            ..ManifestFile::default()
        };
        let details = [
            ("layout".to_string(), toml::Value::from(written.job.text.layout.clone())),
            ("format".to_string(), toml::Value::from(read.corpus.format)),
        ];
        Described {
            rows: read.corpus.documents.len() as u64,
            details: details.into_iter().collect(),
            files: read.files.iter().map(file).collect(),
        }
    }
    fn report(
        &self,
        written: &Written<'_, Documents, Self>,
        read: &Read,
        _: &Checked,
    ) -> Result<shown::Report> {
        Ok(report::report(written, read))
    }
    fn write_beside(&self, written: &Written<'_, Documents, Self>) -> Result<Vec<AtomicFile>> {
        let (job, corpus) = (written.job, written.data);
        let replaced = &written.decision().replaced;
        let mut files = Vec::new();
        let mut write = |path: &str, text: String| {
            let path = resolve(&job.base, path);
            write_text_unnamed(Path::new(&path), &text, true).map(|file| files.push(file))
        };
        if let Some(path) = &job.output.spans {
            let spans = replaced.iter().map(|replaced| {
                replaced.iter().map(|one| (one.start, one.end, one.class.as_ref())).collect()
            });
            write(path, write_spans(corpus, spans))?;
        }
        if let (Some(path), Some(entities)) = (&job.output.certificate, &written.plan.entities) {
            write(path, certificate::lines(corpus, replaced, entities))?;
        }
        Ok(files)
    }

    fn lies(&self) -> Vec<Lie<Corpus, Decision>> {
        lies::lies()
    }
    fn explain(&self, job: &Job, _: &Context<'_>) -> Result<PlanFacts> {
        explain::explain(job)
    }

    fn open(&self, request: &AuditRequest<Job>, _: &Context<'_>) -> Result<Opened> {
        audit::open(request)
    }
    fn bind<'a>(&self, models: &[String], _: &'a Opened) -> Result<Box<dyn Promises + 'a>> {
        Ok(Box::new(models::bind(models)?))
    }
    fn state<'a>(&self, opened: &'a Opened) -> Box<dyn Facts + 'a> {
        Box::new(DocumentFacts { corpus: &opened.corpus, entities: opened.entities.as_ref() })
    }
    fn audit_evidence(&self, _: &Opened, _: &str) -> &'static str {
        "counted in the documents, among the entities of the file"
    }
    fn figures(&self, opened: &Opened) -> Result<Figures> {
        Ok(audit::figures(opened))
    }
    fn attacks(&self) -> Vec<&'static Info> {
        offered(attacks::ALL, self.name())
    }
    fn stage(&self, request: &AttackRequest<Job>, _: &Context<'_>) -> Result<Box<dyn Stage>> {
        attacks::stage(request)
    }
    fn utility(&self, request: &AuditRequest<Job>, _: &Context<'_>) -> Result<Utility> {
        utility::utility(request)
    }

    fn query(&self, request: &QueryRequest<Job>, _: &Context<'_>) -> Result<Answers> {
        query::query(request)
    }
}

/// How a table of documents is written: its format is that of its name, and none of text.
fn options_of(job: &Job, data: &Corpus) -> Result<WriteOptions> {
    let destination = resolve(&job.base, &job.output.path);
    let (format, compression) = Sink::of(&destination).format(data.format)?;
    match format {
        Format::Parquet | Format::ArrowIpc => {
            Ok(WriteOptions { format, compression, delimiter: b',', crlf: false })
        }
        _ => Err(Error::unsupported("documents of a table leave as Parquet or Arrow")
            .in_file(destination)
            .hint("name the release .parquet or .arrow")),
    }
}

/// Refuse places of a release that is a folder.
fn check_folder(job: &Job, beside: &[&str]) -> Result<()> {
    let common = job.common();
    let reports = || common.report.into_iter().chain(common.public_report);
    reports().try_for_each(|path| is_json(path).map(|_| ()))?;
    let destination = resolve(common.base, common.output);
    let folder = Sink::of(&destination).folder()?.to_path_buf();
    AtomicFolder::check(&folder)?;
    let input = resolve(common.base, &common.input.path);
    let others: Vec<String> =
        reports().chain(beside.iter().copied()).map(|path| resolve(common.base, path)).collect();
    if others.iter().any(|path| Path::new(path).starts_with(&folder)) {
        return Err(
            Error::params("a report can't be in the folder of the release").in_file(destination)
        );
    }
    let is_inside = |one: &Path, other: &Path| match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one.starts_with(other),
        _ => one.starts_with(other),
    };
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    if is_inside(parent.unwrap_or(Path::new(".")), Path::new(&input)) || folder == Path::new(&input)
    {
        return Err(Error::params("the release would lie among the documents")
            .in_file(destination)
            .hint("name a folder outside the folder of the documents"));
    }
    check_paths(&input, &others)
}
