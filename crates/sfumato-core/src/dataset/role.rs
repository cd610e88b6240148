//! The roles of columns in a release.

use crate::error::Error;

/// The role of a column. Every column has one; otherwise the run stops and says which have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The column names a person by itself, or nobody needs it. It is dropped.
    #[serde(alias = "drop")]
    Identifier,
    /// The column says which rows belong to one person. It is dropped, and people are counted
    /// instead of rows.
    Subject,
    /// An attacker may know the column. It is generalized.
    Quasi,
    /// An attacker wants to learn the column. It is published as it is, and guarded by the models.
    Sensitive,
    /// The column says what a person asked to keep from being learnt. Models read it, and it is
    /// never published.
    Guard,
    /// The recipient wants to predict the column. It is published as it is.
    Target,
    /// The column is published as it is.
    Keep,
}

impl Role {
    /// All roles with their names.
    pub const ALL: [(Role, &'static str); 7] = [
        (Role::Identifier, "identifier"),
        (Role::Subject, "subject"),
        (Role::Quasi, "quasi"),
        (Role::Sensitive, "sensitive"),
        (Role::Guard, "guard"),
        (Role::Target, "target"),
        (Role::Keep, "keep"),
    ];
    /// The name of the role in a job.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(role, _)| *role == self).expect("ALL lists every role").1
    }
    /// Whether columns of this role are published.
    pub fn is_published(self) -> bool {
        !matches!(self, Role::Identifier | Role::Subject | Role::Guard)
    }
}

impl std::str::FromStr for Role {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let text = if text == "drop" { Role::Identifier.name() } else { text };
        Self::ALL.iter().find(|(_, name)| *name == text).map(|(role, _)| *role).ok_or_else(|| {
            Error::params(format!("there is no role '{text}'"))
                .hint("roles are identifier, subject, quasi, sensitive, guard, target and keep")
        })
    }
}
