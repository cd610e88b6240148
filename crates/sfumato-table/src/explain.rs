//! The facts of a plan of a table, without running it.

use sfumato_core::Result;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::Observer;
use sfumato_core::traits::Requirement;

use crate::data::check_dependencies::check_dependencies;
use crate::data::encode::{Encoded, encode};
use crate::data::read::read;
use crate::forms::buckets;
use crate::forms::generalized::make_plan::{Plan, make_plan};
use crate::forms::generalized::measure::{count_distinct, count_missing};
use crate::job::Job;
use crate::spill;
use crate::spill::beyond_memory;
use sfumato_engine::explain::{AlgorithmFacts, Estimate, ONE_PASS, PlanFacts, ReadFacts};
use sfumato_engine::stopwatch::Stopwatch;
use sfumato_report::numbers::{bytes, count, duration};

/// Explain a job: what will be read, which algorithm runs on what, how much memory and time that
/// takes. Reads the input, because sizes and time depend on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<PlanFacts> {
    let layout = buckets::layout_of(job)?;
    if layout.is_none()
        && let Some(limit) = beyond_memory(job)?
        && let Some(facts) = spill::explain(job, limit, observer)?
    {
        return Ok(facts);
    }
    let mut clock = Stopwatch::start();
    let dataset = read(job, observer)?;
    let read_ms = clock.lap();
    let encoded = encode(job, dataset)?;
    let dependencies = match layout {
        None => check_dependencies(job, &encoded.table)?,
        Some(_) => Vec::new(),
    };
    let encode_ms = clock.lap();
    let plan = make_plan(job, &encoded.table)?;
    if let Some(layout) = layout {
        buckets::check(job, layout, &encoded.table, &plan)?;
    }
    // Not by the plan: a saved recoding takes the algorithm's place and has no such limits.
    plan.algorithm.check_suppression(&plan.requirements, plan.max_suppressed)?;
    let table = &encoded.table;

    let mut about: Vec<String> = encoded
        .header
        .iter()
        .zip(&encoded.roles)
        .map(|(name, role)| format!("{name} ({}): {}", role.name(), about_column(&encoded, name)))
        .collect();
    about.extend(dependencies.iter().map(|dependency| format!("accepted: {dependency}")));
    let buckets = layout.map(|layout| {
        let name = layout.name();
        format!("buckets ({name}): quasi values as they are, sensitive values by group")
    });
    let (memory, time) = costs(&plan, table, read_ms, encode_ms);
    Ok(PlanFacts {
        read: ReadFacts {
            records: table.n_rows as u64,
            called: "rows",
            bytes: encoded.source.bytes,
            besides: String::new(),
            about,
        },
        requires: requires(&plan),
        publishes: buckets.into_iter().chain(publishes(&plan, table)).collect(),
        algorithm: algorithm(&plan),
        suppresses: suppresses(&plan),
        passes: vec![ONE_PASS.into()],
        memory,
        time,
        disk: None,
    })
}

/// A column in a line.
fn about_column(encoded: &Encoded, name: &str) -> String {
    let table = &encoded.table;
    let Some(index) = table.columns.iter().position(|column| column.name == name) else {
        return "dropped".into();
    };
    let (column, note) = (&table.columns[index], &encoded.notes[index]);
    let tree = match (&column.hierarchy, column.role) {
        (Some(tree), Role::Quasi) => {
            format!(", {} levels, {} nodes", tree.n_levels(), count(tree.n_nodes() as u64))
        }
        _ => String::new(),
    };
    let how = match note.hierarchy.is_empty() {
        true => String::new(),
        false => format!(", {}", note.hierarchy),
    };
    let missing = match count_missing(column) {
        0 => String::new(),
        missing => format!(", {} missing", count(missing)),
    };
    let kind = column.domain.kind.name();
    format!("{kind}, {} values{missing}{how}{tree}", count(count_distinct(column)))
}

/// What must hold, in memory or on disk.
pub(crate) fn requires(plan: &Plan) -> Vec<String> {
    let line = |requirement: &dyn Requirement| {
        let monotone = if requirement.is_monotone() { "monotone" } else { "not monotone" };
        let scope = requirement.scope().name();
        format!("{} ({scope} scope, {monotone})", requirement.describe())
    };
    plan.requirements.iter().map(line).collect()
}

/// What columns show beside the generalized text.
pub(crate) fn publishes(plan: &Plan, table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    for forms in &plan.forms.columns {
        let mut shown: Vec<&str> = if forms.interval { vec!["interval"] } else { Vec::new() };
        shown.extend(forms.parts().map(|part| part.word()));
        let snap = forms
            .snap
            .map_or(String::new(), |snap| format!(", snapped to multiples of {}", snap.number));
        let name = &table.columns[forms.column].name;
        lines.push(format!("{name} as {}{snap}", shown.join(", ")));
    }
    lines
}

/// Who decides, and why.
pub(crate) fn algorithm(plan: &Plan) -> AlgorithmFacts {
    let info = plan.algorithm.info();
    let doubt = format!("what {} finds may fail; then nothing is written", info.name);
    AlgorithmFacts {
        call: plan.params.describe(),
        why: if plan.is_auto { "chosen by auto".into() } else { String::new() },
        summary: info.summary.into(),
        notes: if info.capabilities.keeps_promises { Vec::new() } else { vec![doubt] },
    }
}

/// How many records may go.
pub(crate) fn suppresses(plan: &Plan) -> String {
    match plan.algorithm.info().capabilities.ignores.contains(&"max_suppression") {
        true => format!("no records: {} never does", plan.algorithm.info().name),
        false => format!("at most {} records", count(plan.max_suppressed)),
    }
}

/// Rough figures of memory and time: reading was measured just now; the rest follows from what it
/// costs per row on two cores.
fn costs(plan: &Plan, table: &Table, read_ms: f64, encode_ms: f64) -> (Estimate, Estimate) {
    let n_rows = table.n_rows as f64;
    let encoded = table.code_bytes() as u64;
    // The working copy of the quasi columns, row numbers, classes and order: see Mondrian's page.
    let texts: u64 = table
        .columns
        .iter()
        .map(|c| (c.domain.labels.bytes() + c.domain.keys.len() * 8) as u64)
        .sum();
    // Texts are held once for the input and, at worst, again for the release that is read back.
    let memory = encoded * 2 + table.n_rows as u64 * 14 + 2 * texts + (70 << 20);
    let per_cell = plan.algorithm.info().capabilities.nanoseconds_per_cell(plan.effort);
    let anonymize_ms = n_rows * table.quasi().len() as f64 * per_cell.unwrap_or(0.0) * 1e-6;
    let besides = if per_cell.is_some() {
        ""
    } else {
        ", and what the algorithm takes, which isn't estimated"
    };
    let write_ms = read_ms * 1.2;
    let verify_ms = read_ms * 1.5;
    let total = read_ms + encode_ms + anonymize_ms + write_ms + verify_ms;
    (
        Estimate::about(memory as f64, format!("{} of it codes", bytes(encoded))),
        Estimate::about(total, format!("reading took {}{besides}", duration(read_ms))),
    )
}
