//! The plan of a job in words, without running it.

use std::fmt::Write as _;

use sfumato_core::Result;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::Observer;

use crate::data::check_dependencies::check_dependencies;
use crate::data::encode::encode;
use crate::data::read::read;
use crate::forms::buckets;
use crate::forms::generalized::make_plan::{Plan, make_plan};
use crate::forms::generalized::measure::{count_distinct, count_missing};
use crate::job::Job;
use crate::spill;
use crate::spill::beyond_memory;
use sfumato_engine::stopwatch::Stopwatch;

/// Explain a job: what will be read, which algorithm runs on what, how much memory and time that
/// takes. Reads the input, because sizes and time depend on it, and writes nothing.
pub fn explain(job: &Job, observer: &dyn Observer) -> Result<String> {
    let form = buckets::form_of(job)?;
    if form.is_none()
        && let Some(limit) = beyond_memory(job)?
        && let Some(text) = spill::explain(job, limit, observer)?
    {
        return Ok(text);
    }
    let mut clock = Stopwatch::start();
    let dataset = read(job, observer)?;
    let read_ms = clock.lap();
    let encoded = encode(job, dataset)?;
    let dependencies = match form {
        None => check_dependencies(job, &encoded.table)?,
        Some(_) => Vec::new(),
    };
    let encode_ms = clock.lap();
    let plan = make_plan(job, &encoded.table)?;
    if let Some(form) = form {
        buckets::check(job, form, &encoded.table, &plan)?;
    }
    // Not by the plan: a saved recoding takes the algorithm's place and has no such limits.
    plan.algorithm.check_suppression(&plan.requirements, plan.max_suppressed)?;
    let table = &encoded.table;

    let mut text = String::new();
    let n = sfumato_report::numbers::count;
    let _ = writeln!(
        text,
        "read       {}: {} rows, {}",
        job.input.path,
        n(table.n_rows as u64),
        sfumato_report::numbers::bytes(encoded.source.bytes)
    );
    for (name, role) in encoded.header.iter().zip(&encoded.roles) {
        let line = match table.columns.iter().position(|column| column.name == *name) {
            None => "dropped".to_string(),
            Some(index) => {
                let (column, note) = (&table.columns[index], &encoded.notes[index]);
                let tree = match (&column.hierarchy, column.role) {
                    (Some(tree), Role::Quasi) => {
                        format!(", {} levels, {} nodes", tree.n_levels(), n(tree.n_nodes() as u64))
                    }
                    _ => String::new(),
                };
                let how = if note.hierarchy.is_empty() {
                    String::new()
                } else {
                    format!(", {}", note.hierarchy)
                };
                let missing = match count_missing(column) {
                    0 => String::new(),
                    missing => format!(", {} missing", n(missing)),
                };
                format!(
                    "{}, {} values{missing}{how}{tree}",
                    column.domain.kind.name(),
                    n(count_distinct(column))
                )
            }
        };
        let _ = writeln!(text, "  {name} ({}): {line}", role.name());
    }
    for dependency in &dependencies {
        let _ = writeln!(text, "  accepted: {dependency}");
    }
    if let Some(form) = form {
        let _ = writeln!(
            text,
            "publish    buckets ({}): quasi values as they are, sensitive values by group",
            form.name()
        );
    }
    write_plan(&mut text, &plan, table);
    write_costs(&mut text, &plan, table, read_ms, encode_ms);
    Ok(text)
}

fn write_plan(text: &mut String, plan: &Plan, table: &Table) {
    for requirement in plan.requirements.iter() {
        let monotone = if requirement.is_monotone() { "monotone" } else { "not monotone" };
        let _ = writeln!(
            text,
            "require    {} ({} scope, {monotone})",
            requirement.describe(),
            requirement.scope().name()
        );
    }
    for forms in &plan.forms.columns {
        let mut shown: Vec<&str> = if forms.interval { vec!["interval"] } else { Vec::new() };
        shown.extend(forms.parts().map(|part| part.word()));
        let snap = forms
            .snap
            .map_or(String::new(), |snap| format!(", snapped to multiples of {}", snap.number));
        let name = &table.columns[forms.column].name;
        let _ = writeln!(text, "publish    {name} as {}{snap}", shown.join(", "));
    }
    let how = if plan.is_auto { ", chosen by auto" } else { "" };
    let _ = writeln!(
        text,
        "anonymize  {}{how}: {}",
        plan.params.describe(),
        plan.algorithm.info().summary
    );
    let name = plan.algorithm.info().name;
    let _ = match plan.algorithm.ignores().contains(&"max_suppression") {
        true => writeln!(text, "suppress   no records: {name} never does"),
        false => writeln!(
            text,
            "suppress   at most {} records",
            sfumato_report::numbers::count(plan.max_suppressed)
        ),
    };
    if !plan.algorithm.keeps_promises() {
        let _ = writeln!(text, "           what {name} finds may fail; then nothing is written");
    }
}

/// Write rough figures: reading was just measured, and the rest follows from the costs per row on
/// two cores.
fn write_costs(text: &mut String, plan: &Plan, table: &Table, read_ms: f64, encode_ms: f64) {
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
    let per_cell = plan.algorithm.nanoseconds_per_cell(plan.effort);
    let anonymize_ms = n_rows * table.quasi().len() as f64 * per_cell.unwrap_or(0.0) * 1e-6;
    let besides = if per_cell.is_some() {
        ""
    } else {
        ", and what the algorithm takes, which isn't estimated"
    };
    let write_ms = read_ms * 1.2;
    let verify_ms = read_ms * 1.5;
    let total = read_ms + encode_ms + anonymize_ms + write_ms + verify_ms;
    let _ = writeln!(
        text,
        "passes     the input is read once, the release written once and read back once to verify \
            it"
    );
    let _ = writeln!(
        text,
        "memory     about {} ({} of codes)",
        sfumato_report::numbers::bytes(memory),
        sfumato_report::numbers::bytes(encoded)
    );
    let _ = writeln!(
        text,
        "time       about {} (reading took {}){besides}",
        sfumato_report::numbers::duration(total),
        sfumato_report::numbers::duration(read_ms)
    );
}
