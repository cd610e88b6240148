//! `sfumato explain release.toml`

use clap::Args;
use sfumato_core::Result;

use super::memory_flags::MemoryFlags;
use super::{Context, print, run::load, set_threads};

#[derive(Args)]
pub struct Explain {
    /// The job.
    #[arg(value_name = "release.toml")]
    job: String,
    #[command(flatten)]
    memory: MemoryFlags,
}

impl Explain {
    pub fn run(self, context: &Context) -> Result<u8> {
        let mut job = load(&self.job)?;
        self.memory.add_to(&mut job)?;
        set_threads(context, job.threads())?;
        print(&sfumato::explain(&job, &context.progress)?)?;
        Ok(0)
    }
}
