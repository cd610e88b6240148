//! Baskets as a kind of data: their name, their job, and how they are read.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::compare::Question;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;
use sfumato_engine::manifest::Manifest;

use crate::data::questions::questions;
use crate::data::read::{self, Loaded};
use crate::job::Job;
use crate::models;

/// The name of the kind in jobs and manifests.
pub const NAME: &str = "sets";

/// The kind of data whose records are sets of items.
pub struct Baskets;

impl Kind for Baskets {
    type Job = Job;
    type Data = Loaded;

    fn name(&self) -> &'static str {
        NAME
    }
    fn section(&self) -> &'static str {
        "baskets"
    }
    fn plural(&self) -> &'static str {
        "baskets"
    }
    fn models_family(&self) -> &'static str {
        "set-models"
    }
    fn models(&self) -> Vec<&'static Info> {
        models::ALL.iter().map(|model| model.info()).collect()
    }
    fn attacks_family(&self) -> String {
        "set-attacks".into()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn questions(
        &self,
        original: &Job,
        _: Option<&Manifest>,
        context: &Context<'_>,
    ) -> Result<Vec<Question>> {
        questions(original, context.observer)
    }
    fn read(&self, job: &Job, _: Records, context: &Context<'_>) -> Result<Loaded> {
        read::read(job, context.observer)
    }
}
