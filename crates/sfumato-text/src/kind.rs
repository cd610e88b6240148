//! Documents as a kind of data.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;

use crate::data::{Corpus, read};
use crate::job::Job;

/// The kind of data whose records are documents.
pub struct Documents;

impl Kind for Documents {
    type Job = Job;
    type Data = Corpus;

    fn name(&self) -> &'static str {
        "text"
    }
    fn section(&self) -> &'static str {
        "text"
    }
    fn plural(&self) -> &'static str {
        "documents"
    }
    fn models_family(&self) -> &'static str {
        "text-models"
    }
    fn models(&self) -> Vec<&'static Info> {
        crate::models::ALL.iter().map(|model| model.info()).collect()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, _: Records, _: &Context<'_>) -> Result<Corpus> {
        read(job)
    }
}
