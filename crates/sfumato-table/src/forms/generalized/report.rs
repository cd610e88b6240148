//! Fills the private report and writes the reports that the job asks for.

use sfumato_engine::reports::{job_json, params_json, shown_guarantee};

use sfumato_core::column::Provenance;
use sfumato_core::dataset::{Column, Role, Table, ValueKind};
use sfumato_core::group::Guarantee;
use sfumato_core::recoding::{Cut, RecodedColumn, Recoding, Value};
use sfumato_core::registry::Info;
use sfumato_core::traits::View;
use sfumato_report as shown;

use crate::data::check_dependencies::Dependency;
use crate::data::encode::{ColumnNote, Encoded};
use crate::forms::generalized::audit_arguments;
use crate::forms::generalized::kept::kept;
use crate::forms::generalized::make_plan::{Plan, looks_at_values};
use crate::forms::generalized::measure::{Figures, Measured, count_distinct, count_missing};
use crate::forms::generalized::statistics::{self, Statistics};
use crate::forms::generalized::verify::{Evidence, ReadBack};
use crate::job::Job;
use crate::kind::TableData;
use crate::spill::Facts;

/// The number of rows that are shown side by side.
const SAMPLE: usize = 10;

/// What recipients may rely on: the verifier compared every cell with its original.
const TRUTHFUL: &str = "Records are truthful: each published record is one of the original ones, \
    and every cell covers the value that it had. None is made up.";

/// Everything from which a report is made.
pub struct Parts<'a> {
    /// The job.
    pub job: &'a Job,
    /// The data.
    pub data: &'a TableData,
    /// The plan.
    pub plan: &'a Plan,
    /// The decision, where all records are in memory.
    pub recoding: Option<&'a dyn Recoding>,
    /// The statistics of its regions.
    pub statistics: &'a Statistics,
    /// The draft as it was read back.
    pub read: &'a ReadBack,
    /// What was required and what is achieved.
    pub guarantees: &'a [Guarantee],
    /// Loss and risk.
    pub figures: &'a Figures,
    /// What columns give away.
    pub dependencies: &'a [Dependency],
}

/// How the algorithm was chosen and what it found out. Findings are about the objective, so they
/// include its name.
pub(crate) fn details(plan: &Plan, table: &Table, recoding: &dyn Recoding) -> serde_json::Value {
    let mut details = standing_details(plan, recoding.shape());
    for finding in recoding.findings() {
        details[finding.name] = finding.value.into();
    }
    if let Some(cuts) = recoding.cuts() {
        let columns = table.quasi().into_iter().zip(cuts).enumerate();
        details["cuts"] = columns
            .map(|(quasi, (column, cut))| shown_cut(column, cut, recoding.column(quasi)))
            .collect();
    }
    details
}

/// How the algorithm was chosen, whatever it found out.
fn standing_details(plan: &Plan, shape: &str) -> serde_json::Value {
    serde_json::json!({
        "chosen": if plan.is_auto { "auto" } else { "by the job" },
        "shape": shape,
        "objective": plan.metric,
        "effort": plan.effort.name(),
    })
}

/// How a column is published that is recoded by itself: at which level, if all its values have one,
/// and as how many values.
fn shown_cut(column: &Column, cut: &Cut, published: &RecodedColumn) -> serde_json::Value {
    let mut shown = serde_json::json!({ "column": column.name, "values": published.values.len() });
    // A missing value stays missing at every level.
    let levels = || {
        published
            .values
            .iter()
            .filter(|value| !cut.is_for_missing(**value))
            .map(|value| value.level(column))
    };
    // Ranges without a hierarchy have no levels to speak of.
    let is_level =
        |level: &usize| column.hierarchy.is_some() && levels().all(|other| other == *level);
    if let Some(level) = levels().next().filter(is_level) {
        shown["level"] = level.into();
        shown["top_level"] = Value::max_level(column).into();
    }
    shown
}

