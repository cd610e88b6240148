//! `sfumato run release.toml`

use std::path::Path;

use clap::Args;
use sfumato::report::summary;
use sfumato::{Error, Job, Result};

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
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut job = load(&self.job)?;
        self.memory.add_to(&mut job)?;
        self.resume.add_to(&mut job);
        run_job(&job, self.json, context)
    }
}

/// Read a release.toml; its paths start from its folder.
pub fn load(path: &str) -> Result<Job> {
    let text = sfumato::files::read_text(path)?;
    let base = Path::new(path).parent().unwrap_or(Path::new(""));
    Job::parse(&text, path, base)
}

/// Run a job and say what came of it.
pub fn run_job(job: &Job, json: bool, context: &Context) -> Result<u8> {
    refuse_two_on_stdout(job, json)?;
    set_threads(context, job.run.threads)?;
    let report = sfumato::run(job, &context.progress)?;
    show(&report, json, context)?;
    Ok(0)
}

/// The release and the private report must not end up in one stream.
pub fn refuse_two_on_stdout(job: &Job, json: bool) -> Result<()> {
    if json && job.output.path == "-" {
        return Err(Error::params("--json and -o - both want standard output")
            .hint("write the release to a file, or the report with --report F.json"));
    }
    Ok(())
}

/// Show a report: JSON to standard output if asked, words to the terminal.
pub fn show(report: &sfumato::report::Report, json: bool, context: &Context) -> Result<()> {
    if json {
        print(&(report.to_json() + "\n"))?;
    }
    if !context.quiet && !json {
        context.say(&summary(report));
    }
    Ok(())
}
