//! Chooses the engine of a job: in memory if it fits, else out of core by a sample, else by
//! frequency groups; and predicts its cost.

use sfumato_core::registry::{Call, OutOfCore};
use sfumato_core::{Error, Result};

use super::layout::Layout;
use super::look::Looked;
use super::shares::Rows;
use crate::algorithms::rothko::{Forecast, Scale, predict};
use crate::data::tuples::Cells;
use crate::forms::generalized::make_plan::Plan;
use crate::job::{Engine, Job};
use sfumato_engine::exec::RESIDENT;

/// The accepted error probability of a test on a sample, as in the paper.
const ALPHA: f64 = 0.05;
/// The memory of the program besides its data when everything is in memory.
const IN_MEMORY: u64 = 64 << 20;
/// The number of bytes of a distinct value in memory: its text and its places in indexes, of the
/// input and of the release that is read back.
const PER_VALUE: u64 = 150;

/// Nanoseconds of Mondrian per cell on two cores.
const PER_CELL: f64 = 20.0;

/// The chosen engine, and its costs.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The engine; never `auto`.
    pub engine: Engine,
    /// The reason for the choice.
    pub why: String,
    /// How memory is divided.
    pub rows: Rows,
    /// The number of bytes that it would take in memory.
    pub in_memory: u64,
    /// The number of frequency groups that fit into memory.
    pub groups: u64,
    /// The accepted error probability of a test on a sample.
    pub alpha: f64,
    /// The prediction of the paper's model of input and output.
    pub forecast: Forecast,
}

impl Choice {
    /// How often all tuples will be read until every partition was loaded, including the first
    /// pass. With a sample that pass is the one with which the paper's model begins; with frequency
    /// groups it comes before. What would fit as one partition is divided once nevertheless: looked
    /// at, written and loaded.
    pub fn reads(&self) -> u64 {
        let once = u64::from(self.forecast.repartitions_tree == 0);
        match self.engine {
            Engine::Tree => 1 + self.forecast.reads_tree + once,
            Engine::Sample => self.forecast.reads_sample.max(3),
            // The look, the points, the division, the partitions.
            Engine::Cuts => 4,
            Engine::Auto | Engine::Memory => 1,
        }
    }
    /// How often all tuples will be written.
    pub fn writes(&self) -> u64 {
        match self.engine {
            Engine::Tree => self.forecast.writes_tree.max(1),
            Engine::Sample => self.forecast.writes_sample.max(1),
            // Points at worst as many as records, and the partitions.
            Engine::Cuts => 2,
            Engine::Auto | Engine::Memory => 0,
        }
    }

    /// The approximate time of a run in milliseconds, given the time of the first pass. Further
    /// passes over the input cost about as much as the first; partitions are read and written in
    /// half of that, because nothing is parsed; the release takes as long to write and half as long
    /// again to read back.
    pub fn milliseconds(&self, look: f64, layout: &Layout, plan: &Plan) -> f64 {
        let n_cells = layout.n_rows as f64 * layout.frame.quasi().len() as f64;
        let capabilities = &plan.algorithm.info().capabilities;
        let per_cell = capabilities.nanoseconds_per_cell(plan.effort).unwrap_or(PER_CELL);
        // The last read is that of the partitions, and so are those behind the first division.
        let (reads, writes) = (self.reads() as f64, self.writes() as f64);
        let of_partitions = writes.min(reads - 1.0);
        let of_input = reads - of_partitions;
        look * (of_input + 0.5 * of_partitions + 0.5 * writes + 2.5) + n_cells * per_cell * 1e-6
    }
}