/// The content of a report, for tables in memory and on disk.
pub struct ReportInput<'a> {
    /// The job.
    pub job: &'a Job,
    /// The plan.
    pub plan: &'a Plan,
    /// The file that the data were read from.
    pub source: &'a Provenance,
    /// The number of rows.
    pub n_rows: u64,
    /// The number of all columns.
    pub n_columns: u64,
    /// What was required and what is achieved.
    pub guarantees: &'a [Guarantee],
    /// How the algorithm was chosen and what it found out.
    pub details: serde_json::Value,
    /// The description of each column.
    pub columns: Vec<shown::Column>,
    /// The release as the verifier found it.
    pub checked: Checked<'a>,
    /// Loss and risk.
    pub measured: &'a Measured,
    /// The names of the quasi columns.
    pub quasi: Vec<&'a str>,
    /// The statistics of regions.
    pub statistics: Vec<shown::RegionStatistic>,
    /// What columns reveal.
    pub dependencies: Vec<shown::Dependency>,
    /// What the steward should know.
    pub warnings: Vec<String>,
    /// Some records, before and after.
    pub sample: Vec<shown::SamplePair>,
}

/// What the verifier found about a release.
pub struct Checked<'a> {
    /// The classes of the release.
    pub classes: shown::Classes,
    /// What was checked.
    pub evidence: &'a Evidence,
    /// Bytes of the file.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: &'a str,
}

/// The private report of a run. Times and peak memory are filled in at the end.
pub fn report(parts: &Parts<'_>) -> shown::Report {
    let Parts { job, data, plan, recoding, statistics, read, guarantees, figures, dependencies } =
        *parts;
    let table = &data.encoded.table;
    let hiding = read.matched.as_ref().unwrap_or(&read.class_people);
    let sampled = |recoding| sample(plan, table, recoding, read.evidence.rows as usize);
    let mut report = tell(ReportInput {
        job,
        plan,
        source: &data.encoded.source,
        n_rows: data.n_rows(),
        n_columns: data.encoded.header.len() as u64,
        guarantees,
        details: match recoding {
            Some(recoding) => details(plan, table, recoding),
            // Partitions that aren't in memory any more were finished by Mondrian.
            None => standing_details(plan, "boxes"),
        },
        columns: columns(job, data, plan),
        checked: Checked {
            classes: shown::Classes::from_sizes(read.class_people.iter()),
            evidence: &read.evidence,
            bytes: read.bytes,
            sha256: &read.sha256,
        },
        measured: &figures.finish(hiding, job.privacy.population),
        quasi: table.quasi().iter().map(|column| column.name.as_str()).collect(),
        statistics: statistics::shown(plan, table, statistics),
        dependencies: dependencies
            .iter()
            .map(|dependency| shown_dependency(dependency, table))
            .collect(),
        warnings: warnings(parts),
        sample: recoding.map(sampled).unwrap_or_default(),
    });
    let quasi = table.quasi();
    let wholly = figures.lost_columns().into_iter().filter(|(_, share)| *share >= 1.0);
    report.lost_columns = wholly.map(|(column, _)| quasi[column].name.clone()).collect();
    let classes = recoding.map(|recoding| recoding.class_of_row());
    data.encoded.pseudonyms.tell(&mut report, job, table, classes);
    if let Some(recoding) = recoding {
        report.kept = kept(&View::new(table, recoding, plan.k));
    }
    if let Some(larger) = &data.larger {
        larger.tell(&mut report, job, plan);
    }
    report
}

