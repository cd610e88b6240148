//! What a column is to a release.

use crate::error::Error;

/// The role of a column. Every column has one, or the run stops and says which has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
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
    /// The name as written in a job.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(role, _)| *role == self).expect("ALL lists every role").1
    }
    /// Whether the column leaves with the release.
    pub fn is_published(self) -> bool {
        !matches!(self, Role::Identifier | Role::Subject | Role::Guard)
    }
}

impl std::str::FromStr for Role {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.iter().find(|(_, name)| *name == text).map(|(role, _)| *role).ok_or_else(|| {
            Error::params(format!("there is no role '{text}'"))
                .hint("roles are identifier, subject, quasi, sensitive, guard, target and keep")
        })
    }
}