/// Choose the engine of a job.
pub fn choose(job: &Job, looked: &Looked, plan: &Plan) -> Result<Choice> {
    let layout = &looked.layout;
    let least = plan.requirements.min_people();
    let mut rows = looked.shares.rows(layout, least);
    // Who names the algorithm may say how it is to be run.
    let named = plan.algorithm.info().name;
    let out_of_core = plan.algorithm.info().capabilities.out_of_core;
    if let Some(asked) = asked(job, "partition_rows") {
        rows.partition = rows.partition.min(asked.max(1));
    }
    let alpha = match out_of_core {
        // From 1 on nothing is tested.
        OutOfCore::BySample if !plan.params.flag("tests") => 1.0,
        OutOfCore::BySample => plan.params.number("alpha"),
        _ => ALPHA,
    };
    let by_cuts = out_of_core == OutOfCore::ByCuts;
    let in_memory = in_memory(layout, rows.bytes);
    let group = group_bytes(layout, plan);
    let groups = (rows.groups / group.max(1)).max(1);
    let groups = asked(job, "groups").map_or(groups, |most| groups.min(most.max(1)));
    let scale =
        Scale { rows: layout.n_rows, partition_rows: rows.partition, groups, k: least, alpha };
    let forecast = predict(&scale);
    let limit = sfumato_report::numbers::bytes(looked.shares.limit);
    let needs = sfumato_report::numbers::bytes(in_memory);
    let (engine, why) = match job.run.engine {
        Engine::Auto if out_of_core == OutOfCore::ByTree => {
            (Engine::Tree, "by the algorithm".into())
        }
        Engine::Auto if out_of_core == OutOfCore::BySample => {
            (Engine::Sample, "by the algorithm".into())
        }
        Engine::Auto if in_memory <= looked.shares.limit => {
            (Engine::Memory, format!("it needs about {needs}, and {limit} are allowed"))
        }
        Engine::Auto if by_cuts => (
            Engine::Cuts,
            format!("in memory it would need about {needs}, and {limit} are allowed"),
        ),
        Engine::Cuts if !by_cuts => {
            return Err(Error::unsupported(format!(
                "{named} finds no cuts that are for all records, as --engine cuts needs"
            ))
            .hint("leave --engine out, or use top-down-specialization"));
        }
        Engine::Sample | Engine::Tree if by_cuts => {
            return Err(Error::unsupported(format!(
                "{named} finds cuts that are for all records: no tree divides them"
            ))
            .hint("leave --engine out, or say --engine cuts"));
        }
        Engine::Auto if forecast.repartitions_sample > 0 || forecast.height == 0 => (
            Engine::Sample,
            format!("in memory it would need about {needs}, and {limit} are allowed"),
        ),
        Engine::Auto if group > rows.groups => (
            Engine::Sample,
            format!("in memory it would need about {needs}, and not even one frequency group fits"),
        ),
        Engine::Tree if group > rows.groups => {
            return Err(Error::resources(format!(
                "the frequency group of all records takes about {}, and {} are left for it",
                sfumato_report::numbers::bytes(group),
                sfumato_report::numbers::bytes(rows.groups)
            ))
            .hint("raise --memory, or let --engine sample grow the tree from a sample"));
        }
        Engine::Auto => (
            Engine::Tree,
            format!(
                "in memory it would need about {needs}, {limit} are allowed, and a sample that \
                    fits says too little about classes of {least}"
            ),
        ),
        Engine::Memory if least_in_memory(in_memory) > looked.shares.limit => {
            return Err(Error::resources(format!(
                "in memory this takes about {needs}, and {limit} are allowed"
            ))
            .hint("raise --memory, or let --engine auto go out of core"));
        }
        engine => (engine, "asked for".into()),
    };
    Ok(Choice { engine, why, rows, in_memory, groups, alpha, forecast })
}

/// A number among the parameters of the job's algorithm.
pub fn asked(job: &Job, name: &str) -> Option<u64> {
    let call: Call = job.recode.algorithm.parse().ok()?;
    call.args.get(name)?.to_string().parse().ok()
}

/// The number of bytes that a job takes in memory.
fn in_memory(layout: &Layout, per_row: u64) -> u64 {
    let values: u64 = layout.facts.iter().map(|facts| facts.distinct).sum();
    layout.n_rows * per_row + values * PER_VALUE + IN_MEMORY
}

/// The number of bytes that a job takes in memory at least, if that is known to be little: whoever
/// asks for memory gets it where `auto` would rather not.
fn least_in_memory(in_memory: u64) -> u64 {
    let data = in_memory.saturating_sub(IN_MEMORY);
    in_memory.min(RESIDENT + 2 * data)
}

/// The number of bytes of the frequency group of all records: for each value of a quasi column its
/// count, by class or sensitive value if those are counted too.
fn group_bytes(layout: &Layout, plan: &Plan) -> u64 {
    let sensitive = layout.frame.sensitive();
    let needed = plan.requirements.needed_histograms(sensitive.len());
    let counted = sensitive.iter().zip(needed).filter(|(_, needed)| *needed);
    let companions: u64 =
        counted.map(|(place, _)| layout.frame.columns[*place].column.domain.len() as u64 + 1).sum();
    let classes = if plan.workload.guides_splits() { 2 } else { 0 };
    let width = (companions + classes).max(1);
    let of_column = |place: usize| {
        let distinct = layout.facts[place].distinct.saturating_mul(width).min(layout.n_rows);
        let cells = match layout.frame.columns[place].cells {
            Cells::Keys { n_words, .. } => n_words.saturating_mul(width),
            _ => layout.facts[place].distinct.saturating_mul(width),
        };
        // As Rothko counts: a table where that is small, else what occurs.
        match cells <= layout.n_rows.saturating_mul(4) {
            true => cells * 4 + distinct * 16,
            false => distinct * 40,
        }
    };
    layout.frame.quasi().into_iter().map(of_column).sum()
}
