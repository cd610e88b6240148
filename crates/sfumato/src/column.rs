//! What a column of a table is: its role, how it is generalized, what missing means.

use crate::{Hierarchy, Value};

/// What a column is to an attacker and to the recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Names a person by itself: dropped.
    Identifier,
    /// Says which rows belong to one person: dropped, and people are counted instead of rows.
    Subject,
    /// May be known to an attacker: generalized.
    Quasi,
    /// What an attacker wants to learn: published as it is, and guarded by the models.
    Sensitive,
    /// What a person asked to keep from being learnt: read by models, never published.
    Guard,
    /// What the recipient wants to predict: published as it is.
    Target,
    /// Published as it is.
    Keep,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Identifier => "identifier",
            Role::Subject => "subject",
            Role::Quasi => "quasi",
            Role::Sensitive => "sensitive",
            Role::Guard => "guard",
            Role::Target => "target",
            Role::Keep => "keep",
        }
    }
}

/// What a missing value of a column means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// A value of its own, published as missing.
    #[default]
    Value,
    /// Published as suppressed (`*`).
    Suppressed,
}

/// A column of a table. A plain name stands for a column with nothing special about it.
///
/// ```
/// use sfumato::{Column, Hierarchy, Job, Missing};
///
/// let zip = Column::new("zip").hierarchy(Hierarchy::mask()).weight(2.0);
/// let job = Job::table().quasi(zip).quasi(Column::new("age").missing(Missing::Suppressed));
/// assert!(job.to_toml().contains("age = { role = \"quasi\", missing = \"suppressed\" }"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(crate) name: String,
    keys: Vec<(&'static str, Value)>,
}

impl Column {
    /// A column of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Column { name: name.into(), keys: Vec::new() }
    }

    /// How it is generalized.
    #[must_use]
    pub fn hierarchy(self, hierarchy: Hierarchy) -> Self {
        self.with("hierarchy", hierarchy.into_value())
    }

    /// The type, if it shouldn't be guessed: integer, decimal, float, date, datetime, time or text.
    #[must_use]
    pub fn data_type(self, name: &str) -> Self {
        self.with("type", name.into())
    }

    /// How much a loss in this column counts; 1 without it.
    #[must_use]
    pub fn weight(self, weight: f64) -> Self {
        self.with("weight", weight.into())
    }

    /// What a missing value means.
    #[must_use]
    pub fn missing(self, missing: Missing) -> Self {
        let name = match missing {
            Missing::Value => "value",
            Missing::Suppressed => "suppressed",
        };
        self.with("missing", name.into())
    }

    /// Publish it although it gives a quasi column away or is nearly unique.
    #[must_use]
    pub fn accept(self) -> Self {
        self.with("accept", true.into())
    }

    /// Say anything else of the column.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: Value) -> Self {
        self.keys.retain(|(other, _)| *other != key);
        self.keys.push((key, value));
        self
    }

    pub(crate) fn into_value(self, role: Role) -> Value {
        let role = [("role", Value::from(role.name()))];
        Value::table(role.into_iter().chain(self.keys))
    }
}

impl From<&str> for Column {
    fn from(name: &str) -> Self {
        Column::new(name)
    }
}

impl From<String> for Column {
    fn from(name: String) -> Self {
        Column::new(name)
    }
}
