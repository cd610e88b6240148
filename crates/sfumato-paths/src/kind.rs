//! Paths as a kind of data: their name, their job, and how they are read.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;

use crate::data::read::{self, Loaded};
use crate::data::room;
use crate::job::Job;
use crate::models;

/// The name of the kind in jobs and manifests.
pub const NAME: &str = "paths";

/// The kind of data whose records are paths.
pub struct Paths;

impl Kind for Paths {
    type Job = Job;
    type Data = Loaded;

    fn name(&self) -> &'static str {
        NAME
    }
    fn section(&self) -> &'static str {
        "paths"
    }
    fn plural(&self) -> &'static str {
        "paths"
    }
    fn models_family(&self) -> &'static str {
        "path-models"
    }
    fn models(&self) -> Vec<&'static Info> {
        models::ALL.iter().map(|model| model.info()).collect()
    }
    fn attacks_family(&self) -> String {
        "path-attacks".into()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, needs: Records, context: &Context<'_>) -> Result<Loaded> {
        if needs == Records::IfTheyFit {
            room::check(job)?;
        }
        read::read(job, context.observer)
    }
}
