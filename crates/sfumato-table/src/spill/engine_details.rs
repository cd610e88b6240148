//! What a run out of core read and wrote, beside what was predicted: the report's `engine`.

use serde_json::{Map, Value};
use sfumato_core::memory::Accountant;

use super::choice::Choice;
use super::division::Divided;

/// What was read and written, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Io {
    /// Written to spill files.
    pub spilled: u64,
    /// Read from spill files.
    pub read_back: u64,
    /// Passes over the input, the first look included.
    pub input_passes: u64,
    /// Bytes of the input.
    pub input_bytes: u64,
}

/// What the books of memory say: the most that was held at once, and by whom. It varies with the
/// number of threads, as a process does.
pub fn accounted(books: &Accountant) -> Value {
    let held: Map<String, Value> =
        books.held_at_peak().into_iter().map(|(what, bytes)| (what.into(), bytes.into())).collect();
    serde_json::json!({ "peak_bytes": books.peak(), "held_at_peak": held })
}

/// What the report says of the engine, but for the time that it was to take and took.
pub fn engine_details(choice: &Choice, divided: &Divided, io: Io, limit: u64) -> Value {
    let work = |name: &str| divided.work[name].as_f64().unwrap_or(0.0);
    let rows = work("input_rows").max(1.0);
    // The first look and the loading of partitions are reads too.
    let reads = 1.0 + work("rows_read") / rows + 1.0;
    serde_json::json!({
        "name": choice.engine.name(),
        "why": choice.why,
        "memory": limit,
        "in_memory": choice.in_memory,
        "partition_rows": choice.rows.partition,
        "partitions": divided.partitions.len(),
        "frequency_groups": choice.groups,
        "predicted": { "reads": choice.reads(), "writes": choice.writes() },
        "actual": { "reads": reads, "writes": work("rows_written") / rows },
        "work": divided.work,
        "input_passes": io.input_passes,
        "spilled_bytes": io.spilled,
        "spill_read_bytes": io.read_back,
        "spilled_by_input": io.spilled as f64 / io.input_bytes.max(1) as f64,
    })
}
