//! The report of a run out of core: what every report has, and what was read and written.

use sfumato_core::dataset::Role;
use sfumato_core::group::Guarantee;
use sfumato_report as shown;

use super::choice::Choice;
use super::layout::{Facts, Layout};
use super::measure::Parts;
use super::resume::Divided;
use super::survey::Survey;
use crate::data::check_dependencies::Dependency;
use crate::data::encode::ColumnNote;
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::measure::Measured;
use crate::forms::generalized::report::{
    Checked, ReportInput, generalisation, shown_dependency, standing_warnings, tell,
};
use crate::forms::generalized::verify::ReadBack;
use crate::job::Job;

/// What was read and written, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Io {
    /// The number of bytes written to spill files.
    pub spilled: u64,
    /// The number of bytes read from spill files.
    pub read_back: u64,
    /// The number of passes over the input, including the first.
    pub input_passes: u64,
}

/// Everything about a run out of core.
pub struct Ran<'a> {
    /// The job.
    pub job: &'a Job,
    /// What the first pass found.
    pub survey: &'a Survey,
    /// What tuples were.
    pub layout: &'a Layout,
    /// The plan.
    pub plan: &'a Plan,
    /// The chosen engine.
    pub choice: &'a Choice,
    /// How the input was divided.
    pub divided: &'a Divided,
    /// The draft as it was read back.
    pub read: &'a ReadBack,
    /// What was required and what is achieved.
    pub guarantees: &'a [Guarantee],
    /// Loss and risk.
    pub measured: &'a Measured,
    /// Quasi columns that are suppressed in most records, with the share of these records.
    pub lost: &'a [(usize, f64)],
    /// What columns reveal.
    pub dependencies: &'a [Dependency],
    /// What was read and written.
    pub io: Io,
    /// The allowed memory in bytes.
    pub limit: u64,
    /// How long the first pass took, in milliseconds.
    pub look_ms: f64,
}

/// The private report.
pub fn report(ran: &Ran<'_>) -> shown::Report {
    let Ran { job, survey, layout, plan, read, measured, dependencies, .. } = *ran;
    let template = layout.template();
    let mut warnings = standing_warnings(job, &template, &layout.notes, plan, dependencies);
    let quasi: Vec<&str> = layout
        .frame
        .quasi()
        .into_iter()
        .map(|place| layout.frame.columns[place].column.name.as_str())
        .collect();
    for (column, share) in ran.lost {
        let share = shown::numbers::percent(*share);
        warnings
            .push(format!("column '{}' says nothing in {share} of the records", quasi[*column]));
    }
    tell(ReportInput {
        job,
        plan,
        source: &survey.source,
        n_rows: layout.n_rows,
        n_columns: survey.header.len() as u64,
        guarantees: ran.guarantees,
        details: details(ran),
        columns: columns(ran),
        checked: Checked {
            classes: shown::Classes::from_sizes(read.class_people.iter()),
            evidence: &read.evidence,
            bytes: read.bytes,
            sha256: &read.sha256,
        },
        measured,
        quasi,
        statistics: Vec::new(),
        dependencies: dependencies
            .iter()
            .map(|dependency| shown_dependency(dependency, &template))
            .collect(),
        warnings,
        sample: Vec::new(),
    })
}

fn details(ran: &Ran<'_>) -> serde_json::Value {
    let Ran { plan, choice, divided, io, .. } = *ran;
    let input = ran.survey.source.bytes.max(1) as f64;
    let work = |name: &str| divided.work[name].as_f64().unwrap_or(0.0);
    let rows = work("input_rows").max(1.0);
    // The first look and the loading of partitions are reads too.
    let reads = 1.0 + work("rows_read") / rows + 1.0;
    let predicted_ms = choice.milliseconds(ran.look_ms, ran.layout, plan);
    serde_json::json!({
        "chosen": if ran.job.recode.algorithm == "auto" { "auto" } else { "by the job" },
        "shape": "boxes",
        "objective": plan.metric,
        "effort": plan.effort.name(),
        "engine": {
            "name": choice.engine.name(),
            "why": choice.why,
            "memory": ran.limit,
            "in_memory": choice.in_memory,
            "partition_rows": choice.rows.partition,
            "partitions": divided.partitions.len(),
            "frequency_groups": choice.groups,
            "predicted": { "reads": choice.reads(), "writes": choice.writes(), "ms": predicted_ms },
            "actual": { "reads": reads, "writes": work("rows_written") / rows },
            "work": divided.work,
            "input_passes": io.input_passes,
            "spilled_bytes": io.spilled,
            "spill_read_bytes": io.read_back,
            "spilled_by_input": io.spilled as f64 / input,
        },
        "metrics_left_out": Parts::left_out(),
    })
}

fn columns(ran: &Ran<'_>) -> Vec<shown::Column> {
    let Ran { survey, layout, .. } = *ran;
    let describe = |(place, (name, role)): (usize, (&String, &Role))| {
        let found = layout
            .places
            .iter()
            .position(|p| *p == place)
            .filter(|at| Some(*at) != layout.frame.subject);
        let Some(at) = found else {
            return shown::Column {
                name: name.clone(),
                role: role.name().into(),
                data_type: "not read".into(),
                note: Some("dropped".into()),
                ..shown::Column::default()
            };
        };
        let column = &layout.frame.columns[at].column;
        let (note, facts): (&ColumnNote, &Facts) = (&layout.notes[at], &layout.facts[at]);
        let is_quasi = *role == Role::Quasi;
        let about = (!facts.is_exact).then_some("the number of different values is an estimate");
        let bearing = (is_quasi && note.is_data_bearing)
            .then_some("published bounds are real values of the data");
        let note_text: Vec<&str> = bearing.into_iter().chain(about).collect();
        shown::Column {
            name: name.clone(),
            role: role.name().into(),
            data_type: facts.kind.name().into(),
            distinct: facts.distinct,
            missing: facts.missing,
            generalisation: is_quasi.then(|| generalisation(column, note)),
            hierarchy: (!note.hierarchy.is_empty()).then(|| note.hierarchy.clone()),
            note: (!note_text.is_empty()).then(|| note_text.join("; ")),
        }
    };
    survey.header.iter().zip(&survey.roles).enumerate().map(describe).collect()
}