/// Make the report.
pub fn tell(told: ReportInput<'_>) -> shown::Report {
    let ReportInput { job, plan, source, measured, checked, columns, .. } = told;
    let job_as_json = job_json(job);
    let guarantees: Vec<shown::Guarantee> =
        told.guarantees.iter().map(|found| shown_guarantee(found, "")).collect();
    let audit = audit_arguments::of_generalized(&job_as_json, &columns, &guarantees);
    // A subject column makes sizes count people.
    let is_about_people = columns.iter().any(|column| column.role == Role::Subject.name());
    let counted = if is_about_people { "people" } else { "records" };
    shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: told.n_rows,
            columns: told.n_columns,
            holds: None,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: told.details,
        },
        columns,
        classes: Some(checked.classes),
        classes_before: Some(shown::Classes::from_sizes(measured.classes_before.iter())),
        suppressed: shown::Suppressed {
            blank: measured.blank,
            ..shown::Suppressed::new(measured.suppressed, measured.suppressed_cells, told.n_rows)
        },
        statistics: told.statistics,
        metrics: metrics(job, measured),
        metrics_by_column: metrics_by_column(&told.quasi, measured),
        risks: measured
            .risks
            .iter()
            .map(|(name, before, after)| {
                (name.replace('-', "_"), shown::Change { before: *before, after: *after })
            })
            .collect(),
        evidence: shown::Evidence {
            rows: checked.evidence.rows,
            cells: checked.evidence.cells,
            ..shown::Evidence::default()
        },
        dependencies: told.dependencies,
        warnings: blank_warning(job, measured.blank).into_iter().chain(told.warnings).collect(),
        largest_losses: measured
            .largest_losses
            .iter()
            .map(|(column, published, records, loss)| shown::LargestLoss {
                column: column.clone(),
                published: published.clone(),
                records: *records,
                loss: *loss,
            })
            .collect(),
        sample: told.sample,
        output: Some(shown::Output {
            path: String::new(),
            rows: checked.evidence.rows,
            bytes: checked.bytes,
            sha256: checked.sha256.to_string(),
        }),
        words: shown::Words { counted, truthful: TRUTHFUL, ..shown::Words::default() },
        audit,
        ..shown::Report::default()
    }
}

/// What is known of a column of the table: counted in memory, or by the first look at a table on
/// disk.
fn facts(data: &TableData, place: usize, tokens: &[String]) -> Facts {
    match &data.larger {
        Some(larger) => larger.about.layout.facts[place],
        None => counted_facts(&data.encoded.table.columns[place], tokens),
    }
}

/// The kind, the number of different values and the missing ones of a column. One that passes
/// through is kept as texts, and looked at here.
fn counted_facts(column: &Column, tokens: &[String]) -> Facts {
    if matches!(column.role, Role::Quasi | Role::Sensitive | Role::Guard) {
        return Facts {
            kind: column.domain.kind,
            distinct: count_distinct(column),
            is_exact: true,
            missing: count_missing(column),
        };
    }
    let is_missing = |text: &str| text.is_empty() || tokens.iter().any(|token| token == text);
    let texts = column.domain.texts();
    let kind = ValueKind::infer(texts.iter().filter(|text| !is_missing(text)));
    let counts = column.codes.counts(column.domain.len() + 1);
    let (mut distinct, mut missing) = (0, counts[column.domain.len()]);
    for (text, count) in texts.iter().zip(&counts).filter(|(_, count)| **count > 0) {
        if is_missing(text) {
            missing += count;
        } else {
            distinct += 1;
        }
    }
    Facts { kind, distinct, is_exact: true, missing }
}

pub(crate) fn columns(job: &Job, data: &TableData, plan: &Plan) -> Vec<shown::Column> {
    let encoded = &data.encoded;
    let describe = |(name, role): (&String, &Role)| {
        let found = encoded.table.columns.iter().position(|column| column.name == *name);
        let Some(index) = found else {
            return shown::Column {
                name: name.clone(),
                role: role.name().into(),
                data_type: "not read".into(),
                note: Some("dropped".into()),
                ..shown::Column::default()
            };
        };
        let (column, note) = (&encoded.table.columns[index], &encoded.notes[index]);
        let Facts { kind, distinct, is_exact, missing } = facts(data, index, &job.input.missing);
        let is_quasi = column.role == Role::Quasi;
        let bearing = match (is_quasi && note.is_data_bearing, plan.forms.of(index)) {
            (_, Some(_)) => Some("statistics of its classes are made from real values of the data"),
            (true, None) => Some("published bounds are real values of the data"),
            _ if column.role == Role::Guard => Some("read by models, never published"),
            (false, None) => None,
        };
        let about = (!is_exact).then_some("the number of different values is an estimate");
        let remarks: Vec<&str> = bearing.into_iter().chain(about).collect();
        let is_pseudonym = encoded.pseudonyms.has(name);
        shown::Column {
            name: name.clone(),
            role: if is_pseudonym { "pseudonym" } else { role.name() }.into(),
            data_type: kind.name().into(),
            distinct,
            missing,
            generalisation: is_quasi.then(|| generalisation(column, note)),
            hierarchy: (!note.hierarchy.is_empty()).then(|| note.hierarchy.clone()),
            note: (!remarks.is_empty()).then(|| remarks.join("; ")),
        }
    };
    encoded.header.iter().zip(&encoded.roles).map(describe).collect()
}

