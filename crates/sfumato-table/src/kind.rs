//! Tables as a kind of data: a record is a row.

use sfumato_core::Result;
use sfumato_core::registry::Info;
use sfumato_engine::context::{Context, Step};
use sfumato_engine::form::Form as _;
use sfumato_engine::kind::Kind;

use crate::data::encode::{Encoded, SavedLevels, encode_with};
use crate::data::read::read_from;
use crate::forms::buckets::Buckets;
use crate::forms::perturbed::Perturbed;
use crate::job::Job;
use crate::spill::{self, Larger, Look};

/// The kind of data whose records are rows of a table.
pub struct Tables<'a> {
    /// The hierarchies of a saved recoding, if there is one. The run is then in memory.
    pub saved: Option<&'a SavedLevels>,
}

/// A table, in memory or on disk.
pub enum TableData {
    /// In memory.
    Held(Box<Encoded>),
    /// On disk, after a first pass over the input.
    Larger(Box<Larger>),
}

impl Kind for Tables<'_> {
    type Job = Job;
    type Data = TableData;

    fn name(&self) -> &'static str {
        "table"
    }
    fn section(&self) -> &'static str {
        "columns"
    }
    fn plural(&self) -> &'static str {
        "tables"
    }
    fn models_family(&self) -> &'static str {
        "models"
    }
    fn models(&self) -> Vec<&'static Info> {
        crate::models::ALL.iter().map(|model| model.info()).collect()
    }

    fn read(&self, job: &Job, context: &Context<'_>) -> Result<TableData> {
        let path = sfumato_engine::paths::resolve(&job.base, &job.input.path);
        // Groups are put together in memory, whatever the limit; what can't be is refused before.
        let limit = match self.saved.is_some() || Buckets.takes(job)? || Perturbed.takes(job)? {
            true => None,
            false => spill::beyond_memory(job)?,
        };
        let spooled = match limit.map(|limit| spill::look_at(job, limit, context)).transpose()? {
            Some(Look::Larger(larger)) => return Ok(TableData::Larger(larger)),
            Some(Look::Fits(spooled)) => spooled,
            None => None,
        };
        // Standard input was read already: the run goes on with the copy.
        let path = spooled.as_ref().map_or(path, |spooled| spooled.path.clone());
        let dataset = read_from(job, &path, context.observer)?;
        context.lap(Step::Read);
        let none = SavedLevels::default();
        let encoded = encode_with(job, dataset, self.saved.unwrap_or(&none))?;
        context.lap(Step::Encode);
        Ok(TableData::Held(Box::new(encoded)))
    }
}
