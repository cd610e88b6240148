//! The whole comparison: cluster, label, anonymize with the labels and blind to them, cluster
//! again, compare.

use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{ErrorKind, Result};
use sfumato_learn::Matrix;
use sfumato_learn::cluster::{Clustering, Contingency, match_point, overall_f_measure};
use sfumato_report::cluster::{Alike, Arm, ClusterStudy, Clusters, Figures};

use super::arms::{Masked, Try, mask, resolve, tries};
use super::clusterer::ClustererCall;
use super::features::matrix_of_original;
use super::settings::Settings;
use super::supplement::{self, Supplement};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_table::data::check_dependencies::check_dependencies;
use sfumato_table::data::encode::encode;
use sfumato_table::data::read::read;
use sfumato_table::forms::generalized::make_plan::{bind_models, bind_table};
use sfumato_table::job::Job;

/// A comparison, and what goes with the best release for each number of clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The comparison.
    pub study: ClusterStudy,
    /// What a holder may hand out beside the best arm, where one is feasible.
    pub supplements: Vec<Supplement>,
}

/// Read the job's input and compare. The job's output is ignored, and nothing is written.
pub fn cluster(job: &Job, settings: &Settings, observer: &dyn Observer) -> Result<ClusterStudy> {
    Ok(study(job, settings, observer)?.study)
}

/// The same with supplements.
pub fn study(job: &Job, settings: &Settings, observer: &dyn Observer) -> Result<Study> {
    settings.check()?;
    let (job, notes) = without_tasks(job);
    let dataset = read(&job, observer)?;
    let encoded = encode(&job, dataset)?;
    check_dependencies(&job, &encoded.table)?;
    let mut found = compare(&job, settings, &encoded.table, observer)?;
    found.study.notes.splice(0..0, notes);
    Ok(found)
}

/// The job with no other target and no other task than the clusters, and what was left aside, in
/// words.
pub fn without_tasks(job: &Job) -> (Job, Vec<String>) {
    let mut own = job.clone();
    let mut notes = Vec::new();
    let targets = own.columns.0.iter_mut().filter(|(_, spec)| spec.role == Role::Target);
    let mut names = Vec::new();
    for (name, spec) in targets {
        spec.role = Role::Keep;
        names.push(name.clone());
    }
    if !names.is_empty() {
        notes.push(format!(
            "the clusters are the target here; {} is published as it is",
            names.join(", ")
        ));
    }
    if !own.workload.tasks.is_empty() {
        own.workload.tasks.clear();
        notes.push("the job's workload isn't looked at: the clusters are the task".into());
    }
    (own, notes)
}

/// Compare on a table in memory that has no target.
pub fn cluster_table(
    job: &Job,
    settings: &Settings,
    table: &Table,
    observer: &dyn Observer,
) -> Result<ClusterStudy> {
    Ok(compare(job, settings, table, observer)?.study)
}

fn compare(
    job: &Job,
    settings: &Settings,
    table: &Table,
    observer: &dyn Observer,
) -> Result<Study> {
    let clock = Stopwatch::start();
    let clusterer = settings.check()?;
    bind_models(&job.privacy.models, &bind_table(table))?;
    let recipient = settings.of_recipient()?;
    let original = matrix_of_original(table)?;
    let run = Run { job, settings, table, clusterer, recipient, original, observer };
    let tries = tries(job, settings, table)?;
    let steps = tries.len() * (1 + settings.clusters.len());
    // Without labels the number of clusters makes no difference to what is published.
    let mut blind = Vec::with_capacity(tries.len());
    for (place, try_) in tries.iter().enumerate() {
        let step = format!("{}/{steps} {}", place + 1, try_.text);
        blind.push(run.mask(try_, None, &Renamed { step: &step, inner: observer })?);
    }
    let mut study = ClusterStudy {
        version: env!("CARGO_PKG_VERSION").into(),
        input: job.input.path.clone(),
        rows: table.n_rows as u64,
        quasi: table.quasi().iter().map(|column| column.name.clone()).collect(),
        models: job.privacy.models.clone(),
        max_suppression: job.privacy.max_suppression.to_string(),
        clusterer: settings.clusterer.clone(),
        recipient: settings.recipient.clone(),
        seed: settings.seed,
        ..ClusterStudy::default()
    };
    let mut supplements = Vec::new();
    for (place, n) in settings.clusters.iter().enumerate() {
        let first = tries.len() * (1 + place);
        let name =
            |arm: usize, text: &str| format!("{}/{steps} {text} for {n} clusters", first + arm + 1);
        let (number, supplement) = run.number(*n, &tries, &blind, name, &mut study.notes)?;
        study.numbers.push(number);
        supplements.extend(supplement);
    }
    if settings.clusters.len() > 1 {
        study.notes.push(
            "release one of these at most: whoever has two releases of the same people, made for \
                different numbers of \
             clusters, can tell people apart by comparing them"
                .into(),
        );
    }
    study.seconds = clock.total() / 1e3;
    Ok(Study { study, supplements })
}

struct Run<'a> {
    job: &'a Job,
    settings: &'a Settings,
    table: &'a Table,
    clusterer: ClustererCall,
    recipient: ClustererCall,
    original: Matrix,
    observer: &'a dyn Observer,
}

/// What an algorithm decided, and what `auto` chose; or why nothing can be decided.
type Decided = std::result::Result<(Masked, Option<String>), String>;

