//! `sfumato audit FILE`: what a release really promises.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use sfumato::audit::{Audit as Audited, AuditRequest, audit};
use sfumato::job::BasketSpec;
use sfumato::memory::parse_bytes;
use sfumato::report::numbers::{count, percent, quantity};
use sfumato::report::{Change, Classes, Guarantee, Ordered};
use sfumato::sets::buckets::{self, BucketAudit, BucketAuditRequest};
use sfumato::sets::{self, SetAudit, SetAuditRequest};
use sfumato::{Error, ErrorKind, Result};

use super::basket_flags::BasketFlags;
use super::data_flags::hierarchy;
use super::input_flags::InputFlags;
use super::{Context, names, pair, print, set_threads};

#[derive(Args)]
pub struct Audit {
    /// The release: CSV, Parquet, Arrow IPC or JSON lines, or the folder of a bucket release.
    #[arg(value_name = "FILE")]
    file: String,
    /// Columns that an attacker may know.
    #[arg(long, value_name = "A,B")]
    qi: Vec<String>,
    #[command(flatten)]
    baskets: BasketFlags,
    /// How the original's baskets lie in their file, where that is another form than the release's.
    #[arg(long, value_name = "FORM", requires = "original")]
    original_baskets: Option<String>,
    /// Columns that an attacker wants to learn.
    #[arg(long, value_name = "A,B")]
    sensitive: Vec<String>,
    /// The column that says which rows belong to one person.
    #[arg(long, value_name = "COLUMN")]
    subject: Option<String>,
    /// The column of a permuted bucket release that says the group of a record.
    #[arg(long, value_name = "COLUMN", requires = "sensitive")]
    group: Option<String>,
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
        if buckets::is_release(&self.file) {
            return self.run_set_buckets(context);
        }
        if let Some(baskets) = self.baskets.spec() {
            let is_about_buckets = self.model.iter().any(|model| model.starts_with("privacy-degree"));
            return if is_about_buckets {
                self.run_set_buckets(context)
            } else {
                self.run_sets(baskets, context)
            };
        }
        let audited = audit(&self.request()?, &context.progress)?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn run_sets(self, baskets: BasketSpec, context: &Context) -> Result<u8> {
        let table_flags = [
            ("qi", !self.qi.is_empty()),
            ("sensitive", !self.sensitive.is_empty()),
            ("subject", self.subject.is_some()),
            ("group", self.group.is_some()),
            ("hierarchy", !self.hierarchy.is_empty()),
            ("memory", self.memory.is_some()),
        ];
        if let Some((flag, _)) = table_flags.into_iter().find(|(_, given)| *given) {
            return Err(Error::unsupported(format!("--{flag} is for tables, and these are baskets")));
        }
        let of_original = |path: &String| {
            let form = self.original_baskets.clone().unwrap_or_else(|| baskets.form.clone());
            Ok((self.reading.spec(path)?, BasketSpec { form, ..baskets.clone() }))
        };
        let audited = sets::audit(
            &SetAuditRequest {
                input: self.reading.spec(&self.file)?,
                models: self.models(),
                original: self.original.as_ref().map(of_original).transpose()?,
                baskets: baskets.clone(),
            },
            &context.progress,
        )?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&set_words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    /// A bucket release of baskets: a folder, or a file whose keys are groups.
    fn run_set_buckets(self, context: &Context) -> Result<u8> {
        let spec = self.baskets.spec();
        let of_original = |path: &String| {
            let form = self.original_baskets.clone().or_else(|| spec.clone().map(|spec| spec.form));
            let form = form.ok_or_else(|| {
                Error::params("how the original's baskets lie in their file isn't said")
                    .hint("say it with --baskets FORM")
            })?;
            Ok((self.reading.spec(path)?, BasketSpec { form, ..spec.clone().unwrap_or_default() }))
        };
        let audited = buckets::audit(
            &BucketAuditRequest {
                input: self.reading.spec(&self.file)?,
                models: self.models(),
                original: self.original.as_ref().map(of_original).transpose()?,
                baskets: spec.clone(),
            },
            &context.progress,
        )?;
        if self.json {
            print(&(serde_json::to_string_pretty(&audited).unwrap_or_default() + "\n"))?;
        } else {
            print(&bucket_words(&audited))?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn models(&self) -> Vec<String> {
        let mut models = self.model.clone();
        models.extend(self.k.map(|k| format!("k-anonymity(k={k})")));
        models
    }

    fn request(&self) -> Result<AuditRequest> {
        if self.original_baskets.is_some() {
            return Err(Error::params("--original-baskets is for baskets, and this is a table")
                .hint("say with --baskets how they lie in the release"));
        }
        let input = |path: &String| self.reading.spec(path);
        let hierarchies = self.hierarchy.iter().map(|given| {
            let (column, how) = pair("hierarchy", given)?;
            Ok((column.to_string(), hierarchy(how)?))
        });
        Ok(AuditRequest {
            input: input(&self.file)?,
            quasi: names(&self.qi),
            sensitive: names(&self.sensitive),
            subject: self.subject.clone(),
            group: self.group.clone(),
            models: self.models(),
            hierarchies: hierarchies.collect::<Result<_>>()?,
            original: self.original.as_ref().map(input).transpose()?,
            memory: self.memory.as_deref().map(parse_bytes).transpose()?,
            spill: self.spill.clone(),
        })
    }
}

fn bucket_words(audited: &BucketAudit) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "release    {} ({} records)", audited.path, count(audited.rows));
    let _ = writeln!(
        text,
        "groups     {}, smallest {}, mean {}, largest {}; items that aren't sensitive are published as they are",
        count(audited.groups),
        count(audited.sizes.min),
        quantity(audited.sizes.mean),
        count(audited.sizes.max)
    );
    let _ = writeln!(
        text,
        "sensitive  {} items, {} in all",
        count(audited.sensitive_items),
        count(audited.sensitive_instances)
    );
    if audited.checked_against_original {
        let _ = writeln!(text, "original   rows and counts are those of it");
    }
    let degree = audited.privacy_degree.map_or("none: no group has a sensitive item".into(), quantity);
    let _ = writeln!(text, "achieved   privacy degree {degree}");
    required(&mut text, &audited.guarantees);
    text
}

fn set_words(audited: &SetAudit) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "file       {} ({} records, {} items in all)",
        audited.path,
        count(audited.rows),
        count(audited.instances)
    );
    class_line(&mut text, &audited.classes);
    if audited.empty > 0 {
        let _ = writeln!(text, "           {} records have no items", count(audited.empty));
    }
    let _ = writeln!(text, "least");
    for (what, least) in &audited.achieved {
        let _ = writeln!(text, "  {what}: {}", count(*least));
    }
    risks_and_guarantees(&mut text, &audited.risks, &audited.guarantees);
    text
}

