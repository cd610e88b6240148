//! The encoded table that algorithms, models and metrics see. Raw texts stay in the domains.

use crate::column::Codes;
use crate::dataset::{Domain, Hierarchy, Role};

/// What a missing value of a quasi column means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// Missing is a value of its own, and published as missing.
    #[default]
    Value,
    /// Missing values are published as suppressed (`*`).
    Suppressed,
}

/// An encoded column with everything about it.
#[derive(Debug, Clone)]
pub struct Column {
    /// The name of the column in the file.
    pub name: String,
    /// The role of the column.
    pub role: Role,
    /// One code per row.
    pub codes: Codes,
    /// The values behind the codes.
    pub domain: Domain,
    /// The tree over the codes, if the column has one. Ordered quasi columns without one are
    /// generalized to ranges.
    pub hierarchy: Option<Hierarchy>,
    /// The weight of a loss in this column.
    pub weight: f64,
    /// What a missing value means.
    pub missing: Missing,
    /// The text that stands for missing in the file.
    pub missing_text: String,
    /// The type in the source file, if the format has types.
    pub native_type: Option<String>,
}

/// An encoded table.
#[derive(Debug, Clone)]
pub struct Table {
    /// The number of records.
    pub n_rows: usize,
    /// All columns that are published, and those that only models see (guards), in file order.
    pub columns: Vec<Column>,
    /// Which person each row belongs to, as dense codes, if a subject column was named.
    pub subject: Option<Codes>,
}

impl Table {
    /// The columns of a role, in file order.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &Column> + Clone {
        self.columns.iter().filter(move |column| column.role == role)
    }
    /// The quasi columns.
    pub fn quasi(&self) -> Vec<&Column> {
        self.of_role(Role::Quasi).collect()
    }
    /// The sensitive columns.
    pub fn sensitive(&self) -> Vec<&Column> {
        self.of_role(Role::Sensitive).collect()
    }
    /// The columns that models may count values of: the sensitive ones and guards.
    pub fn counted(&self) -> Vec<&Column> {
        self.columns
            .iter()
            .filter(|column| matches!(column.role, Role::Sensitive | Role::Guard))
            .collect()
    }
    /// The columns that are published.
    pub fn published(&self) -> impl Iterator<Item = &Column> + Clone {
        self.columns.iter().filter(|column| column.role.is_published())
    }
    /// The number of bytes that codes take in memory.
    pub fn code_bytes(&self) -> usize {
        self.columns.iter().map(|column| column.codes.bytes()).sum::<usize>()
            + self.subject.as_ref().map_or(0, Codes::bytes)
    }
}
