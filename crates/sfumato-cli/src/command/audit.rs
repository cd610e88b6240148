//! `sfumato audit FILE`: what a release really promises.

use std::path::PathBuf;

use clap::Args;
use sfumato_core::memory::parse_bytes;
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::entry::Request;

use super::flags::{self, Described, Flags};
use super::{Context, print, print_words, set_threads, to_json};

#[derive(Args)]
pub struct Audit {
    /// The release: CSV, Parquet, Arrow IPC or JSON lines, or the folder of a bucket release.
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    flags: Flags<flags::Audit>,
    /// The data that the release was made from: shows the risk before.
    #[arg(long, value_name = "DATA")]
    original: Option<String>,
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
    /// Print the audit to standard output as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let audited = sfumato_kinds::RELEASES.audit(&self.request()?, &context.progress)?;
        if self.json {
            print(&(to_json(&audited)? + "\n"))?;
        } else {
            print_words(&audited.words)?;
        }
        Ok(if audited.holds { 0 } else { ErrorKind::Infeasible.exit_code() })
    }

    fn request(&self) -> Result<Request> {
        let Described { release, original } =
            self.flags.described(&self.file, self.original.as_deref(), &self.set)?;
        Ok(Request {
            job: release,
            original,
            memory: self.memory.as_deref().map(parse_bytes).transpose()?,
            spill: self.spill.clone(),
            ..Request::default()
        })
    }
}
