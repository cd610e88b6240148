//! Data on disk that don't fit into memory: spilled partitions of words, runs of records for
//! external grouping, and the folder they lie in.
//!
//! Nothing here is ever a release. Folders are for their owner only (0700, files 0600), are removed
//! when dropped, on error and on Ctrl-C, and what a killed process left is removed by the next run
//! or adopted by one that resumes. Every block has a checksum, so that a torn file is an error and
//! never data.

mod chunk;
mod counts;
mod disk;
mod divide;
mod folder;
mod in_memory;
mod manifest;
mod orphans;
mod partition;
mod reader;
mod rows;
mod run_reader;
mod runs;
#[cfg(test)]
mod tests;
mod texts;
mod tuples;
mod writer;

pub use counts::IoCounts;
pub use divide::SpillDivide;
pub use folder::SpillFolder;
pub use in_memory::{DivideInMemory, InMemory, divide_in_memory};
pub use manifest::{read_manifest, write_manifest};
pub use orphans::{find_resumable, remove_orphans};
pub use partition::SpillTuples;
pub use reader::{SpillChunks, SpillReader};
pub use rows::width_of;
pub use run_reader::RunReader;
pub use runs::{Run, RunWriter};
pub use texts::{TextFile, TextWriter, text_bytes};
pub use tuples::{Batch, Divide, Route, Tuples};
pub use writer::SpillWriter;
