//! The joint schema: which holder has which column, and what all must hold for.

use sfumato_core::dataset::Role;
use sfumato_core::{Error, Result};

use crate::holder::Holding;
use crate::job::Agreement;
use crate::protocol::{ColumnNote, Message, Seat, VERSION, Wire, WireExt};

/// A column of the joint table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointColumn {
    /// The name.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Whose it is.
    pub owner: Seat,
}

/// The joint schema.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The columns but for the target, in the order that decides between equal scores.
    pub columns: Vec<JointColumn>,
    /// The target.
    pub target: String,
    /// Who has the target; the first of them publishes it.
    pub with_target: Vec<Seat>,
    seat: Seat,
}

impl Joint {
    /// Say who one is, hear who the others are, and put the schema together.
    pub fn agree(wire: &mut dyn Wire, agreement: &Agreement, holding: &Holding) -> Result<Self> {
        let own = Message::Hello {
            version: VERSION,
            job: agreement.hash()?,
            columns: holding.schema(),
            records: holding.n_rows() as u64,
        };
        let hellos = wire.exchange(&own, "hello", |message| match message {
            Message::Hello { job, columns, .. } => Ok((job, columns)),
            other => Err(other),
        })?;
        if let Some(seat) = hellos.iter().position(|(job, _)| *job != hellos[0].0) {
            return Err(Error::params(format!(
                "{} and {} don't work on the same job",
                wire.name(0),
                wire.name(seat)
            ))
            .hint("give all holders the same JOB.toml"));
        }
        let schemas: Vec<&[ColumnNote]> = hellos.iter().map(|(_, own)| own.as_slice()).collect();
        Self::of_schemas(agreement, &schemas, wire)
    }

    fn of_schemas(
        agreement: &Agreement,
        schemas: &[&[ColumnNote]],
        wire: &dyn Wire,
    ) -> Result<Self> {
        let c = &agreement.collaboration;
        let target = c.target.clone().unwrap_or_default();
        let mut joint =
            Joint { columns: Vec::new(), target, with_target: Vec::new(), seat: wire.seat() };
        for (owner, schema) in schemas.iter().enumerate() {
            for ColumnNote { name, role } in *schema {
                if *name == joint.target {
                    joint.with_target.push(owner);
                    continue;
                }
                if *role == Role::Target {
                    return Err(Error::params(format!(
                        "{} has the target '{name}', and the job the target '{}'",
                        wire.name(owner),
                        joint.target
                    )));
                }
                if let Some(other) = joint.columns.iter().find(|other| other.name == *name) {
                    return Err(Error::params(format!(
                        "{} and {} both have a column '{name}'",
                        wire.name(other.owner),
                        wire.name(owner)
                    ))
                    .hint("one of them gives it the role identifier, which drops it"));
                }
                joint.columns.push(JointColumn { name: name.clone(), role: *role, owner });
            }
        }
        if joint.with_target.is_empty() {
            return Err(Error::params(format!("no holder has the target '{}'", joint.target)));
        }
        if !joint.columns.iter().any(|column| column.role == Role::Quasi) {
            return Err(Error::params("no holder has a quasi column"));
        }
        let place = |column: &JointColumn| {
            c.order.iter().position(|name| *name == column.name).unwrap_or(c.order.len())
        };
        joint.columns.sort_by_key(place);
        Ok(joint)
    }

    /// The quasi columns, which specialisations are about, by their places among themselves.
    pub fn quasi(&self) -> Vec<&JointColumn> {
        self.columns.iter().filter(|column| column.role == Role::Quasi).collect()
    }

    /// The names of the quasi columns.
    pub fn quasi_names(&self) -> Vec<&str> {
        self.quasi().iter().map(|column| column.name.as_str()).collect()
    }

    /// Whether a column is one's own and takes part. The target does apart.
    pub fn is_own(&self, name: &str, _: Role) -> bool {
        self.columns.iter().any(|column| column.name == name && column.owner == self.seat)
    }

    /// Whether one publishes the target.
    pub fn publishes_target(&self) -> bool {
        self.with_target.first() == Some(&self.seat)
    }

    /// Who has sensitive columns.
    pub fn guardians(&self) -> Vec<Seat> {
        let is_sensitive = |column: &&JointColumn| column.role == Role::Sensitive;
        let mut seats: Vec<Seat> =
            self.columns.iter().filter(is_sensitive).map(|column| column.owner).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }
}
