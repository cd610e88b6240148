//! The columns of a job.

use serde::{Deserialize, Serialize};
use sfumato_core::dataset::{Missing, Role};
use sfumato_core::registry::Call;

use super::{ShownAs, hierarchy_as_table, is_default};

/// Whether capital and small letters make different texts of a subject or sensitive column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// `HIV` and `hiv` are two values.
    #[default]
    Matters,
    /// `HIV` and `hiv` are one value.
    Ignore,
}

/// The specification of a column.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { role = \"quasi\" }")]
pub struct ColumnSpec {
    /// The role of the column.
    pub role: Role,
    /// The type, if it shouldn't be guessed: integer, decimal, float, date, datetime, time or text.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How it writes its dates or numbers, if not in the plain form: `dd/mm/yyyy`, `1.234,5`. The
    /// release has the plain form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// What is published of an identifier instead of nothing: `pseudonym`.
    #[serde(
        default,
        rename = "as",
        skip_serializing_if = "Option::is_none",
        with = "super::call_as_text"
    )]
    pub shown_as: Option<Call>,
    /// How it is generalized.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hierarchy_as_table")]
    pub hierarchy: Option<Call>,
    /// The label of the node for values that the hierarchy doesn't have. Without it they stop the
    /// run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// How much a loss in this column counts.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: f64,
    /// What a missing value means.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing: Missing,
    /// Whether case makes different people or sensitive values.
    #[serde(default, skip_serializing_if = "is_default")]
    pub case: Case,
    /// Whether to publish it although it reveals a quasi column or is nearly unique.
    #[serde(default, skip_serializing_if = "is_default")]
    pub accept: bool,
    /// What is published for a region in a quasi column: the generalized text, statistics of its
    /// records, or both.
    #[serde(default = "ShownAs::only_interval", skip_serializing_if = "ShownAs::is_only_interval")]
    pub publish: Vec<ShownAs>,
    /// The grid to which statistics are snapped: minima down, maxima up, means to the nearest
    /// point.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "whole_if_it_is")]
    pub snap: Option<f64>,
}

impl ColumnSpec {
    /// The specification of a column with a role, and defaults for all else.
    pub fn of_role(role: Role) -> Self {
        ColumnSpec {
            role,
            kind: None,
            written: None,
            shown_as: None,
            hierarchy: None,
            unknown: None,
            weight: 1.0,
            missing: Missing::Value,
            case: Case::Matters,
            accept: false,
            publish: ShownAs::only_interval(),
            snap: None,
        }
    }
}

/// Serialize a whole number without a decimal point: a grid of 5 reads better as 5 than as 5.0.
fn whole_if_it_is<S: serde::Serializer>(
    snap: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match snap {
        Some(x) if x.fract() == 0.0 && x.abs() < 1e15 => serializer.serialize_i64(*x as i64),
        Some(x) => serializer.serialize_f64(*x),
        None => serializer.serialize_none(),
    }
}

fn one() -> f64 {
    1.0
}
fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}

/// Columns by name, in the order written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns(pub Vec<(String, ColumnSpec)>);

impl Columns {
    /// The specification of a column.
    pub fn get(&self, name: &str) -> Option<&ColumnSpec> {
        self.0.iter().find(|(column, _)| column == name).map(|(_, spec)| spec)
    }
    /// The specification of a column, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut ColumnSpec> {
        self.0.iter_mut().find(|(column, _)| column == name).map(|(_, spec)| spec)
    }
}

impl<'de> Deserialize<'de> for Columns {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Columns;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "a table of columns")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Columns, A::Error> {
                let mut columns = Vec::new();
                while let Some(entry) = map.next_entry::<String, ColumnSpec>()? {
                    columns.push(entry);
                }
                Ok(Columns(columns))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl Serialize for Columns {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, spec)| (name, spec)))
    }
}
