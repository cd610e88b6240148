//! `sfumato explain release.toml`

use clap::Args;
use sfumato::Result;

use super::{Context, print, run::load, set_threads};

#[derive(Args)]
pub struct Explain {
    /// The job.
    #[arg(value_name = "release.toml")]
    job: String,
}

impl Explain {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = load(&self.job)?;
        set_threads(context, job.run.threads)?;
        print(&sfumato::explain::explain(&job, &context.progress)?)?;
        Ok(0)
    }
}
