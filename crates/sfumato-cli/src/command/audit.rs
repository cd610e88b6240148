//! `sfumato audit FILE`: what a release really promises.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use sfumato::audit::{Audit as Audited, AuditRequest, audit};
use sfumato::memory::parse_bytes;
use sfumato::report::numbers::{count, percent, quantity};
use sfumato::{ErrorKind, Result};

use super::data_flags::hierarchy;
use super::input_flags::InputFlags;
use super::{Context, names, pair, print, set_threads};

#[derive(Args)]
pub struct Audit {
    /// The release: CSV, Parquet, Arrow IPC or JSON lines.
    #[arg(value_name = "FILE")]
    file: String,
    /// Columns that an attacker may know.
    #[arg(long, value_name = "A,B", required = true)]
    qi: Vec<String>,
    /// Columns that an attacker wants to learn.
    #[arg(long, value_name = "A,B")]
    sensitive: Vec<String>,
    /// The column that says which rows belong to one person.
    #[arg(long, value_name = "COLUMN")]
    subject: Option<String>,
    /// A model that must hold, or the command ends with exit code 3. May be given again.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// k-anonymity that must hold.
    #[arg(short, value_name = "K")]
    k: Option<u64>,
    /// A sensitive column's hierarchy, for hierarchical t-closeness: column=FILE.
    #[arg(long, value_name = "COLUMN=HOW")]
    hierarchy: Vec<String>,
    /// The data that the release was made from: shows the risk before.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    /// Memory to do with, such as 512MiB: files may be larger, classes that don't fit wait on disk.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// Where they wait; otherwise where the system has its temporary files.
    #[arg(long, value_name = "FOLDER", requires = "memory")]
    spill: Option<PathBuf>,
    #[command(flatten)]
    reading: InputFlags,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let audited = audit(&self.request()?, &context.progress)?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn request(&self) -> Result<AuditRequest> {
        let input = |path: &String| self.reading.spec(path);
        let hierarchies = self.hierarchy.iter().map(|given| {
            let (column, how) = pair("hierarchy", given)?;
            Ok((column.to_string(), hierarchy(how)?))
        });
        let mut models = self.model.clone();
        models.extend(self.k.map(|k| format!("k-anonymity(k={k})")));
        Ok(AuditRequest {
            input: input(&self.file)?,
            quasi: names(&self.qi),
            sensitive: names(&self.sensitive),
            subject: self.subject.clone(),
            models,
            hierarchies: hierarchies.collect::<Result<_>>()?,
            original: self.original.as_ref().map(input).transpose()?,
            memory: self.memory.as_deref().map(parse_bytes).transpose()?,
            spill: self.spill.clone(),
        })
    }
}

fn words(audited: &Audited) -> String {
    let mut text = String::new();
    let classes = &audited.classes;
    let _ = writeln!(text, "file       {} ({} rows)", audited.path, count(audited.rows));
    let _ = writeln!(text, "quasi      {}", audited.quasi.join(", "));
    if !audited.sensitive.is_empty() {
        let _ = writeln!(text, "sensitive  {}", audited.sensitive.join(", "));
    }
    let _ = writeln!(
        text,
        "classes    {}, smallest {}, mean {}, largest {}; {} uniques",
        count(classes.count),
        count(classes.min),
        quantity(classes.mean),
        count(classes.max),
        count(classes.uniques)
    );
    if audited.fully_suppressed > 0 {
        let _ =
            writeln!(text, "           {} rows are * in every quasi column", count(audited.fully_suppressed));
    }
    let _ = writeln!(text, "achieved");
    for achieved in &audited.achieved {
        let on = achieved.column.as_ref().map_or(String::new(), |column| format!(" on {column}"));
        let value = achieved.value.as_ref().map_or("none".into(), figure);
        let _ = writeln!(text, "  {:<46} {} = {value}", format!("{}{on}", achieved.model), achieved.measure);
    }
    let _ = writeln!(text, "risks");
    for (name, change) in audited.risks.iter() {
        let show = |value: Option<f64>| value.map_or("-".to_string(), percent);
        let before =
            if change.before.is_some() { format!("{} before, ", show(change.before)) } else { String::new() };
        let _ = writeln!(text, "  {:<46} {before}{}", name.replace('_', " "), show(change.after));
    }
    for guarantee in &audited.guarantees {
        let verdict = if guarantee.holds { "holds" } else { "DOES NOT HOLD" };
        let figure = |n: &Option<serde_json::Number>| n.as_ref().map_or("none".into(), figure);
        let _ = writeln!(
            text,
            "required   {} {} {} {}: achieved {}: {verdict}",
            guarantee.model,
            guarantee.measure,
            guarantee.bound.words(),
            figure(&guarantee.required),
            figure(&guarantee.achieved)
        );
    }
    text
}

/// A figure for people: whole, or a few digits.
fn figure(number: &serde_json::Number) -> String {
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => count(whole),
        (None, Some(value)) => quantity(value),
        _ => number.to_string(),
    }
}