/// One word for the public report: no path, no value.
fn generalisation(column: &Column, note: &ColumnNote) -> String {
    match (&column.hierarchy, note.hierarchy.split('(').next()) {
        (None, _) => "range".into(),
        (Some(_), Some(word)) if sfumato_hierarchy::find(word).is_ok() => word.into(),
        _ => "flat".into(),
    }
}

fn metrics(job: &Job, measured: &Measured) -> shown::Ordered<Option<f64>> {
    let mut ordered: Vec<_> = measured.metrics.iter().collect();
    ordered.sort_by_key(|(name, _)| *name != job.recode.metric);
    ordered.into_iter().map(|(name, measurement)| (*name, Some(measurement.overall))).collect()
}

fn metrics_by_column(
    quasi: &[&str],
    measured: &Measured,
) -> shown::Ordered<shown::Ordered<Option<f64>>> {
    let with_columns = measured.metrics.iter().filter(|(_, m)| m.by_column.len() == quasi.len());
    let columns = |values: &[f64]| -> shown::Ordered<Option<f64>> {
        quasi.iter().zip(values).map(|(column, value)| (column.to_string(), Some(*value))).collect()
    };
    with_columns.map(|(name, measurement)| (*name, columns(&measurement.by_column))).collect()
}

/// A dependency as the report shows it.
fn shown_dependency(dependency: &Dependency, table: &Table) -> shown::Dependency {
    let role =
        table.columns.iter().find(|c| c.name == dependency.column).map_or("", |c| c.role.name());
    shown::Dependency {
        column: dependency.columns().collect::<Vec<&str>>().join(" and "),
        role: role.into(),
        determines: dependency
            .gives_away
            .clone()
            .unwrap_or_else(|| "its own record (nearly unique)".into()),
        share: dependency.strength,
        accepted: dependency.accepted,
    }
}

/// What the job asks for but this algorithm ignores.
pub fn ignored(plan: &Plan) -> Vec<String> {
    let asked = |what: &&&str| match **what {
        "max_suppression" => plan.max_suppressed > 0,
        "metric" => plan.metric != "ncp",
        _ => true,
    };
    let name = plan.algorithm.info().name;
    let told = |what: &&str| match *what {
        "max_suppression" => {
            format!(
                "{name} suppresses no records, whatever the limit is: another algorithm may lose \
                    less"
            )
        }
        what => format!("{name} doesn't look at the {what} that was asked for"),
    };
    let mut told: Vec<String> =
        plan.algorithm.info().capabilities.ignores.iter().filter(asked).map(told).collect();
    if plan.workload.guides_splits() && !plan.algorithm.info().capabilities.uses_workload {
        told.push(format!("{name} doesn't look at the workload: mondrian does"));
    }
    told
}

/// Records that say nothing though they are there. Whoever limits them knows of them.
fn blank_warning(job: &Job, blank: u64) -> Option<String> {
    (blank > 0 && job.privacy.limit_of_silent().is_unsaid()).then(|| {
        let verb = if blank == 1 { "is" } else { "are" };
        format!(
            "{} {verb} published with * in every quasi column; --max-suppression limits how many \
             records may say nothing, left out or published so",
            shown::numbers::counted(blank, "record")
        )
    })
}

fn warnings(parts: &Parts<'_>) -> Vec<String> {
    let Parts { job, data, dependencies, plan, recoding, statistics, figures, .. } = *parts;
    let table = &data.encoded.table;
    let mut warnings = standing_warnings(job, &data.encoded, plan, dependencies);
    warnings.extend(statistics::warnings(plan, table, statistics));
    let quasi = table.quasi();
    let partly = figures.lost_columns().into_iter().filter(|(_, share)| *share < 1.0);
    warnings.extend(partly.map(|(column, share)| {
        let (name, share) = (&quasi[column].name, shown::numbers::percent(share));
        format!("column '{name}' says nothing in {share} of the records")
    }));
    if let Some(matches) = recoding.and_then(|recoding| recoding.matches()) {
        warnings.push(format!(
            "records hide in no classes here: each matches {} published ones, and which of them is \
                its own was drawn; sizes of classes say nothing of that",
            matches.m()
        ));
    }
    warnings
}

