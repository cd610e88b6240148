//! Mixed records as a kind of data.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::Context;
use sfumato_engine::exec::Records;
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;
use sfumato_engine::paths::resolve;

use crate::data::{MixedData, read};
use crate::job::{BOTH, Job};

/// The kind of data whose records are rows with a set of items in them.
pub struct Mixed;

impl Kind for Mixed {
    type Job = Job;
    type Data = MixedData;

    fn name(&self) -> &'static str {
        "mixed"
    }
    fn section(&self) -> &'static str {
        "mixed"
    }
    fn builds_on(&self) -> &'static [&'static str] {
        &["table", "sets"]
    }
    fn plural(&self) -> &'static str {
        "mixed records"
    }
    fn models_family(&self) -> &'static str {
        "models"
    }
    fn models(&self) -> Vec<&'static Info> {
        let of_tables = sfumato_table::models::ALL.iter().map(|model| model.info());
        let of_sets = sfumato_sets::models::ALL.iter().map(|model| model.info());
        of_tables.chain(of_sets.filter(|info| BOTH.contains(&info.name))).collect()
    }
    fn attacks_family(&self) -> String {
        "attacks".into()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }
    fn read(&self, job: &Job, _: Records, context: &Context<'_>) -> Result<MixedData> {
        read(job, &resolve(&job.base, &job.input.path), context.observer)
    }
}
