//! Notes as a kind of data.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;
use sfumato_engine::paths::resolve;

use crate::data::{Noted, read};
use crate::job::Job;

/// The kind of data whose records are rows with free text in them.
pub struct Notes;

impl Kind for Notes {
    type Job = Job;
    type Data = Noted;

    fn name(&self) -> &'static str {
        "notes"
    }
    fn section(&self) -> &'static str {
        "view"
    }
    fn builds_on(&self) -> &'static [&'static str] {
        &["table", "text"]
    }
    fn plural(&self) -> &'static str {
        "notes"
    }
    fn models_family(&self) -> &'static str {
        "models"
    }
    fn models(&self) -> Vec<&'static Info> {
        sfumato_table::models::ALL.iter().map(|model| model.info()).collect()
    }
    fn attacks_family(&self) -> String {
        "attacks".into()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, _: Records, context: &Context<'_>) -> Result<Noted> {
        read(job, &resolve(&job.base, &job.input.path), context.observer)
    }
}
