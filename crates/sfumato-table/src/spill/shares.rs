//! Divides the memory that a job may use.

use sfumato_core::Result;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Domain, Role};
use sfumato_engine::exec::{RESIDENT, for_data};
use sfumato_io::spill::SpillDivide;

use super::layout::Layout;
use crate::data::tuples::{Cells, Frame, TupleColumn};

/// How many tuples of a partition are written together: at least and at most.
const CHUNK_ROWS: std::ops::Range<u64> = 1 << 12..1 << 16;
/// Chunks of fewer tuples than this aren't made, however wide tuples are.
const FEWEST_ROWS: usize = 256;
/// The number of bytes of a partition that wait to be written.
const BUFFER: u64 = 256 << 10;
/// The number of rows of a sample that show the top of the tree well enough.
const SAMPLE_ROWS: u64 = 1 << 18;
/// Bytes of a number in a table that is hashed, with the room that such a table keeps free.
const HASHED: u64 = 24;
/// The largest number of files that are written at once.
const MOST_PARTS: u64 = 512;

/// The shares of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// The allowed memory in bytes.
    pub limit: u64,
    /// Bytes of it for data.
    free: u64,
    /// The number of bytes of distinct values that the first pass may hold.
    pub values: u64,
    /// The number of rows of the sample, at most.
    pub sample_rows: u64,
    /// The number of bytes of the sample.
    pub sample_bytes: u64,
    /// Bytes of text that a worker parses at a time.
    pub block_bytes: usize,
    /// Rows of a typed file that are decoded at a time.
    pub batch_rows: usize,
}

/// The shares that depend on the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Bytes that a record takes while its partition is anonymized.
    pub bytes: u64,
    /// The number of records of a partition that fits into memory: TM in the paper.
    pub partition: u64,
    /// The number of partitions that are written at once.
    pub parts: usize,
    /// The number of tuples that are written together.
    pub chunk: usize,
    /// Bytes for frequency groups.
    pub groups: u64,
}

impl Shares {
    /// Divide `limit` bytes.
    pub fn of(limit: u64) -> Result<Self> {
        let free = for_data(limit)?;
        Ok(Shares {
            limit,
            free,
            values: free / 6,
            sample_rows: SAMPLE_ROWS,
            sample_bytes: free / 4,
            // A few blocks per thread are in memory at once, and cells that are all different take
            // several times the bytes of their texts: together a sixth of what is free.
            block_bytes: ((free / 256) as usize).clamp(1 << 16, 4 << 20),
            batch_rows: ((free / 8192) as usize).clamp(1 << 12, 1 << 16),
        })
    }

    /// Bytes for data.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// Divide what is left when the columns are known. `least_people` is the size of the smallest
    /// class that may be published.
    pub fn rows(&self, layout: &Layout, least_people: u64) -> Rows {
        let held = held(layout);
        let bytes = bytes_per_row(&layout.frame, layout, least_people.max(1));
        let free = self.free().saturating_sub(held).max(8 << 20);
        // Three eighths are for the release on its way (rendered rows, a row group, the blocks that
        // are read back) and for what isn't booked, such as what the allocator keeps.
        let while_deciding = free * 5 / 8 / bytes;
        // What the program takes in fact leaves room for blocks that are read, texts that are
        // compared and classes that are grouped, but only where the budget is small.
        let shared = self.free() / 6 + 2 * self.free() / 8;
        let left = (self.limit - RESIDENT).saturating_sub(held + shared).max(8 << 20);
        let while_writing = left / written_bytes_per_row(layout, bytes, least_people.max(1));
        let partition = while_deciding.min(while_writing).max(1);
        let row: u64 = layout.frame.widths().iter().map(|width| u64::from(*width)).sum();
        let of_part = |chunk: u64| row * chunk + BUFFER;
        // Long chunks make long reads, as far as there is room for as many partitions as there may
        // be.
        let expected = (2 * layout.n_rows.div_ceil(partition)).clamp(2, MOST_PARTS);
        let chunk = (free / 3 / expected).saturating_sub(BUFFER) / row.max(1);
        let chunk = chunk.clamp(CHUNK_ROWS.start, CHUNK_ROWS.end);
        let mut parts = (free / 2 / of_part(chunk)).clamp(2, MOST_PARTS) as usize;
        // Chunks that wait for a writer come on top, and what is read when partitions are divided
        // again: words of all columns.
        let widths = layout.frame.widths();
        let read = chunk * 8 * widths.len() as u64;
        let memory = |parts: usize| {
            SpillDivide::memory_of(&widths, chunk as usize, parts).unwrap_or(u64::MAX)
        };
        while parts > 2 && memory(parts).saturating_add(read) > free {
            parts -= 1;
        }
        // Where records are so wide that even two partitions with such chunks are too much, chunks
        // are shorter.
        let mut chunk = chunk as usize;
        let of_two = |chunk: usize| {
            let waiting = SpillDivide::memory_of(&widths, chunk, parts).unwrap_or(u64::MAX);
            waiting.saturating_add(chunk as u64 * 8 * widths.len() as u64)
        };
        while chunk > FEWEST_ROWS && of_two(chunk) > free {
            chunk = chunk * 3 / 4;
        }
        Rows { bytes, partition, parts, chunk, groups: free / 2 }
    }
}

