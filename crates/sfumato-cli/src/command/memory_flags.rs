//! Flags about memory: how much a run may take, and where what doesn't fit goes.

use clap::Args;
use sfumato_core::Result;
use sfumato_engine::Job;
use sfumato_engine::job::Engine;

#[derive(Args)]
pub struct MemoryFlags {
    /// How much memory the run may take, such as 512MiB: what doesn't fit is spilled to disk.
    /// Without it what the machine has free.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// In memory, or out of core by a sample, by frequency groups or by cuts; auto takes memory if
    /// it fits, else cuts if the algorithm finds cuts, else sample, else tree.
    #[arg(long, value_name = "ENGINE", value_parser = Engine::NAMES)]
    engine: Option<String>,
    /// The folder for spilled data; beside the release without it.
    #[arg(long, value_name = "FOLDER")]
    spill: Option<String>,
}

impl MemoryFlags {
    /// Say in a job what the flags say.
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
    /// Go on where a killed run of the same job stopped; the release has the same bytes. Without it
    /// what that run left is removed.
    #[arg(long)]
    resume: bool,
}

impl ResumeFlag {
    /// Say in a job what the flag says.
    pub fn add_to(&self, job: &mut Job) {
        job.resume(self.resume);
    }
}
