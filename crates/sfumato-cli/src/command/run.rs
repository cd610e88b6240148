//! `sfumato run release.toml`

use std::path::Path;

use clap::Args;
use sfumato::report::summary;
use sfumato::{Job, Result};

use super::{Context, print, set_threads};

#[derive(Args)]
pub struct Run {
    /// The job.
    #[arg(value_name = "release.toml")]
    job: String,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = load(&self.job)?;
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
    set_threads(context, job.run.threads)?;
    let report = sfumato::run(job, &context.progress)?;
    show(&report, json, context)?;
    Ok(0)
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
