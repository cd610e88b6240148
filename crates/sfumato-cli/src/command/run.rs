//! `sfumato run release.toml`

use std::path::Path;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_engine::Job;
use sfumato_engine::flags::About;
use sfumato_engine::paths::resolve;
use sfumato_io::Source;
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
    /// Other data than the job names; - for standard input.
    #[arg(long, value_name = "DATA")]
    input: Option<String>,
    /// Another place for the release; - for standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<String>,
    /// Replace a release that is already there.
    #[arg(long)]
    force: bool,
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
        for (section, path) in [("input", &self.input), ("output", &self.output)] {
            if let Some(path) = path {
                job.set(section, "path", from_here(path, job.base())?);
            }
        }
        run_job(&job, self.json, self.force, context)
    }
}

/// Read a release.toml. Relative paths in it start from its folder.
pub fn load(path: &str) -> Result<Job> {
    let text = sfumato_io::read_text(path)?;
    let base = Path::new(path).parent().unwrap_or(Path::new(""));
    Job::parse(&text, path, base).map_err(|error| match path.ends_with(".toml") {
        true => error,
        false => error.hint(format!(
            "is this a job? 'sfumato init {path} -o release.toml' writes one for a file of data"
        )),
    })
}

/// A path of the command line as a job must write it: paths of a job start from its own folder.
pub fn from_here(path: &str, base: &Path) -> Result<String> {
    if base.as_os_str().is_empty() || !Source::of(path).is_path() {
        return Ok(path.into());
    }
    let absolute = std::path::absolute(path);
    let absolute = absolute.map_err(|error| Error::io(Path::new(path), "find", &error))?;
    Ok(absolute.display().to_string())
}

/// Run a job and say what came of it. A release that is already there is only replaced by force.
pub fn run_job(job: &Job, json: bool, force: bool, context: &Context) -> Result<u8> {
    let output = job.get("output", "path").and_then(|path| path.as_str());
    refuse_two_on_stdout(output, json)?;
    if let Some(output) = output.filter(|output| *output != "-" && !force) {
        refuse_to_replace(&resolve(job.base(), output), &job.input_path())?;
    }
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

/// Refuse to put a release in place of a file or a release that is already there. The input and
/// folders of others are never replaced, whatever is said: that is refused elsewhere.
pub fn refuse_to_replace(path: &str, input: &str) -> Result<()> {
    let found = Path::new(path);
    let is_release = found.is_file() || found.join(sfumato_io::MANIFEST).is_file();
    let is_input = found
        .canonicalize()
        .is_ok_and(|found| Path::new(input).canonicalize().is_ok_and(|input| input == found));
    match is_release && !is_input {
        false => Ok(()),
        true => Err(Error::params("there is already something where the release should go")
            .in_file(path)
            .hint("--force replaces it; -o names another place")),
    }
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
