//! Graphs as a kind of data: their name, their job, and how they are read.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;

use crate::data::read::{self, Loaded};
use crate::job::Job;
use crate::models;

/// The name of the kind in jobs and manifests.
pub const NAME: &str = "graph";

/// The kind of data whose records are nodes of a graph.
#[derive(Clone, Copy)]
pub struct Graphs;

impl Kind for Graphs {
    type Job = Job;
    type Data = Loaded;

    fn name(&self) -> &'static str {
        NAME
    }
    fn section(&self) -> &'static str {
        "graph"
    }
    fn plural(&self) -> &'static str {
        "graphs"
    }
    fn models_family(&self) -> &'static str {
        "graph-models"
    }
    fn models(&self) -> Vec<&'static Info> {
        models::ALL.iter().map(|model| model.info()).collect()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, _: Records, context: &Context<'_>) -> Result<Loaded> {
        read::read(job, context.observer)
    }
}