/// What follows from the job, its columns and its models, whatever was decided.
fn standing_warnings(
    job: &Job,
    encoded: &Encoded,
    plan: &Plan,
    dependencies: &[Dependency],
) -> Vec<String> {
    let Encoded { table, notes, remarks, .. } = encoded;
    let mut warnings: Vec<String> = dependencies
        .iter()
        .map(|d| if d.is_partial { d.to_string() } else { format!("{d}; accepted by the job") })
        .collect();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("rows are in the order of the input, which can give people away".into());
    }
    let noted = || table.columns.iter().zip(notes);
    let bearing: Vec<&str> = noted()
        .filter(|(column, note)| column.role == Role::Quasi && note.is_data_bearing)
        .map(|(column, _)| column.name.as_str())
        .collect();
    if !bearing.is_empty() {
        warnings.push(format!(
            "published bounds are real values of the data in {}; give a hierarchy to publish \
                stated bounds instead",
            shown::some_of(&bearing)
        ));
    }
    let flat: Vec<&str> = noted()
        .filter(|(column, note)| {
            column.role == Role::Quasi && note.hierarchy.starts_with("none given: a flat")
        })
        .map(|(column, _)| column.name.as_str())
        .collect();
    match &flat[..] {
        [] => {}
        [one] => warnings.push(format!(
            "column '{one}' has no hierarchy: its values are published exactly or not at all"
        )),
        several => warnings.push(format!(
            "columns {} have no hierarchy: their values are published exactly or not at all",
            shown::some_of(several)
        )),
    }
    warnings.extend(minimality(plan));
    warnings.extend(unguarded(table, plan));
    warnings.extend(remarks.iter().cloned());
    if table.sensitive().len() > 1 {
        warnings.push(
            "several sensitive columns: each is checked by itself; knowing one may break another \
                unless it is made quasi"
                .into(),
        );
    }
    warnings
}

/// What an attacker who knows the algorithm may conclude from regions that sensitive values
/// decided.
fn minimality(plan: &Plan) -> Option<String> {
    let Info { name, capabilities, .. } = plan.algorithm.info();
    if !looks_at_values(&plan.requirements) || capabilities.cuts_blindly {
        return None;
    }
    let why = match capabilities.fits_sensitive {
        true => "its regions follow these values",
        false => "where it doesn't split a region, these values may be why",
    };
    Some(format!(
        "what the models say of sensitive values isn't promised against an attacker who knows that \
         {name} was used: {why} (minimality); veiled-mondrian cuts regions by counts alone"
    ))
}

/// Sensitive columns that no model is about.
pub(crate) fn unguarded(table: &Table, plan: &Plan) -> Vec<String> {
    let counted = table.counted();
    let guarded = plan.requirements.needed_histograms(counted.len());
    let names = counted
        .iter()
        .zip(guarded)
        .filter(|(column, guarded)| !guarded && column.role == Role::Sensitive)
        .map(|(column, _)| &column.name);
    names
        .map(|name| {
            format!(
                "no model guards sensitive column '{name}': a class may have a single value of it"
            )
        })
        .collect()
}

fn sample(
    plan: &Plan,
    table: &Table,
    recoding: &dyn Recoding,
    n_published: usize,
) -> Vec<shown::SamplePair> {
    let rows = (0..n_published).step_by(n_published.div_ceil(SAMPLE).max(1)).take(SAMPLE);
    rows.map(|row| {
        let class = recoding.class_of_row()[row];
        let mut quasi = 0;
        let mut pair = shown::SamplePair::default();
        for (place, column) in
            table.columns.iter().enumerate().filter(|(_, c)| c.role.is_published())
        {
            let code = column.codes.get(row);
            let original =
                (code != column.domain.missing()).then(|| column.domain.label(code).to_string());
            let published = if column.role == Role::Quasi {
                quasi += 1;
                match recoding.value(class, quasi - 1) {
                    Value::Missing => None,
                    _ if plan.forms.of(place).is_some_and(|forms| !forms.interval) => None,
                    value => Some(value.render(column)),
                }
            } else {
                original.clone()
            };
            pair.original.insert(column.name.clone(), original);
            pair.published.insert(column.name.clone(), published);
        }
        pair
    })
    .collect()
}