impl Run<'_> {
    fn mask(&self, try_: &Try, labels: Option<&[u32]>, observer: &dyn Observer) -> Result<Decided> {
        let seed = self.settings.seed;
        let decided = resolve(self.job, &try_.text, seed, self.table, labels).and_then(|text| {
            let masked = mask(self.job, &text, seed, self.table, labels, observer)?;
            Ok((masked, (text != try_.text).then_some(text)))
        });
        match decided {
            Ok(decided) => Ok(Ok(decided)),
            Err(error) if matches!(error.kind, ErrorKind::Infeasible | ErrorKind::Unsupported) => {
                Ok(Err(error.message))
            }
            Err(error) => Err(error),
        }
    }

    fn number(
        &self,
        n: u64,
        tries: &[Try],
        blind: &[Decided],
        name: impl Fn(usize, &str) -> String,
        notes: &mut Vec<String>,
    ) -> Result<(Clusters, Option<Supplement>)> {
        let labels = self.clusterer.run(&self.original, n, self.settings.seed)?;
        let again = self.clusterer.run(&self.original, n, self.settings.seed.wrapping_add(1))?;
        let mut found = Clusters {
            clusters: n,
            again: alike(&labels.labels, &again.labels)?,
            ..Clusters::default()
        };
        found.sizes = vec![0; labels.n_clusters];
        labels.labels.iter().for_each(|label| found.sizes[*label as usize] += 1);
        found.sizes.sort_unstable_by(|a, b| b.cmp(a));
        if (labels.n_clusters as u64) < n {
            notes
                .push(format!("{n} clusters were asked for; there are only {}", labels.n_clusters));
        }
        let mut supplements = Vec::new();
        for (place, (try_, blind)) in tries.iter().zip(blind).enumerate() {
            if try_.with_labels {
                let observer = Renamed { step: &name(place, &try_.text), inner: self.observer };
                let told = self.mask(try_, Some(&labels.labels), &observer)?;
                if let (Ok((told, _)), Ok((blind, _))) = (&told, blind)
                    && is_same(told, blind)
                {
                    notes.push(format!(
                        "{} decides the same for {n} clusters with the labels and without",
                        try_.text
                    ));
                }
                let arm = self.arm(try_, true, &told, &labels, n)?;
                supplements.push(self.supplement(&arm, &told, &labels, n));
                found.arms.push(arm);
            }
            let arm = self.arm(try_, false, blind, &labels, n)?;
            supplements.push(self.supplement(&arm, blind, &labels, n));
            found.arms.push(arm);
        }
        found.best = best(&found.arms);
        let supplement = found.best.and_then(|best| supplements.swap_remove(best));
        Ok((found, supplement))
    }

    /// What goes with an arm, if it is feasible.
    fn supplement(
        &self,
        arm: &Arm,
        decided: &Decided,
        labels: &Clustering,
        n: u64,
    ) -> Option<Supplement> {
        let (masked, _) = decided.as_ref().ok()?;
        let recoding = masked.recoding.as_ref();
        let classes = supplement::classes(self.table, recoding, &labels.labels, labels.n_clusters);
        Some(Supplement {
            clusters: n,
            clusterer: self.settings.clusterer.clone(),
            recipient: self.settings.recipient.as_ref().unwrap_or(&self.settings.clusterer).clone(),
            algorithm: arm.chosen.as_ref().unwrap_or(&arm.algorithm).clone(),
            labelled: arm.labelled,
            similarity: arm.figures.as_ref()?.alike,
            taxonomies: supplement::taxonomies(self.table),
            solution: supplement::solution(self.table, &classes),
            classes,
        })
    }

    fn arm(
        &self,
        try_: &Try,
        labelled: bool,
        decided: &Decided,
        labels: &Clustering,
        n: u64,
    ) -> Result<Arm> {
        let mut arm = Arm { algorithm: try_.text.clone(), labelled, ..Arm::default() };
        let (masked, chosen) = match decided {
            Ok(decided) => decided,
            Err(reason) => return Ok(Arm { infeasible: Some(reason.clone()), ..arm }),
        };
        let mut clock = Stopwatch::start();
        let after = self.recipient.run(&masked.matrix, n, self.settings.seed)?;
        let before: Vec<u32> = masked.kept.iter().map(|row| labels.labels[*row as usize]).collect();
        arm.chosen = chosen.clone();
        arm.figures = Some(Figures {
            alike: alike(&before, &after.labels)?,
            both: Contingency::new(&before, &after.labels)?.both,
            clusters: after.n_clusters as u64,
            compared: masked.kept.len() as u64,
            suppressed: (self.table.n_rows - masked.kept.len()) as u64,
            classes: masked.classes,
            ncp: masked.ncp,
            anonymize_seconds: masked.seconds,
            cluster_seconds: clock.lap() / 1e3,
        });
        Ok(arm)
    }
}

fn alike(before: &[u32], after: &[u32]) -> Result<Alike> {
    let table = Contingency::new(before, after)?;
    Ok(Alike { f_measure: overall_f_measure(&table), match_point: match_point(&table) })
}

/// Whether two decisions publish the same.
fn is_same(a: &Masked, b: &Masked) -> bool {
    a.recoding.class_of_row() == b.recoding.class_of_row() && a.matrix == b.matrix
}

/// The highest F, of equal ones the higher match point, then the first.
fn best(arms: &[Arm]) -> Option<usize> {
    let key = |arm: &Arm| arm.figures.as_ref().map(|f| (f.alike.f_measure, f.alike.match_point));
    let known = arms.iter().enumerate().filter_map(|(place, arm)| Some((place, key(arm)?)));
    known.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(place, _)| place)
}
