//! Flags about memory: how much a run may take, and where what doesn't fit goes.

use clap::Args;
use sfumato::Job;
use sfumato_core::Result;
use sfumato_engine::job::Engine;

#[derive(Args)]
pub struct MemoryFlags {
    /// How much memory the run may use, such as 512MiB: what doesn't fit is spilled to disk. By
    /// default what the machine has free.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// In memory, or out of core by a sample or by frequency groups; auto takes memory if the table
    /// fits, else sample, else tree.
    #[arg(long, value_name = "ENGINE", value_parser = Engine::NAMES)]
    engine: Option<String>,
    /// The folder for spilled data; by default beside the release.
    #[arg(long, value_name = "FOLDER")]
    spill: Option<String>,
}

impl MemoryFlags {
    /// Put the flags into a job.
    pub fn add_to(&self, job: &mut Job) -> Result<()> {
        if let Some(memory) = &self.memory {
            sfumato_core::memory::parse_bytes(memory)?;
            job.set("run", "memory", memory.clone());
        }
        if let Some(engine) = &self.engine {
            engine.parse::<Engine>()?;
            job.set("run", "engine", engine.clone());
        }
        if let Some(spill) = &self.spill {
            job.set("run", "spill", spill.clone());
        }
        Ok(())
    }
}

#[derive(Args)]
pub struct ResumeFlag {
    /// Continue where a killed run of the same job stopped; the release has the same bytes. Without
    /// it, what that run left is removed.
    #[arg(long)]
    resume: bool,
}

impl ResumeFlag {
    /// Put the flag into a job.
    pub fn add_to(&self, job: &mut Job) {
        job.resume(self.resume);
    }
}
