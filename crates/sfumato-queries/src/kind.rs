//! Logs of queries as a kind of data: their name, their job, and how they are read.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;

use crate::data::Log;
use crate::job::Job;

/// The name of the kind in jobs and manifests.
pub const NAME: &str = "queries";

/// The kind of data whose records are people with what they asked.
pub struct Queries;

impl Kind for Queries {
    type Job = Job;
    type Data = Log;

    fn name(&self) -> &'static str {
        NAME
    }
    fn section(&self) -> &'static str {
        "queries"
    }
    fn plural(&self) -> &'static str {
        "logs of queries"
    }
    fn models_family(&self) -> &'static str {
        "query-models"
    }
    fn attacks_family(&self) -> String {
        "query-attacks".into()
    }
    fn models(&self) -> Vec<&'static Info> {
        crate::models::ALL.iter().map(|model| model.info()).collect()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, _: Records, context: &Context<'_>) -> Result<Log> {
        crate::data::read(&job.input, &job.base, job.queries.layout()?, context.observer)
    }
}
