//! Whole numbers as a kind of data.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;
use sfumato_engine::paths::resolve;

use crate::data::{Loaded, read};
use crate::job::Job;

/// The kind of data whose records are whole numbers.
pub struct Numbers;

impl Kind for Numbers {
    type Job = Job;
    type Data = Loaded;

    fn name(&self) -> &'static str {
        "toy"
    }
    fn section(&self) -> &'static str {
        "toy"
    }
    fn plural(&self) -> &'static str {
        "numbers"
    }
    fn models_family(&self) -> &'static str {
        "toy-models"
    }
    fn models(&self) -> Vec<&'static Info> {
        crate::models::ALL.iter().map(|model| model.info()).collect()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, _: Records, _: &Context<'_>) -> Result<Loaded> {
        read(&resolve(&job.base, &job.input.path))
    }
}
