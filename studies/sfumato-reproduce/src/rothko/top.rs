//! The top of the partition tree alone, over tuples in memory: what would be read and written if
//! they were on disk.

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Unobserved;
use sfumato_core::traits::Objective;
use sfumato_io::spill::divide_in_memory;
use sfumato_table::Job;
use sfumato_table::algorithms::rothko::{Limits, Outline, Work, sample, tree};
use sfumato_table::data::tuples::of_table;
use sfumato_table::forms::generalized::make_plan::{Plan, make_plan};

/// The number of bytes for counts, as in the algorithms in memory. 256 leaves are a tree of height
/// 8.
const BYTES: u64 = 64 << 20;
const PARTS: usize = 256;

/// A table and what is asked of it.
pub struct Top<'a> {
    table: &'a Table,
    job: Job,
    plan: Plan,
    seed: u64,
}

impl<'a> Top<'a> {
    /// By an algorithm, `rothko-tree` or `rothko-sample`, with its parameters.
    pub fn new(table: &'a Table, job: &Job, algorithm: &str, seed: u64) -> Result<Self> {
        let mut job = job.clone();
        job.recode.algorithm = algorithm.to_string();
        job.run.seed = Some(seed);
        let plan = make_plan(&job, table)?;
        Ok(Top { table, job, plan, seed })
    }

    /// Divide the table, and return what that took. Counts may take at most `group_bytes` bytes.
    pub fn work(&self, group_bytes: Option<u64>) -> Result<Work> {
        let Top { table, job, plan, seed } = self;
        let (frame, tuples) = of_table(table);
        let whole = plan.requirements.tally(table).of_range(0..table.n_rows);
        let bind = |part: &Table| sfumato_table::workloads::bind(&job.workload.tasks, part);
        let outline = Outline {
            frame: &frame,
            requirements: &plan.requirements,
            whole: &whole,
            max_suppressed: plan.max_suppressed,
            params: &plan.params,
            workload: (!job.workload.tasks.is_empty()).then_some(&bind),
            objective: &|table| Objective::ncp(table),
            seed: *seed,
            books: &Accountant::default(),
            observer: &Unobserved,
        };
        let rows = plan.params.integer("partition_rows").unsigned_abs();
        let drawn = plan.params.optional_integer("sample").map_or(rows, i64::unsigned_abs);
        let limits = Limits {
            partition_rows: rows,
            group_bytes: group_bytes.unwrap_or(BYTES),
            max_parts: PARTS,
            sample_rows: drawn,
        };
        let divide = divide_in_memory(tuples.columns.len());
        let (_, work) = match plan.algorithm.info().name {
            "rothko-tree" => tree(&outline, &limits, &tuples, &divide)?,
            _ => {
                let alpha =
                    if plan.params.flag("tests") { plan.params.number("alpha") } else { 1.0 };
                sample(&outline, &limits, alpha, &tuples, &divide, None)?
            }
        };
        Ok(work)
    }
}