fn group_line(text: &mut String, groups: &Classes, form: &str) {
    let _ = writeln!(
        text,
        "buckets    {form}: {} groups, smallest {}, mean {}, largest {}; quasi values are published as they are",
        count(groups.count),
        count(groups.min),
        quantity(groups.mean),
        count(groups.max)
    );
}

fn class_line(text: &mut String, classes: &Classes) {
    let _ = writeln!(
        text,
        "classes    {}, smallest {}, mean {}, largest {}; {} uniques",
        count(classes.count),
        count(classes.min),
        quantity(classes.mean),
        count(classes.max),
        count(classes.uniques)
    );
}

fn words(audited: &Audited) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "file       {} ({} rows)", audited.path, count(audited.rows));
    let _ = writeln!(text, "quasi      {}", audited.quasi.join(", "));
    if !audited.sensitive.is_empty() {
        let _ = writeln!(text, "sensitive  {}", audited.sensitive.join(", "));
    }
    match &audited.buckets {
        Some(form) => group_line(&mut text, &audited.classes, form),
        None => class_line(&mut text, &audited.classes),
    }
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
    risks_and_guarantees(&mut text, &audited.risks, &audited.guarantees);
    text
}

fn risks_and_guarantees(text: &mut String, risks: &Ordered<Change>, guarantees: &[Guarantee]) {
    let _ = writeln!(text, "risks");
    for (name, change) in risks.iter() {
        let show = |value: Option<f64>| value.map_or("-".to_string(), percent);
        let before =
            if change.before.is_some() { format!("{} before, ", show(change.before)) } else { String::new() };
        let _ = writeln!(text, "  {:<46} {before}{}", name.replace('_', " "), show(change.after));
    }
    required(text, guarantees);
}

fn required(text: &mut String, guarantees: &[Guarantee]) {
    for guarantee in guarantees {
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
}

/// A figure for people: whole, or a few digits.
fn figure(number: &serde_json::Number) -> String {
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => count(whole),
        (None, Some(value)) => quantity(value),
        _ => number.to_string(),
    }
}
