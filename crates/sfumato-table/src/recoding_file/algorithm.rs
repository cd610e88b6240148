//! A saved recoding as an algorithm, so that the new output is verified like any other release.

use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Recoding, Value};
use sfumato_core::registry::{Capabilities, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};

use super::locate::locate;
use super::look_up::look_up;
use super::{SavedColumn, SavedFile, Shape, Unseen};

/// A saved recoding as an algorithm.
pub struct SavedRecoding<'a> {
    /// The file.
    pub file: &'a SavedFile,
    /// What happens to rows outside all regions.
    pub unseen: Unseen,
}

static INFO: Info = Info {
    name: "saved-recoding",
    summary: "publish new rows as an earlier release was published",
    papers: &[],
    params: &[],
    doc: "",
    capabilities: Capabilities { serves: Fact::OF_CUTS, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl Algorithm for SavedRecoding<'_> {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let quasi = task.table.quasi();
        let values = self.resolve_values(&quasi)?;
        Ok(match self.file.shape {
            Shape::Boxes => Box::new(locate(self, &quasi, &values, task)?),
            Shape::Cuts => Box::new(look_up(self.unseen, &quasi, &values, task)?),
        })
    }
}

impl SavedRecoding<'_> {
    /// The saved values in the codes of a table. `None` for those that the table can't have.
    fn resolve_values(&self, quasi: &[&Column]) -> Result<Vec<Vec<Option<Value>>>> {
        if !quasi.iter().map(|c| &c.name).eq(self.file.columns.iter().map(|c| &c.name)) {
            return Err(Error::input("the new data hasn't the quasi columns of the recoding"));
        }
        let resolve = |(column, saved): (&&Column, &SavedColumn)| {
            saved.values.iter().map(|value| value.resolve(column)).collect()
        };
        Ok(quasi.iter().zip(&self.file.columns).map(resolve).collect())
    }
}
