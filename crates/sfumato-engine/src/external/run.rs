//! A whole run out of core, in one direction: look, lay out, plan, divide, publish, verify, measure, write, report.

use std::path::{Path, PathBuf};

use sfumato_core::dataset::Table;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::Objective;
use sfumato_core::tuples::Tuples;
use sfumato_core::{Error, Result};
use sfumato_io::{
    ReadOptions, ReleaseWriter, SpillDivide, SpillFolder, find_resumable, remove_orphans, widths_of,
};
use sfumato_recode::rothko::{self, Limits};
use sfumato_report::Report;

use super::choice::{Choice, choose};
use super::class_runs::ClassRuns;
use super::layout::{Layout, lay_out};
use super::originals::{Part, Partitions, reopen};
use super::publish::Publisher;
use super::report::{Io, Ran, report};
use super::resume::{self, Decided, Divided, PARTITIONS, Spilled, job_text};
use super::seed::Secret;
use super::shares::Shares;
use super::source::{InputTuples, sampled_words};
use super::survey::{Room, Survey, survey};
use super::verify::check;
use crate::job::{Engine, Job};
use crate::paths::resolve;
use crate::stage::apply::{Candidate, open};
use crate::stage::check_dependencies::check_dependencies;
use crate::stage::make_plan::{Plan, make_plan};
use crate::stage::read::read_options;
use crate::stage::reorder::shuffle;
use crate::stage::report::write_reports;
use crate::stage::verify::accept;
use crate::stage::write::{check_destinations, write};
use crate::stopwatch::{Stopwatch, peak_rss_bytes};
use crate::workload_binder;

/// What a first look says, and what follows from it.
pub struct Looked {
    /// The first look.
    pub survey: Survey,
    /// What tuples are.
    pub layout: Layout,
    /// Some rows as words.
    pub sample: Vec<Vec<u64>>,
    /// The same rows as a table.
    pub sampled: Table,
    /// How to read the input again.
    pub options: ReadOptions,
    /// Who gets how much memory.
    pub shares: Shares,
    /// Where random numbers come from.
    pub secret: Secret,
    /// Where the input is.
    pub path: String,
}
