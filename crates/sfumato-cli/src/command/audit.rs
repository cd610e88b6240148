//! `sfumato audit FILE`: what a release really promises.

use std::path::{Path, PathBuf};

use clap::Args;
use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_report::render_audit;

use super::flags::{self, Described, Flags};
use super::run::{from_here, load};
use super::{Context, print, print_words, set_threads, to_json};

#[derive(Args)]
pub struct Audit {
    /// The release: CSV, Parquet, Arrow IPC or JSON lines, or the folder of a bucket release. The
    /// last of several is the release, and those before it were published of the same people
    /// before, in this order.
    #[arg(value_name = "FILE", num_args = 1.., required = true)]
    files: Vec<String>,
    #[command(flatten)]
    flags: Flags<flags::Audit>,
    /// The data that the release was made from: shows the risk before.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
    /// The job that the release was made by: its models, and what columns and labels mean.
    #[arg(long, value_name = "release.toml")]
    job: Option<String>,
    /// How much memory the audit may use, such as 512MiB. Files may be larger: classes that don't
    /// fit wait on disk.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// The folder for classes that don't fit into memory [default: the system's temporary folder]
    #[arg(long, value_name = "FOLDER", requires = "memory")]
    spill: Option<PathBuf>,
    /// Say a key of a section otherwise, as a job would: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The audit as a page: .html.
    #[arg(long, value_name = "FILE.html")]
    report: Option<String>,
    /// Print the audit to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        if let Some(report) = self.report.as_deref().filter(|path| !path.ends_with(".html")) {
            return Err(Error::params("the report of an audit is a page: it ends in .html")
                .in_file(report)
                .hint("--json prints the audit for programs"));
        }
        let audited = sfumato_kinds::RELEASES.audit(&self.request()?, &context.progress)?;
        if let Some(report) = &self.report {
            let (holds, words) = (audited.holds, &audited.words);
            let html = render_audit(&audited.path, holds, &audited.guarantees, words);
            sfumato_io::write_text_atomically(Path::new(report), &html, true)?;
        }
        if self.json {
            print(&(to_json(&audited)? + "\n"))?;
        } else {
            print_words(&audited.words)?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn request(&self) -> Result<Request> {
        let original = self.original.as_deref();
        let (file, before) =
            self.files.split_last().ok_or_else(|| Error::params("no release was named"))?;
        let Described { mut release, original } = match &self.job {
            None => self.flags.described(file, original, &self.set)?,
            Some(job) => {
                let own = load(job)?;
                let mut release = self.flags.by_job(&own, file, true, &self.set)?;
                // A release is audited wherever it is, and what it was read from is the original.
                ["output", "run"].iter().for_each(|section| release.remove(section));
                without_dropped(&mut release);
                let by_job = |path: &str| self.flags.by_job(&own, path, false, &self.set);
                Described { release, original: original.map(by_job).transpose()? }
            }
        };
        if !before.is_empty() {
            // Paths of a job start from its folder, and these from here.
            let base = release.base().to_path_buf();
            let paths = before.iter().map(|path| from_here(path, &base));
            release.set("ledger", "before", paths.collect::<Result<Vec<String>>>()?);
        }
        Ok(Request {
            job: release,
            original,
            memory: self.memory.as_deref().map(parse_bytes).transpose()?,
            spill: self.spill.clone(),
            ..Request::default()
        })
    }
}

/// Leave out of a job what its release doesn't have: columns that were dropped.
fn without_dropped(job: &mut Job) {
    const DROPPED: [&str; 3] = ["identifier", "subject", "drop"];
    let columns = job.section("columns").into_iter().flatten();
    let is_dropped = |(_, column): &(&String, &toml::Value)| {
        let role = column.get("role").and_then(|role| role.as_str());
        column.get("as").is_none() && role.is_some_and(|role| DROPPED.contains(&role))
    };
    let dropped: Vec<String> = columns.filter(is_dropped).map(|(name, _)| name.clone()).collect();
    dropped.iter().for_each(|name| job.unset("columns", name));
}
