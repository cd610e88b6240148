//! One reader per format, and two modules that readers share: blocks of text, and batches of Arrow
//! arrays.

pub(crate) mod arrow;
pub(crate) mod blocks;
pub(crate) mod csv;
pub(crate) mod ipc;
pub(crate) mod json;
pub(crate) mod jsonl;
pub(crate) mod lend;
pub(crate) mod merge;
pub(crate) mod parquet;
