//! Baskets: every layout is read and written, and files that aren't baskets are refused.

mod keys;
mod layouts;
mod lines;
mod round;

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::observer::Unobserved;
use sfumato_core::transactions::Transactions;
use sfumato_io::{
    AtomicFile, BasketLayout, BasketOptions, BasketWriteOptions, ReadBaskets, ReadOptions,
    read_baskets, write_baskets,
};

/// Read bytes as a file with a name. Blocks are so small that most files have several.
fn read_named(
    name: &str,
    bytes: &[u8],
    layout: &BasketLayout,
    options: &BasketOptions,
) -> Result<ReadBaskets> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read_baskets(path.to_str().unwrap(), layout, options, &Unobserved).map_err(|mut error| {
        assert!(
            error.place.file.is_some() || error.kind == sfumato_core::ErrorKind::Params,
            "{error}"
        );
        error.place.file = error.place.file.map(|_| name.to_owned());
        error
    })
}

fn small_blocks(bytes: usize) -> BasketOptions {
    let file = ReadOptions { block_bytes: bytes, batch_rows: 3, ..ReadOptions::default() };
    BasketOptions { file, ..BasketOptions::default() }
}

/// The records, with items by name.
fn named(read: &ReadBaskets) -> Vec<Vec<&str>> {
    let name = |code: u32| read.names[code as usize].as_str();
    (0..read.sets.len()).map(|i| read.sets.set(i).into_iter().map(name).collect()).collect()
}

/// Write sets and read them back.
fn round_trip(
    name: &str,
    layout: &BasketLayout,
    names: &[String],
    sets: &Transactions,
    numeric: bool,
) -> Result<ReadBaskets> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let options =
        BasketWriteOptions { numeric, ..BasketWriteOptions::for_destination(name, layout)? };
    let out = AtomicFile::create(Path::new(&path), false)?;
    write_baskets(out, layout, names, sets.len(), sets, &options, &Unobserved)?.commit()?;
    let options = BasketOptions { records: Some(sets.len() as u64), ..small_blocks(50) };
    read_baskets(path.to_str().unwrap(), layout, &options, &Unobserved)
}
