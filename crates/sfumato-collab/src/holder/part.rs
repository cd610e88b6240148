//! A holder's part of a release: its own columns or rows, written, read back and compared with its
//! own table by the verifier of tables, before anybody else sees them.

use serde::{Deserialize, Serialize};
use sfumato_core::column::RawColumn;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};
use sfumato_engine::context::Context;
use sfumato_table::sealed::{cell, seal};

use super::Holding;
use crate::ledger::Traffic;
use crate::protocol::ColumnNote;

/// A specialisation that was performed, as all parties know it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepNote {
    /// The column.
    pub column: String,
    /// What was published before.
    pub value: String,
    /// What is published now.
    pub children: Vec<String>,
    /// Whose column it is.
    pub holder: String,
    /// The score, if it was shown.
    pub score: Option<f64>,
}

/// What a holder delivers to the coordinator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The holder.
    pub holder: String,
    /// The columns, and what they are.
    pub columns: Vec<ColumnNote>,
    /// The rows. Those of holders of other columns stand in the same order, which only the holders
    /// know; those of holders of other people have been through the mix.
    pub rows: Vec<Vec<Option<String>>>,
    /// The hash of the whole result, on which all agreed.
    pub hash: [u8; 32],
    /// The specialisations.
    pub steps: Vec<StepNote>,
    /// What it sent to others.
    pub traffic: Traffic,
    /// What it has to say to the report.
    pub remarks: Vec<String>,
    /// Whether its part was read back and compared with its table.
    pub verified: bool,
}

/// An algorithm that publishes what a protocol decided: it stands in for the one of a job.
pub struct Stand<F>(pub F);

static INFO: Info = Info {
    name: "collaboration",
    summary: "publishes what several holders decided",
    capabilities: sfumato_core::registry::Capabilities {
        serves: sfumato_core::facts::Fact::OF_CUTS,
        ..sfumato_core::registry::Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl<F: Fn(&Task<'_>) -> Result<Box<dyn Recoding>> + Sync> Algorithm for Stand<F> {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        (self.0)(task)
    }
}

/// Columns, and the cells of each row; none where one is missing.
pub type Cells = (Vec<ColumnNote>, Vec<Vec<Option<String>>>);

/// The cells of a holder's own columns as the verifier let them pass, by row. A holder without
/// quasi columns publishes its cells as they are.
pub fn verified(
    holding: &Holding,
    columns: &[RawColumn],
    n_rows: usize,
    is_asked: impl Fn(&str, Role) -> bool,
    models: Vec<String>,
    decided: &dyn Algorithm,
) -> Result<Cells> {
    let job = holding.job.table_job(&is_asked, models);
    let is_in = |column: &&RawColumn| job.columns.get(&column.name).is_some();
    let asked: Vec<&RawColumn> = columns.iter().filter(is_in).collect();
    let role = |name: &str| job.columns.get(name).map_or(Role::Identifier, |spec| spec.role);
    let note = |name: &str| ColumnNote { name: name.into(), role: role(name) };
    if !job.columns.0.iter().any(|(_, spec)| spec.role == Role::Quasi) {
        let row =
            |row: usize| asked.iter().map(|column| cell(column, row).map(str::to_string)).collect();
        let notes = asked.iter().map(|column| note(&column.name)).collect();
        return Ok((notes, (0..n_rows).map(row).collect()));
    }
    let sealed = seal(job.clone(), (&asked, n_rows), Some(decided), &Context::new(&Unobserved))?;
    let mut rows: Vec<Vec<Option<String>>> = vec![Vec::new(); n_rows];
    if sealed.rows.len() != n_rows {
        return Err(Error::internal("the verified part doesn't have every row"));
    }
    for (row, cells) in sealed.rows {
        rows[row] = cells;
    }
    Ok((sealed.header.iter().map(|name| note(name)).collect(), rows))
}
