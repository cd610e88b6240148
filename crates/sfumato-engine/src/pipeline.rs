//! The pipeline: every step that data take from the input to the release, for every kind and form.

use std::path::Path;

use sfumato_core::Result;
use sfumato_report as shown;

use crate::context::{Context, Step};
use crate::form::{Form, Written};
use crate::kind::{Kind, KindJob};
use crate::manifest::Manifest;
use crate::paths::resolve;
use crate::stopwatch::peak_rss_bytes;
use crate::verify::{self, Checked, Evidence};
use crate::{job, reports};

/// A change to a draft between writing and reading it back. Only tests make one.
pub type Tamper<'a> = &'a dyn Fn(&Path) -> Result<()>;

/// Run a job: read, plan, decide, write a draft, read it back, judge, measure, report, commit.
pub fn run<K: Kind, F: Form<K>>(
    kind: &K,
    form: &F,
    job: &K::Job,
    tamper: Option<Tamper<'_>>,
    context: &Context<'_>,
) -> Result<shown::Report> {
    form.check(job)?;
    let mut data = kind.read(job, context)?;
    context.lap(Step::Read);
    let plan = form.plan(job, &data, context)?;
    context.lap(Step::Plan);
    let mut decision = form.decide(job, &plan, &data, context)?;
    context.lap(Step::Anonymize);
    let (mut draft, witness) = form.write(job, &plan, &mut data, &mut decision, context)?;
    context.lap(Step::Write);
    if let Some(tamper) = tamper {
        tamper(draft.path()?)?;
    }
    let written = Written { job, data: &data, plan: &plan, decision: &decision, witness: &witness };
    let read = form.read_back(&written, &mut draft, context)?;
    let checked = match form.vouches(&plan) {
        Some((mechanism, promises_privacy)) => verify::vouch(mechanism, promises_privacy),
        None => {
            let facts = form.facts(&written, &read);
            verify::check(form.promises(&plan), facts.as_ref(), form.known_to_fail(&plan))?
        }
    };
    context.lap(Step::Verify);
    let mut report = form.report(&written, &read, &checked)?;
    fill(&mut report, job, &checked, form.checked_how());
    context.lap(Step::Measure);
    form.write_beside(&written)?;
    let mut described = form.describe(&written, &read);
    name_single(&mut described, job);
    let manifest = Manifest::new(kind.name(), form.name(), described);
    draft.commit(checked, &manifest)?;
    form.committed(&written);
    context.lap(Step::Write);
    report.timings_ms = context.times();
    report.peak_rss_bytes = peak_rss_bytes();
    reports::write_reports(&job.common(), &report)?;
    Ok(report)
}

/// Fill in what every report says, whatever the kind and form.
fn fill<J: KindJob>(report: &mut shown::Report, job: &J, checked: &Checked, checked_how: &str) {
    let common = job.common();
    report.version = env!("CARGO_PKG_VERSION").into();
    report.input.path = resolve(common.base, &common.input.path);
    report.job = reports::job_json(job);
    report.job_toml = Some(job::to_toml(job));
    report.seed = common.run.seed.map_or_else(shown::Seed::from_system, shown::Seed::given);
    report.guarantees = checked
        .guarantees()
        .iter()
        .map(|found| reports::shown_guarantee(found, checked_how))
        .collect();
    report.evidence.models = checked.models().to_vec();
    (report.evidence.kind, report.evidence.mechanism) = match checked.evidence() {
        Evidence::CheckedAgainstOriginal => (shown::EvidenceKind::CheckedAgainstOriginal, None),
        Evidence::ByConstruction { mechanism } => {
            (shown::EvidenceKind::ByConstruction, Some(mechanism.clone()))
        }
        Evidence::NoPromise { mechanism } => {
            (shown::EvidenceKind::NoPromise, Some(mechanism.clone()))
        }
    };
    if let Some(output) = &mut report.output {
        output.path = resolve(common.base, common.output);
    }
}

/// Describe a single file under the name that it will have as a release.
fn name_single<J: KindJob>(described: &mut crate::manifest::Described, job: &J) {
    let common = job.common();
    let path = resolve(common.base, common.output);
    for file in described.files.iter_mut().filter(|file| file.path.is_empty()) {
        let name = Path::new(&path).file_name().unwrap_or_default();
        file.path = name.to_string_lossy().into_owned();
    }
}
