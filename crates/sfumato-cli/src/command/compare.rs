//! `sfumato compare A B --original DATA`: what releases of the same data keep of it.

use std::path::Path;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_engine::Job;
use sfumato_engine::entry::Request;
use sfumato_engine::flags::About;
use sfumato_report::render_comparison;

use super::flags::{self, Flags};
use super::query::reading;
use super::run::load;
use super::{Context, print, print_words, set_threads, to_json};

#[derive(Args)]
pub struct Compare {
    /// The releases: files, or folders of releases that have several files.
    #[arg(value_name = "RELEASE", num_args = 2.., required = true)]
    files: Vec<String>,
    /// The data that the releases were made from.
    #[arg(long, value_name = "DATA", required = true)]
    original: String,
    /// A job that a release was made by: says what columns and labels mean.
    #[arg(long, value_name = "release.toml")]
    job: Option<String>,
    #[command(flatten)]
    flags: Flags<flags::Audit>,
    /// Say a key of a section otherwise, as a job would: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The comparison as a page: .html.
    #[arg(long, value_name = "FILE.html")]
    report: Option<String>,
    /// Print the comparison to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        if let Some(report) = self.report.as_deref().filter(|path| !path.ends_with(".html")) {
            return Err(Error::params("the report of a comparison is a page: it ends in .html")
                .in_file(report)
                .hint("--json prints the comparison for programs"));
        }
        let own_job = self.job.as_ref().map(|path| load(path)).transpose()?;
        let requests: Vec<Request> = self
            .files
            .iter()
            .map(|file| self.request(file, own_job.as_ref()))
            .collect::<Result<_>>()?;
        let compared = sfumato_kinds::RELEASES.compare(&requests, &context.progress)?;
        if let Some(report) = &self.report {
            let html = render_comparison(&compared);
            sfumato_io::write_text_atomically(Path::new(report), &html, true)?;
        }
        match self.json {
            true => print(&(to_json(&compared)? + "\n"))?,
            false => print_words(&compared.words())?,
        }
        Ok(0)
    }

    fn request(&self, file: &str, own: Option<&Job>) -> Result<Request> {
        let described = self.flags.described(file, Some(&self.original), &self.set)?;
        let (Some(own), Some(path)) = (own, &self.job) else {
            let (job, original) = (described.release, described.original);
            return Ok(Request { job, original, ..Request::default() });
        };
        let of_file = |file: &str| {
            let mut job = reading(own, path, file)?;
            let kind = sfumato_kinds::RELEASES.kind_of_job(&job)?;
            self.flags.add(&mut job, kind, &[About::Data], &self.set)?;
            Ok::<Job, Error>(job)
        };
        let mut job = of_file(file)?;
        // The job says how the original is written, and what its release is called: neither is
        // about this release, whose manifest says what it is.
        job.remove("output");
        ["encoding", "missing"].iter().for_each(|key| job.unset("input", key));
        let mut original = of_file(&self.original)?;
        for key in ["format", "delimiter", "header"] {
            if let Some(value) = own.get("input", key) {
                original.set("input", key, value.clone());
            }
        }
        let own_job = Some(own.clone());
        Ok(Request { job, original: Some(original), own_job, ..Request::default() })
    }
}