/// The bytes of values that are held from the first look to the end: as labels, in what finds
/// their codes, and in what they are compared with.
pub fn held(layout: &Layout) -> u64 {
    let columns = layout.frame.columns.iter().map(|column| &column.column.domain);
    let bytes = |domain: &Domain| (domain.labels.bytes() * 3 + domain.keys.len() * 8) as u64;
    columns.map(bytes).sum()
}

/// The largest number of bytes of a record while its partition is written: instead of Mondrian's
/// working copy there are the texts of its class, rendered and as the writer wants them.
fn written_bytes_per_row(layout: &Layout, bytes: u64, least_people: u64) -> u64 {
    const CELL: u64 = 44;
    let n_quasi = layout.frame.quasi().len() as u64;
    bytes + (CELL * n_quasi).div_ceil(least_people) - working_bytes(layout)
}

/// The bytes of a record in Mondrian's working copy.
fn working_bytes(layout: &Layout) -> u64 {
    let columns = layout.frame.columns.iter();
    columns.filter(|column| is_moved(column)).map(|column| width(layout, column)).sum()
}

fn is_moved(column: &TupleColumn) -> bool {
    matches!(column.cells, Cells::Subject)
        || matches!(column.column.role, Role::Quasi | Role::Sensitive)
}

/// The bytes of the code of a column.
fn width(layout: &Layout, column: &TupleColumn) -> u64 {
    let n_codes = match column.cells {
        Cells::Codes => column.column.domain.len() as u64 + 1,
        Cells::Keys { n_words, .. } => n_words.saturating_add(1),
        Cells::Subject | Cells::Texts { .. } => layout.n_rows.saturating_add(1),
    };
    Codes::for_domain(usize::try_from(n_codes).unwrap_or(usize::MAX)).width() as u64
}

/// The largest number of bytes of a record in a partition: its codes, Mondrian's working copy, its
/// number, its class, and its share of the class.
fn bytes_per_row(frame: &Frame, layout: &Layout, least_people: u64) -> u64 {
    let table: u64 = frame.columns.iter().map(|column| width(layout, column)).sum();
    let working = working_bytes(layout);
    // A column of keys has a domain of its own in every partition: at worst all its values differ.
    let domain = |(column, facts): (&TupleColumn, &super::layout::Facts)| match column.cells {
        Cells::Keys { .. } => {
            let share = facts.distinct as f64 / (layout.n_rows as f64 / 32.0).max(1.0);
            (12.0 * share.min(1.0)).ceil() as u64
        }
        _ => 0,
    };
    // Texts of a partition, as they are rendered and as they are written.
    let texts = |bytes: &u64| match bytes {
        0 => 0,
        bytes => 3 * (bytes.div_ceil(layout.n_rows.max(1)) + 8) + HASHED,
    };
    let texts: u64 = layout.text_bytes.iter().map(texts).sum();
    // A person has a code, is put into the order of the release, is one of a class and of a
    // partition, and has a number in what is read back.
    let people = if frame.subject.is_some() { 3 * HASHED } else { 0 };
    let domains: u64 = frame.columns.iter().zip(&layout.facts).map(domain).sum();
    let n_quasi = frame.quasi().len() as u64;
    let class = (16 + 28 * n_quasi).div_ceil(least_people);
    // Row numbers, arrangement, class, order; two columns of words while they become codes.
    table + working + domains + texts + people + class + 4 + 1 + 4 + 4 + 16
}
