//! Reads and writes CSV, Parquet, Arrow IPC and JSON lines, compressed or not. Output appears as a
//! whole or not at all.
//!
//! Everything is read as dictionary-encoded text: [`scan`] passes on blocks of codes, [`read`]
//! returns a whole table, and [`scan_local`] passes on blocks with dictionaries of their own. What
//! a text means (a number, a date, missing) is not decided here. Nothing here prints, and nothing
//! depends on the number of threads.

mod atomic;
mod atomic_folder;
mod baskets;
mod commit_together;
mod converted;
mod decoder;
mod digest;
mod encoding;
mod format;
mod gather;
mod in_memory;
mod input;
mod intern;
mod lines;
mod local;
mod many;
mod options;
mod output;
mod pipeline;
mod readers;
mod scan;
mod seekable;
mod sink;
mod source;
pub mod spill;
pub mod steps;
mod text;
mod weight;
mod writers;

pub use atomic::{AtomicFile, remove_temporaries, write_text_atomically, write_text_unnamed};
pub use atomic_folder::{AtomicFolder, MANIFEST};
pub use baskets::{
    BasketLayout, BasketOptions, BasketWriteOptions, ItemColumn, ItemKind, Keyed, ReadBaskets,
    RecordSource, Separator, normal_query, parse_utilities, read_baskets, read_utilities, terms_of,
    write_baskets,
};
pub use commit_together::commit_together;
pub use converted::{file_of, name_inside};
pub use decoder::panics_are_caught;
pub use digest::sha256_hex;
pub use encoding::{Encoding, guess_encoding};
pub use format::{Compression, Format, delimiter_of_destination, format_of_destination};
pub use in_memory::{Delivered, Inbox, Loan};
pub use input::check_there;
pub use lines::{append_lines, scan_lines};
pub use local::{LocalBlock, LocalCells, LocalSink, scan_local};
pub use many::files_of;
pub use options::ReadOptions;
pub use output::{InMemory, Output};
pub use readers::csv::header::{MISSING_WORDS, SAY_HEADER, is_missing_word};
pub use scan::{Block, BlockSink, Scanned, Select, read, read_header, scan, select_all};
pub use sink::Sink;
pub use source::Source;
pub use text::read_text;
pub use writers::{
    BETWEEN, ColumnSource, LISTS, ReleaseWriter, WriteColumn, WriteOptions, write_rows,
};
