//! `sfumato explain release.toml | DATA -o OUT [flags]`: the plan, without running it.

use clap::Args;
use sfumato_core::{Error, Result};

use super::flags::{self, Flags};
use super::{Context, print, print_words, set_threads, to_json};

#[derive(Args)]
pub struct Explain {
    /// The job, or the data with the flags of anonymize.
    #[arg(value_name = "release.toml|DATA")]
    input: String,
    /// The release that the plan is for, where no release.toml says it.
    #[arg(short, long, value_name = "OUT")]
    output: Option<String>,
    #[command(flatten)]
    flags: Flags<flags::Explain>,
    /// Say a key of the job otherwise: section.key=value. May be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// As one JSON object; under "plan" names and parameters, nothing of the data.
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub fn run(self, context: &Context) -> Result<u8> {
        if self.output.is_some() && self.input.ends_with(".toml") {
            return Err(Error::params("--output doesn't go with a release.toml")
                .hint("change the release.toml, or name the data instead"));
        }
        let mut job = self.flags.job_of(&self.input, &self.set)?;
        if let Some(output) = &self.output {
            job.set("output", "path", output.clone());
        }
        set_threads(context, job.threads())?;
        let explained = sfumato_kinds::RELEASES.explain(&job, &context.progress)?;
        match self.json {
            true => print(&(to_json(&explained)? + "\n"))?,
            false => print_words(&explained.words())?,
        }
        Ok(0)
    }
}
