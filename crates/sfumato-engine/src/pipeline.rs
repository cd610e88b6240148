//! The pipeline: every step that data take from the input to the release, for every kind and form.

use std::path::Path;

use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::{AtomicFile, Sink};
use sfumato_report as shown;

use crate::context::{Context, Step};
use crate::draft::Draft;
use crate::exec::{Budget, Partitions, check_budget, forget_left};
use crate::form::{Form, Partition, Written};
use crate::kind::{Kind, KindJob};
use crate::ledger::Recording;
use crate::manifest::Manifest;
use crate::paths::resolve;
use crate::stopwatch::{now, peak_rss_bytes};
use crate::verify::{self, Checked, Evidence};
use crate::watch::Watch;
use crate::{attack, job, lie, reports};

/// Something that goes wrong on the way. Only tests have one.
#[derive(Clone, Copy)]
pub enum Tamper<'a> {
    /// A lie of the form, by its name, in place of what the algorithm decided.
    Lie(&'a str),
    /// What happens to the draft between writing and reading back.
    Draft(&'a dyn Fn(&Path) -> Result<()>),
}

/// Run a job. One that was to go on where a killed run stopped, and fails, leaves nothing of it.
pub fn run<K: Kind, F: Form<K>>(
    kind: &K,
    form: &F,
    job: &K::Job,
    tamper: Option<Tamper<'_>>,
    context: &Context<'_>,
) -> Result<shown::Report> {
    let common = job.common();
    run_steps(kind, form, job, tamper, context).inspect_err(|_| {
        if common.run.resume {
            forget_left(&common);
        }
    })
}

/// Read, plan, divide into partitions, decide about each and append it to a draft, read the draft
/// back, judge, measure, report, commit.
fn run_steps<K: Kind, F: Form<K>>(
    kind: &K,
    form: &F,
    job: &K::Job,
    tamper: Option<Tamper<'_>>,
    context: &Context<'_>,
) -> Result<shown::Report> {
    form.check(job)?;
    attack::check_spec(form, job.attack())?;
    let common = job.common();
    check_budget(&common, form.needs(), (form.name(), kind.plural()))?;
    let mut recording = Recording::begin(job)?;
    let budget = Budget::of(common.run)?;
    let watch = Watch::new(context.observer, common.run);
    let context = &Context::new(&watch);
    let mut data = kind.read(job, form.needs(), context)?;
    context.lap(Step::Read);
    let plan = form.plan(job, &data, context)?;
    context.lap(Step::Plan);
    let algorithm = common.recode.algorithm.as_str();
    watch.begin_search(form.is_anytime(&plan));
    let divided = form.divide(job, &plan, &mut data, context);
    let mut partitions = watch.found(divided, algorithm)?;
    refuse_attacks_on_disk(job, partitions.as_ref())?;
    let written = write(form, (job, &plan), &mut data, partitions.as_mut(), (tamper, context));
    let (mut draft, witness) = watch.found(written, algorithm)?;
    watch.end_search();
    if let Some(Tamper::Draft(tamper)) = tamper {
        tamper(draft.path()?)?;
    }
    let partitions = partitions.as_ref();
    let written = Written { job, data: &data, plan: &plan, partitions, witness: &witness };
    let read = form.read_back(&written, &mut draft, context)?;
    let facts = form.facts(&written, &read);
    let checked = verify::check(form.promises(&plan), facts.as_ref(), form.known_to_fail(&plan))?;
    drop(facts);
    let checked = match form.vouches(&plan) {
        Some((mechanism, promises_privacy)) => checked.vouched(mechanism, promises_privacy),
        None => checked,
    };
    if let Some(recording) = &recording {
        recording.check_models(checked.models())?;
    }
    context.lap(Step::Verify);
    let mut described = form.describe(&written, &read);
    name_single(&mut described, job);
    let manifest = Manifest::new(kind.name(), form.name(), described);
    let attacked = attack::play_on_draft((kind, form), job, (&draft, &manifest), context)?;
    let mut report = form.report(&written, &read, &checked)?;
    report.sections.extend(attacked.map(|attacked| attacked.section()));
    fill(&mut report, job, &checked, form.checked_how());
    report.metric_notes = metric_notes(form);
    // The first warning, where no summary leaves it out.
    let remark = watch.remark().or_else(|| partitions.cut_short());
    report.warnings.splice(0..0, remark);
    context.lap(Step::Measure);
    let facts = recording.as_ref().map(|_| form.record(&written, &read)).transpose()?.flatten();
    let mut beside = form.write_beside(&written)?;
    // Everything that can fail is done before the first name is given.
    draft.sync()?;
    context.lap(Step::Write);
    report.timings_ms = context.times();
    report.peak_rss_bytes = peak_rss_bytes();
    let books = partitions.scratch().map(|(folder, _)| folder.accountant());
    report.warnings.extend(budget.exceeded(report.peak_rss_bytes, books));
    report.warnings.extend(recording.iter().flat_map(|recording| recording.notes.clone()));
    beside.extend(reports::write_reports(&job.common(), &report)?);
    commit((draft, checked), &manifest, beside, recording.as_mut().zip(Some(facts)))?;
    partitions.committed();
    Ok(report)
}

/// Give the release its name. Its ledger is told before, and what came of it after: whatever stops
/// the run in between, the next one finds out from the files.
fn commit(
    (draft, checked): (Draft, Checked),
    manifest: &Manifest,
    beside: Vec<AtomicFile>,
    recording: Option<(&mut Recording, Option<serde_json::Value>)>,
) -> Result<()> {
    let Some((recording, facts)) = recording else {
        return draft.commit(checked, manifest, beside).map(|_| ());
    };
    recording.announce(manifest, &checked, facts)?;
    let committed = draft.commit(checked, manifest, beside);
    recording.end(committed.is_ok())?;
    committed.map(|_| ())
}

/// Attackers read the original and the draft whole: refuse what is larger than memory, before the
/// work is done.
fn refuse_attacks_on_disk<J: KindJob, D, X>(
    job: &J,
    partitions: &dyn Partitions<D, X>,
) -> Result<()> {
    match job.attack().is_some() && partitions.scratch().is_some() {
        false => Ok(()),
        true => Err(Error::unsupported("attacks need all records in memory")
            .hint("leave [attack] out, or allow more --memory")),
    }
}

/// Decide about each partition and append it to a draft. What a killed run has decided is only
/// written.
fn write<K: Kind, F: Form<K>>(
    form: &F,
    (job, plan): (&K::Job, &F::Plan),
    data: &mut K::Data,
    partitions: &mut dyn Partitions<K::Data, F::Decision>,
    (tamper, context): (Option<Tamper<'_>>, &Context<'_>),
) -> Result<(Draft, F::Witness)> {
    let mut so_far = None;
    let count = partitions.count();
    for at in 0..count {
        if context.observer.cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
        }
        let mut loaded = partitions.load(at)?;
        let partition = loaded.as_mut().unwrap_or(data);
        let mut decision = match partitions.decided(at)? {
            Some(decision) => decision,
            None => {
                let decision = form.decide(job, plan, partition, context)?;
                partitions.note(at, partition, &decision, context.observer.cut_short())?;
                decision
            }
        };
        if let Some(Tamper::Lie(name)) = tamper {
            lie::tell(form, name, partition, &mut decision)?;
        }
        context.lap(Step::Anonymize);
        let partition = Partition {
            data: partition,
            decision: &mut decision,
            before: so_far.take(),
            random: &|| partitions.random(at),
            is_everything: partitions.scratch().is_none(),
        };
        so_far = Some(form.write(job, plan, partition, context)?);
        context.lap(Step::Write);
        partitions.give_back(at, decision);
    }
    let (mut draft, mut witness) =
        so_far.ok_or_else(|| Error::internal("there was no partition to write"))?;
    form.close(&mut draft, &mut witness)?;
    context.lap(Step::Write);
    Ok((draft, witness))
}

