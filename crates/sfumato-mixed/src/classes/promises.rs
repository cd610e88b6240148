//! What is promised of mixed records: models about columns, and models about columns and items
//! together.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::facts::{Facts, Promises};
use sfumato_core::group::Guarantee;
use sfumato_core::traits::Requirements;
use sfumato_core::{Error, Result};
use sfumato_sets::traits::SetRequirements;
use sfumato_table::audit::Opened as OpenedTable;
use sfumato_table::forms::generalized::make_plan::bind_models;

use crate::job::split_models;

/// The promises.
pub struct Promised {
    /// Those about columns alone.
    pub columns: Requirements,
    /// Those that hold within each class of columns.
    pub both: SetRequirements,
}

impl Promised {
    /// Bind models to a table.
    pub fn bind(models: &[String], table: &OpenedTable) -> Result<Self> {
        let (columns, both) = split_models(models)?;
        let columns = match columns.is_empty() {
            true => Requirements::new(Vec::new()),
            false => bind_models(&columns, &table.bind())?,
        };
        Ok(Promised { columns, both: bind_both(&both)? })
    }
    /// What is asked about combinations of items.
    pub fn asked(&self) -> Result<Vec<AskedCombinations>> {
        self.both.combinations()
    }
}

/// Bind the models that hold within each class of columns.
pub fn bind_both(models: &[String]) -> Result<SetRequirements> {
    match models.is_empty() {
        true => Ok(SetRequirements::default()),
        false => sfumato_sets::models::bind(models),
    }
}

/// The largest number of records that any of these models asks for.
pub fn largest(both: &SetRequirements) -> Result<u64> {
    let asked = both.combinations()?;
    let largest = asked.iter().map(|asked| asked.required).max();
    largest.ok_or_else(|| {
        Error::params("no model is about items, and they would be published as they are")
            .hint("say --model 'km-anonymity(k=5, m=2)', or leave --baskets out")
    })
}

impl Promises for Promised {
    fn describe(&self) -> Vec<String> {
        [self.columns.describe(), self.both.describe()].concat()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        Ok([self.columns.judge(facts)?, self.both.judge(facts)?].concat())
    }
}
