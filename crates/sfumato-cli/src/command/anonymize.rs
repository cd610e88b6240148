//! `sfumato anonymize DATA -o OUT [flags]`: a release.toml from flags, and its run.

use clap::Args;
use sfumato_core::Result;
use sfumato_engine::Job;

use super::flags::{self, Flags};
use super::run::run_job;
use super::{Context, print};

#[derive(Args)]
pub struct Anonymize {
    /// The data: CSV, Parquet, Arrow IPC or JSON lines, or baskets, plain or packed; - for standard
    /// input.
    #[arg(value_name = "DATA")]
    input: String,
    /// The release; - for standard output.
    #[arg(short, long, value_name = "OUT")]
    output: String,
    #[command(flatten)]
    flags: Flags<flags::Anonymize>,
    /// Replace a release that is already there.
    #[arg(long)]
    force: bool,
    /// Say a key of the job otherwise: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print the release.toml that these flags stand for, and do nothing else.
    #[arg(long)]
    print_job: bool,
}

impl Anonymize {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = self.job()?;
        if self.print_job {
            print(&sfumato_kinds::RELEASES.complete(&job)?.to_toml())?;
            return Ok(0);
        }
        run_job(&job, self.json, self.force, context)
    }

    fn job(&self) -> Result<Job> {
        let mut job = self.flags.job(&self.input, &self.set)?;
        if job.get("output", "path").is_none() {
            job.set("output", "path", self.output.clone());
        }
        Ok(job)
    }
}
