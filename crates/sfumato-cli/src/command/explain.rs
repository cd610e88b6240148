//! `sfumato explain release.toml`

use clap::Args;
use sfumato_core::Result;

use super::memory_flags::MemoryFlags;
use super::{Context, print, run::load, set_threads, to_json};

#[derive(Args)]
pub struct Explain {
    /// The job.
    #[arg(value_name = "release.toml")]
    job: String,
    #[command(flatten)]
    memory: MemoryFlags,
    /// Print the plan as one JSON object: names and parameters, nothing of the data
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut job = load(&self.job)?;
        self.memory.add_to(&mut job)?;
        set_threads(context, job.threads())?;
        let (words, plan) = sfumato_kinds::RELEASES.explain(&job, &context.progress)?;
        match self.json {
            true => print(&(to_json(&plan)? + "\n"))?,
            false => print(&words)?,
        }
        Ok(0)
    }
}
