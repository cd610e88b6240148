//! A job about mixed records: the sections of every job, what columns are, which cell has the
//! items, and what these are.

use serde::{Deserialize, Serialize};
use sfumato_core::dataset::Role;
use sfumato_core::registry::Call;
use sfumato_core::{Error, Result};
use sfumato_engine::job::{Engine, InputSpec};
use sfumato_io::BasketLayout;
use sfumato_sets::data::layout;
use sfumato_sets::job::BasketSpec;
use sfumato_table::job::{ColumnSpec, Columns};

sfumato_engine::job_of_kind! {
    /// A whole job about mixed records.
    pub struct Job {
        /// The section `[columns]`: what each column is.
        pub columns: Columns,
        /// The section `[baskets]`: which column has the items, and what these are.
        pub baskets: BasketSpec,
        /// The section `[mixed]`: how items lie in their cell.
        pub mixed: MixedSpec,
    }
    /// The section `[output]`: what to write.
    pub struct OutputSpec {
        /// Where the item hierarchy is written, if that is asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub item_hierarchy: Option<String>,
    }
    impl KindJob for Job {
        fn check(&self) -> Result<()> {
            let mut columns = self.columns.0.iter();
            if columns.any(|(_, spec)| spec.role == Role::Subject) {
                return Err(Error::unsupported("a person has one row with one set of items here")
                    .hint("put the rows of each person together, and leave --subject out"));
            }
            if self.baskets.utilities.is_some() {
                return Err(Error::unsupported("what items are worth isn't looked at beside columns")
                    .hint("leave --utilities out"));
            }
            Ok(())
        }
    }
}

/// What stands between items of a text if nothing is said.
pub const SEPARATOR: char = ';';

/// The section `[mixed]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct MixedSpec {
    /// The character between the items of a cell. By default `;`, and none in columns of lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separator: Option<String>,
}

impl Job {
    /// The column with the items.
    pub fn items_column(&self) -> Result<String> {
        let found = match self.baskets.says_layout() {
            true => layout::parse(&self.baskets.layout)?.layout,
            false => BasketLayout::FIMI,
        };
        let name = match found {
            BasketLayout::List { column, key: None } => column,
            _ => {
                return Err(Error::params("beside columns, items are in a cell of each row")
                    .hint("say --baskets 'list(column=NAME)'"));
            }
        };
        match self.columns.get(&name) {
            None => Ok(name),
            Some(spec) => {
                let role = spec.role.name();
                let message = format!("column '{name}' has the items, and is given as {role}");
                Err(Error::params(message).hint("leave its role out"))
            }
        }
    }
    /// The character between items that the job names.
    pub fn separator(&self) -> Result<Option<char>> {
        let Some(text) = &self.mixed.separator else { return Ok(None) };
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(one), None) => Ok(Some(one)),
            _ => Err(Error::params(format!("a separator is one character, not '{text}'"))),
        }
    }
    /// The job of a table with the columns that aren't items, which reads and writes elsewhere.
    pub fn of_table(&self, input: &str, models: Vec<String>) -> sfumato_table::Job {
        let mut run = self.run.clone();
        run.engine = Engine::Memory;
        (run.memory, run.spill, run.resume) = (None, None, false);
        let plain = |(name, spec): &(String, ColumnSpec)| {
            // What was read is in its plain form.
            (name.clone(), ColumnSpec { written: None, ..spec.clone() })
        };
        let mut job = sfumato_table::Job {
            input: InputSpec { path: input.into(), ..InputSpec::default() },
            columns: Columns(self.columns.0.iter().map(plain).collect()),
            privacy: self.privacy.clone(),
            recode: self.recode.clone(),
            run,
            base: self.base.clone(),
            ..sfumato_table::Job::default()
        };
        job.input.missing = self.input.missing.clone();
        job.privacy.models = models;
        job
    }
    /// The models of the job that are about columns alone, and those about columns and items.
    pub fn models(&self) -> Result<(Vec<String>, Vec<String>)> {
        split_models(&self.privacy.models)
    }
}

/// Models about columns alone, and those about columns and items together.
pub fn split_models(models: &[String]) -> Result<(Vec<String>, Vec<String>)> {
    let (mut columns, mut both) = (Vec::new(), Vec::new());
    for text in models {
        let call: Call = text.parse()?;
        let list = if BOTH.contains(&call.name.as_str()) { &mut both } else { &mut columns };
        list.push(text.clone());
    }
    Ok((columns, both))
}

/// The models of baskets that are kept within each class of columns.
pub const BOTH: &[&str] = &["km-anonymity", "coherence"];
