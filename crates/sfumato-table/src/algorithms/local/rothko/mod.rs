//! Rothko: Mondrian for data larger than memory. The top of the partition tree is decided without
//! the records in memory. They are divided into partitions on the way, and each partition that fits
//! into memory is finished by Mondrian itself.
//!
//! Nothing here knows where tuples are stored: they are read again and again, and divided, through
//! the interfaces of core.

mod above;
mod algorithm;
mod decide;
mod divide;
mod facts;
mod finish;
mod frequencies;
mod grow;
mod guided;
mod io_model;
mod judge;
mod leftover;
mod local;
mod node;
mod prune;
mod rules;
mod sample;
mod scan;
mod split_tree;
mod work;

pub use above::{Above, Partition, Words};
pub use algorithm::RothkoTree;
pub use finish::finish;
pub use grow::{group_bytes, tree};
pub use io_model::{Forecast, Scale, predict};
pub use sample::{RothkoSample, sample};
pub use split_tree::{Fork, NOWHERE, Router, SplitTree};
pub use work::Work;

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::group::Summary;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Observer;
use sfumato_core::registry::Params;
use sfumato_core::traits::{Algorithm, Objective, Requirements};
use sfumato_core::workload::Workload;

use crate::data::tuples::Frame;

/// The algorithms for data larger than memory.
pub static ALL: &[&dyn Algorithm] = &[&RothkoTree, &RothkoSample];

/// Binds a workload to a table: the whole, or a part of it.
pub type BindWorkload<'a> = &'a (dyn Fn(&Table) -> Result<Workload> + Sync);
/// Makes the objective to minimize, priced for a table.
pub type MakeObjective<'a> = &'a (dyn for<'t> Fn(&'t Table) -> Objective<'t> + Sync);

/// The task of a run over tuples.
#[derive(Clone, Copy)]
pub struct Outline<'a> {
    /// The columns of the tuples.
    pub frame: &'a Frame,
    /// What every class must satisfy.
    pub requirements: &'a Requirements,
    /// The summary of all records, with the histograms that models read.
    pub whole: &'a Summary,
    /// How many records may be suppressed.
    pub max_suppressed: u64,
    /// The parameters of Mondrian.
    pub params: &'a Params,
    /// What the recipient will do with the release.
    pub workload: Option<BindWorkload<'a>>,
    /// The objective to minimize. Prices of cells of keys must depend only on their values, as
    /// those of the certainty penalty do.
    pub objective: MakeObjective<'a>,
    /// The seed of random choices.
    pub seed: u64,
    /// Is told what is held in memory.
    pub books: &'a Accountant,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

/// The limits of what may be in memory or open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The number of records of a partition that is finished in memory.
    pub partition_rows: u64,
    /// The number of bytes for the frequency groups of all open nodes together. One group is made
    /// in any case.
    pub group_bytes: u64,
    /// The number of partitions that can be written at once; at least two.
    pub max_parts: usize,
    /// The number of records of a sample.
    pub sample_rows: u64,
}
