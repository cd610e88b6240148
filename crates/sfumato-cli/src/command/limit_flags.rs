//! Flags about when a run stops looking for something better.

use clap::Args;
use sfumato_engine::Job;
use sfumato_core::Result;
use sfumato_engine::job::TimeLimit;

#[derive(Args)]
pub struct LimitFlags {
    /// Stop looking for something better after so long, such as 30s or 5min, and publish what there
    /// is, verified as always. The release then depends on the clock.
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// At Ctrl-C verify and publish what there is; a second Ctrl-C stops at once.
    #[arg(long)]
    publish_on_interrupt: bool,
}

impl LimitFlags {
    /// Say in a job what the flags say.
    pub fn add_to(&self, job: &mut Job) -> Result<()> {
        if let Some(limit) = &self.time_limit {
            limit.parse::<TimeLimit>()?;
            job.set("run", "time_limit", limit.clone());
        }
        if self.publish_on_interrupt {
            job.set("run", "on_interrupt", "publish");
        }
        Ok(())
    }
}
