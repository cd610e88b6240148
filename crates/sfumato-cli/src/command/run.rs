//! `sfumato run release.toml`

use std::path::Path;

use clap::Args;
use sfumato::Job;
use sfumato_core::{Error, Result};
use sfumato_report::summary;

use super::memory_flags::{MemoryFlags, ResumeFlag};
use super::{Context, print, set_threads};

#[derive(Args)]
pub struct Run {
    /// The job.
    #[arg(value_name = "release.toml")]
    job: String,
    #[command(flatten)]
    memory: MemoryFlags,
    #[command(flatten)]
    resume: ResumeFlag,
    /// Set a key of the job: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut job = load(&self.job)?;
        self.memory.add_to(&mut job)?;
        self.resume.add_to(&mut job);
        set_keys(&mut job, &self.set)?;
        run_job(&job, self.json, context)
    }
}

/// Read a release.toml. Relative paths in it start from its folder.
pub fn load(path: &str) -> Result<Job> {
    let text = sfumato_io::read_text(path)?;
    let base = Path::new(path).parent().unwrap_or(Path::new(""));
    Job::parse(&text, path, base)
}

/// Read a release.toml about a table, for commands that take no other kind of data.
pub fn load_table(path: &str) -> Result<sfumato_table::Job> {
    let job = load(path)?;
    if let Some(section) = other_section(&job) {
        return Err(Error::unsupported(format!(
            "this command is for tables, and the job has a section [{section}]"
        ))
        .hint("run, anonymize, explain, audit and query take every kind of data"));
    }
    job.of_kind()
}

/// The section of another kind than a table, if a job has one.
fn other_section(job: &Job) -> Option<&'static str> {
    let sections = sfumato::RELEASES.all().filter(|entry| entry.kind() != "table");
    sections.map(|entry| entry.section()).find(|section| job.has(section))
}

/// Set keys of a job, each given as `section.key=value`. The value is TOML or plain text.
pub fn set_keys(job: &mut Job, keys: &[String]) -> Result<()> {
    for given in keys {
        let wrong = || {
            Error::params(format!("--set {given}: this isn't section.key=value"))
                .hint("such as --set privacy.max_suppression=2%")
        };
        let (path, value) = given.split_once('=').ok_or_else(wrong)?;
        let (section, key) = path.trim().split_once('.').ok_or_else(wrong)?;
        let parsed = toml::from_str::<toml::Table>(&format!("value = {value}"));
        let value = parsed.ok().and_then(|mut table| table.remove("value"));
        job.set(section, key, value.unwrap_or_else(|| given[path.len() + 1..].into()));
    }
    Ok(())
}

/// Run a job and print the result.
pub fn run_job(job: &Job, json: bool, context: &Context) -> Result<u8> {
    let output = job.get("output", "path").and_then(|path| path.as_str());
    refuse_two_on_stdout(output, json)?;
    set_threads(context, job.threads())?;
    let report = sfumato::run(job, &context.progress)?;
    show(&report, json, context)?;
    Ok(0)
}

/// Refuse to write both the release and the private report to standard output.
pub fn refuse_two_on_stdout(output: Option<&str>, json: bool) -> Result<()> {
    if json && output == Some("-") {
        return Err(Error::params("--json and -o - both want standard output")
            .hint("write the release to a file, or the report with --report F.json"));
    }
    Ok(())
}

/// Show a report: as JSON on standard output if asked, as words on the terminal.
pub fn show(report: &sfumato_report::Report, json: bool, context: &Context) -> Result<()> {
    if json {
        print(&(report.to_json() + "\n"))?;
    }
    if !context.quiet && !json {
        context.say(&summary(report));
    }
    Ok(())
}
