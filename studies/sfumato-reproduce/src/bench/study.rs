//! A data set in memory with the roles of its columns, which an experiment anonymizes.

use std::collections::BTreeMap;

use sfumato_core::column::{Codes, Dictionary, Provenance, RawColumn, RawTable};
use sfumato_core::dataset::Role;
use sfumato_core::registry::{Argument, Call};
use sfumato_core::workload::TargetKind;
use sfumato_core::{Error, FastMap, Result};
use sfumato_evaluate::evaluate::Truth;
use sfumato_table::Job;
use sfumato_table::data::assign_roles::assign_roles;
use sfumato_table::data::read::Dataset;
use sfumato_table::job::ColumnSpec;

use super::sheet::Sheet;

/// A column of a role.
pub fn column(name: &str, role: Role) -> (String, ColumnSpec) {
    (name.to_string(), ColumnSpec::of_role(role))
}

/// A quasi column with a tree, in the JSON of the builder `tree`.
pub fn tree(name: &str, json: &str) -> (String, ColumnSpec) {
    let args = BTreeMap::from([("text".to_string(), Argument::Word(json.to_string()))]);
    let hierarchy = Some(Call { name: "tree".into(), args });
    (name.to_string(), ColumnSpec { hierarchy, ..ColumnSpec::of_role(Role::Quasi) })
}

/// Data and the roles of its columns.
pub struct Study {
    /// The columns; without models and tasks.
    pub job: Job,
    /// The data.
    pub dataset: Dataset,
}

impl Study {
    /// Make a study of a sheet. Columns that aren't named are left out.
    pub fn new(sheet: &Sheet, columns: Vec<(String, ColumnSpec)>) -> Result<Self> {
        let header: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let coded = header.iter().map(|name| Ok(encode(name, &sheet.texts(name)?)));
        let coded = coded.collect::<Result<Vec<RawColumn>>>()?;
        let mut job = Job::default();
        job.columns.0 = columns;
        let roles = assign_roles(&job, &header)?;
        let raw = RawTable {
            columns: coded,
            n_rows: sheet.rows.len(),
            header,
            source: Provenance::default(),
        };
        let pseudonyms = Default::default();
        Ok(Study { job, dataset: Dataset { raw, roles, pseudonyms } })
    }

    /// The job with these models and tasks.
    pub fn job(&self, models: &[&str], tasks: &[&str]) -> Job {
        let mut job = self.job.clone();
        job.privacy.models = models.iter().map(ToString::to_string).collect();
        job.workload.tasks = tasks.iter().map(ToString::to_string).collect();
        job
    }

    /// What a target really is in each row.
    pub fn truth(&self, target: &str, kind: TargetKind) -> Result<Truth> {
        let raw = self.dataset.raw.column(target);
        let raw =
            raw.ok_or_else(|| Error::internal(format!("column '{target}' isn't in the dataset")))?;
        Truth::new(&self.job, raw, kind)
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.dataset.raw.n_rows
    }
}

fn encode(name: &str, texts: &[&str]) -> RawColumn {
    let mut values = Dictionary::new();
    let mut known: FastMap<&str, u32> = FastMap::default();
    let codes: Vec<u32> =
        texts.iter().map(|text| *known.entry(*text).or_insert_with(|| values.push(text))).collect();
    let codes = Codes::from_iter(values.len(), codes.into_iter());
    RawColumn { name: name.to_string(), codes, values, null: None, native_type: None }
}
