//! Tables as a kind of data: a record is a row.

use std::sync::Arc;

use sfumato_core::Result;
use sfumato_core::population::Population;
use sfumato_core::registry::Info;
use sfumato_engine::compare::Question;
use sfumato_engine::context::{Context, Step};
use sfumato_engine::exec::{Memory, Records};
use sfumato_engine::flags::KindFlags;
use sfumato_engine::kind::Kind;
use sfumato_engine::manifest::Manifest;

use crate::data::check_dependencies::{Dependency, check_dependencies};
use crate::data::encode::{Encoded, SavedLevels, encode_with};
use crate::data::questions::questions;
use crate::data::read::read_from;
use crate::forms::generalized::make_plan::{Plan, make_plan, make_plan_by_sample};
use crate::job::Job;
use crate::over_time::people::recall_values;
use crate::population::{self, tell_rows};
use crate::spill::{self, Larger, Look, Part, TableStore};

/// The kind of data whose records are rows of a table.
pub struct Tables<'a> {
    /// The hierarchies of a saved recoding, if there is one. The run is then in memory.
    pub saved: Option<&'a SavedLevels>,
}

/// Rows in memory: a whole table, or one partition of it. Of a table on disk a sample, until it is
/// divided; from then on no rows, only what its columns are.
pub struct TableData {
    /// The rows, and what is known of their columns.
    pub encoded: Encoded,
    /// Of a table on disk: what a first look said, and how it is divided.
    pub larger: Option<Box<Larger>>,
    /// Of a partition from disk: where it is in the tree that divided the table.
    pub part: Option<Part>,
    /// The population among whom the people of the table are, if the job names one.
    pub population: Option<Arc<Population>>,
}

impl TableData {
    /// A whole table in memory.
    pub fn whole(encoded: Encoded) -> Self {
        TableData { encoded, larger: None, part: None, population: None }
    }

    /// What published columns give away of quasi ones; refuses what the job didn't accept. Of a
    /// table on disk that was found out by the first look.
    pub fn dependencies(&self, job: &Job) -> Result<Vec<Dependency>> {
        match &self.larger {
            None => check_dependencies(job, &self.encoded.table),
            Some(larger) => Ok(larger.dependencies.clone()),
        }
    }

    /// The plan of a job for the table.
    pub fn plan(&self, job: &Job) -> Result<Plan> {
        match &self.larger {
            None => {
                let mut plan = make_plan(job, &self.encoded.table)?;
                if plan.requirements.iter().any(|asked| asked.asks_who_is_who())
                    && let Some(past) = &mut plan.earlier
                {
                    past.know(&self.encoded)?;
                }
                plan.population = self.population.clone();
                Ok(plan)
            }
            Some(_) => make_plan_by_sample(job, &self.encoded.table, self.n_rows()),
        }
    }

    /// The partitions of the table.
    pub fn divide(&mut self, job: &Job, plan: &Plan, context: &Context<'_>) -> Result<TableStore> {
        match &mut self.larger {
            None => Ok(Box::new(Memory::new(job.run.seed))),
            Some(larger) => larger.divide(job, plan, &mut self.encoded, context),
        }
    }

    /// How many rows the table has, wherever they are.
    pub fn n_rows(&self) -> u64 {
        let in_memory = (self.encoded.table.n_rows - self.encoded.made_up) as u64;
        self.larger.as_ref().map_or(in_memory, |larger| larger.about.layout.n_rows)
    }
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
    fn attacks_family(&self) -> String {
        "attacks".into()
    }
    fn flags(&self) -> KindFlags {
        crate::flags::FLAGS
    }

    fn expand(&self, job: &mut sfumato_engine::Job) -> Result<()> {
        crate::job::expand(job)
    }

    fn questions(
        &self,
        original: &Job,
        manifest: Option<&Manifest>,
        context: &Context<'_>,
    ) -> Result<Vec<Question>> {
        questions(original, manifest, context.observer)
    }

    fn read(&self, job: &Job, needs: Records, context: &Context<'_>) -> Result<TableData> {
        let path = sfumato_engine::paths::resolve(&job.base, &job.input.path);
        let at_once = self.saved.is_some()
            || needs == Records::AtOnce
            // Releases are read together in memory.
            || job.ledger.is_some()
            // A population is compared with all records.
            || job.population.is_some()
            // Pseudonyms are made of a table in memory.
            || crate::pseudonyms::are_asked(job);
        let limit = match at_once {
            true => None,
            false => spill::beyond_memory(job)?,
        };
        let spooled = match limit.map(|limit| spill::look_at(job, limit, context)).transpose()? {
            Some(Look::Larger(data)) => return Ok(*data),
            Some(Look::Fits(spooled)) => spooled,
            None => None,
        };
        // Standard input was read already: the run goes on with the copy.
        let path = spooled.as_ref().map_or(path, |spooled| spooled.path.clone());
        let mut dataset = read_from(job, &path, context.observer)?;
        recall_values(job, &mut dataset)?;
        let people = population::join(job, &mut dataset, context.observer)?;
        let n_rows = dataset.raw.n_rows;
        context.lap(Step::Read);
        let none = SavedLevels::default();
        let encoded = encode_with(job, dataset, self.saved.unwrap_or(&none));
        let mut encoded = encoded.map_err(|error| tell_rows(error, n_rows, people))?;
        let population = population::part(&mut encoded, people);
        context.lap(Step::Encode);
        Ok(TableData { population, ..TableData::whole(encoded) })
    }
}