/// What the metrics of a form say.
pub(crate) fn metric_notes<K: Kind, F: Form<K>>(form: &F) -> Vec<shown::MetricNote> {
    let note = |info: &sfumato_core::registry::Info| shown::MetricNote {
        name: info.name,
        summary: info.summary,
        more_is_better: form.more_is_better(info.name),
    };
    form.metrics().into_iter().map(note).collect()
}

/// What every report says, whatever the kind and form.
fn fill<J: KindJob>(report: &mut shown::Report, job: &J, checked: &Checked, checked_how: &str) {
    let common = job.common();
    report.version = env!("CARGO_PKG_VERSION").into();
    report.made = Some(now());
    report.input.path = resolve(common.base, &common.input.path);
    report.job = reports::job_json(job);
    if let n @ 1.. = common.run.accept_guesses.len() {
        let (guesses, were) = if n == 1 { ("guess", "was") } else { ("guesses", "were") };
        // It comes first: everything else that the report says rests on the roles.
        report.warnings.insert(
            0,
            format!(
                "{n} {guesses} of 'sfumato init' {were} used without a person's confirmation \
                 (--accept-guesses): {}",
                shown::some_of(&common.run.accept_guesses)
            ),
        );
    }
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
    let sink = Sink::of(&resolve(common.base, common.output));
    for file in described.files.iter_mut().filter(|file| file.path.is_empty()) {
        file.path = sink.file_name();
    }
}
