//! Tables: a record is a row of columns.
//!
//! `data` reads, `forms` are what may be published, `models` say what must hold, `algorithms`
//! decide, `metrics` measure, `attacks` play the adversary, `workloads` say what the recipient
//! will do, and `spill` stores partitions that don't fit into memory.

pub mod algorithms;
pub mod answers;
pub mod attacks;
pub mod audit;
pub mod data;
pub mod explain;
pub mod flags;
pub mod forms;
pub mod hierarchy;
pub mod init;
pub mod job;
pub mod kind;
pub mod metrics;
pub mod models;
pub mod over_time;
pub mod population;
pub mod pseudonyms;
pub mod query;
pub mod recoding_file;
pub mod run;
pub mod sealed;
pub mod spill;
pub mod views;
pub mod workloads;

pub use job::Job;
pub use recoding_file::apply_saved;
pub use run::{run, run_with};

use sfumato_engine::{AnyRelease, Entry};

use forms::buckets::Buckets;
use forms::generalized::Generalized;
use forms::perturbed::Perturbed;
use forms::synthetic::Synthetic;
use forms::tabulated::TableOfCells;
use kind::Tables;

/// Every form of release of a table, in the order in which a job is offered to them.
pub static RELEASES: &[&dyn AnyRelease] = &[
    &Entry { kind: Tables { saved: None }, form: Buckets },
    &Entry { kind: Tables { saved: None }, form: Generalized { stand_in: None, say: None } },
    &Entry { kind: Tables { saved: None }, form: Perturbed::VALUES },
    &Entry { kind: Tables { saved: None }, form: Perturbed::GROUPS },
    &Entry { kind: Tables { saved: None }, form: Synthetic },
    &Entry { kind: Tables { saved: None }, form: TableOfCells },
];
