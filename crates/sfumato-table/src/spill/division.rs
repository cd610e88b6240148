//! How a table was divided into partitions on disk, as it is written down for a run that resumes.

use serde::{Deserialize, Serialize};
use sfumato_core::recoding::Value;
use sfumato_engine::exec::Division;

use crate::algorithms::rothko::{Above, Words};

/// The partitions of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Divided {
    /// The algorithm that divided the table.
    pub engine: String,
    /// The partitions in the order in which they leave.
    pub partitions: Vec<Spilled>,
    /// Rows read and written to get here.
    pub work: serde_json::Value,
    /// For each quasi column the published value of each code, where one recoding is for all
    /// partitions.
    pub cuts: Option<Vec<Vec<Value>>>,
    /// The files of texts, with the place of the column of each.
    #[serde(default)]
    pub texts: Vec<(usize, String)>,
}

/// A partition on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spilled {
    /// Its files, one after the other.
    pub files: Vec<String>,
    /// Which slice of how many, if not all of their records.
    pub slice: Option<(u64, u64)>,
    /// Its records.
    pub n_rows: u64,
    /// What it knows from above.
    pub above: Above,
    /// Whether its records are published.
    pub published: bool,
    /// The interval of the words of each quasi column, where it is one class.
    pub whole_class: Option<Vec<Words>>,
}

impl Division for Divided {
    fn files(&self) -> impl Iterator<Item = &str> {
        let rows = self.partitions.iter().flat_map(|partition| &partition.files);
        rows.chain(self.texts.iter().map(|(_, name)| name)).map(String::as_str)
    }
}
