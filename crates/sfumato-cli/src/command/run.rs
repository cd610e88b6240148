//! `sfumato run release.toml`

use std::path::Path;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_engine::Job;
use sfumato_engine::flags::About;
use sfumato_report::summary;

use super::flags::{self, Flags};
use super::{Context, print, set_threads};

#[derive(Args)]
pub struct Run {
    /// The job.
    #[arg(value_name = "release.toml")]
    job: String,
    #[command(flatten)]
    flags: Flags<flags::Run>,
    /// Say a key of the job otherwise: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut job = load(&self.job)?;
        let kind = sfumato_kinds::RELEASES.kind_of_job(&job)?;
        self.flags.add(&mut job, kind, &[About::Goal], &self.set)?;
        run_job(&job, self.json, context)
    }
}

/// Read a release.toml. Relative paths in it start from its folder.
pub fn load(path: &str) -> Result<Job> {
    let text = sfumato_io::read_text(path)?;
    let base = Path::new(path).parent().unwrap_or(Path::new(""));
    Job::parse(&text, path, base)
}

/// Run a job and say what came of it.
pub fn run_job(job: &Job, json: bool, context: &Context) -> Result<u8> {
    let output = job.get("output", "path").and_then(|path| path.as_str());
    refuse_two_on_stdout(output, json)?;
    set_threads(context, job.threads())?;
    let report = sfumato_kinds::RELEASES.run(job, &context.progress)?;
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
