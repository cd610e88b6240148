//! An algorithm that knows to which cluster each record belongs.
//!
//! It stands in for the algorithm it wraps, so that the pipeline needs to know nothing of labels:
//! they are put beside a copy of the table while the search runs, as a column of role target and a
//! classification task, and what comes back is a decision about the quasi columns. No label can be
//! applied, written or reported, because no later stage has them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Missing, Role, Table, ValueKind};
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Argument, Call, Info, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::workload::Workload;
use sfumato_core::{Error, Result};

use super::clusterer::ClustererCall;
use super::features::matrix_of_original;

/// Where labels come from.
#[derive(Clone, Copy)]
pub enum Labels<'a> {
    /// The labels are known: one for each record, in the order of the table.
    Known(&'a [u32]),
    /// The labels are found in the table that is anonymized.
    Find {
        /// The clusterer.
        clusterer: &'a ClustererCall,
        /// How many clusters.
        clusters: u64,
        /// Where it starts from.
        seed: u64,
    },
}

/// An algorithm with labels.
pub struct Labelled<'a> {
    /// The algorithm.
    pub inner: &'static dyn Algorithm,
    /// The cluster of each record.
    pub labels: Labels<'a>,
}

impl Labels<'_> {
    fn of(&self, table: &Table) -> Result<Cow<'_, [u32]>> {
        let labels = match self {
            Labels::Known(labels) => Cow::Borrowed(*labels),
            Labels::Find { clusterer, clusters, seed } => {
                Cow::Owned(clusterer.run(&matrix_of_original(table)?, *clusters, *seed)?.labels)
            }
        };
        match labels.len() == table.n_rows {
            true => Ok(labels),
            false => Err(Error::internal("the labels aren't those of this table")),
        }
    }
}

/// A copy of a table with the labels as its only target, and the task of predicting them from the
/// quasi columns.
pub fn with_labels(table: &Table, labels: &[u32]) -> Result<(Table, Workload)> {
    let n = labels.iter().max().map_or(0, |most| *most as usize + 1);
    let mut own = table.clone();
    for column in own.columns.iter_mut().filter(|column| column.role == Role::Target) {
        column.role = Role::Keep;
    }
    let mut name = "cluster".to_string();
    while own.columns.iter().any(|column| column.name == name) {
        name.push('_');
    }
    own.columns.push(Column {
        name: name.clone(),
        role: Role::Target,
        codes: Codes::from_iter(n, labels.iter().copied()),
        domain: Domain {
            kind: ValueKind::Text,
            labels: (0..n).map(|label| label.to_string()).collect(),
            keys: Vec::new(),
        },
        hierarchy: None,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    });
    let args = BTreeMap::from([("target".to_string(), Argument::Word(name))]);
    let task = Call { name: "classification".into(), args }.to_string();
    let workload = sfumato_table::workloads::bind(&[task], &own)?;
    Ok((own, workload))
}

impl Algorithm for Labelled<'_> {
    fn info(&self) -> &'static Info {
        self.inner.info()
    }
    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let (table, workload) = with_labels(task.table, &self.labels.of(task.table)?)?;
        self.inner.anonymize(params, &Task { table: &table, workload: Some(&workload), ..*task })
    }
}
