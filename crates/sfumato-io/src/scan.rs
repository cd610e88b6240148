//! Reading a table, whatever its format: in blocks to a [`BlockSink`], or whole.
//!
//! It knows no format itself: `readers/` has a file for each.

use std::cell::RefCell;

use sfumato_core::column::{CodesBuilder, Dictionary, Provenance, RawColumn, RawTable};
use sfumato_core::observer::{Observer, Unobserved};
use sfumato_core::{Error, ErrorKind, Result};

use crate::converted;
use crate::digest::sha256_hex;
use crate::format::Format;
use crate::gather::{Gathered, GatheredLocal, Plainer};
use crate::in_memory::{self, Readable};
use crate::input::Input;
use crate::local::LocalSink;
use crate::many::files_of;
use crate::options::ReadOptions;
use crate::readers;

/// Some rows in file order: the codes of the selected columns.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// The number of the first row, from 0.
    pub first_row: u64,
    /// The number of rows.
    pub n_rows: usize,
    /// For each selected column, the code of each row, which is an index into its dictionary.
    pub columns: &'a [Vec<u32>],
    /// The texts seen so far, per selected column. Dictionaries only grow.
    pub dictionaries: &'a [Dictionary],
    /// The code of null per selected column, if one was seen. Its text is empty; an empty text has
    /// another code.
    pub nulls: &'a [Option<u32>],
}

/// Receives the rows of a table.
pub trait BlockSink {
    /// Take the next rows. An error stops the reading.
    fn block(&mut self, block: &Block<'_>) -> Result<()>;
}

impl<F: FnMut(&Block<'_>) -> Result<()>> BlockSink for F {
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        self(block)
    }
}

/// What is known when all rows have been read.
#[derive(Debug, Clone)]
pub struct Scanned {
    /// All column names of the file.
    pub header: Vec<String>,
    /// The places of the selected columns, in file order.
    pub selected: Vec<usize>,
    /// The texts of each selected column, in the order in which they were first seen.
    pub dictionaries: Vec<Dictionary>,
    /// The code of null per selected column.
    pub nulls: Vec<Option<u32>>,
    /// The type of each selected column, as Arrow names it.
    pub native_types: Vec<Option<String>>,
    /// The number of rows.
    pub n_rows: usize,
    /// The file that was read.
    pub source: Provenance,
}

/// Decides which columns are wanted, given all names. It is called once, before the first row.
pub type Select<'a> = dyn FnMut(&[String]) -> Result<Vec<bool>> + 'a;

/// Select all columns.
pub fn select_all(header: &[String]) -> Result<Vec<bool>> {
    Ok(vec![true; header.len()])
}

/// Read a table in blocks. Memory holds a few blocks and the dictionaries, never the file. The path
/// `-` is standard input.
pub fn scan(
    path: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    sink: &mut dyn BlockSink,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let mut widened = Widened { sink, columns: Vec::new() };
    dispatch(path, options, select, Target::Merged(&mut widened), observer)
}

/// Read the names of the columns of a table, and nothing else.
pub fn read_header(path: &str, options: &ReadOptions) -> Result<Vec<String>> {
    let mut header = None;
    // Reading stops as soon as the names are known.
    let mut select = |names: &[String]| {
        header = Some(names.to_vec());
        Err(Error::new(ErrorKind::Cancelled, "the header was read"))
    };
    let mut nothing = |_: &Block<'_>| Ok(());
    let options = ReadOptions { hash: false, ..options.clone() };
    let read = scan(path, &options, &mut select, &mut nothing, &Unobserved);
    match (header, read) {
        (Some(header), _) => Ok(header),
        (None, Err(error)) => Err(error),
        (None, Ok(_)) => Err(Error::internal("a file was read without its header")),
    }
}

/// Read a whole table, with the narrowest codes for each column. The path `-` is standard input.
pub fn read(
    path: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    observer: &dyn Observer,
) -> Result<RawTable> {
    let mut collected = Collected { builders: Vec::new() };
    let scanned = dispatch(path, options, select, Target::Merged(&mut collected), observer)?;
    let mut builders = collected.builders;
    builders.resize_with(scanned.selected.len(), CodesBuilder::new);
    let columns = builders
        .into_iter()
        .zip(&scanned.selected)
        .zip(
            scanned
                .dictionaries
                .into_iter()
                .zip(scanned.nulls.into_iter().zip(scanned.native_types)),
        )
        .map(|((codes, &column), (values, (null, native_type)))| RawColumn {
            name: scanned.header[column].clone(),
            codes: codes.finish(),
            values,
            null,
            native_type,
        })
        .collect();
    Ok(RawTable { columns, n_rows: scanned.n_rows, header: scanned.header, source: scanned.source })
}

/// The receiver of the rows.
pub(crate) enum Target<'a> {
    /// The receiver wants codes of the whole file.
    Merged(&'a mut dyn Consumer),
    /// The receiver takes codes that are local to each block.
    Local(&'a mut dyn LocalSink),
}

/// Read what a path stands for: one file, or several as one table.
pub(crate) fn dispatch(
    path: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    match files_of(path)? {
        None if options.written.is_empty() => one_file(path, options, select, target, observer),
        None => gather(&[path.to_string()], (path, options), select, target, observer),
        Some(files) => gather(&files, (path, options), select, target, observer),
    }
}

/// Read files one after the other as one table, in plain form.
fn gather(
    files: &[String],
    (path, options): (&str, &ReadOptions),
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let plainer = RefCell::new(Plainer::new(options));
    let mut chosen: Option<(Vec<String>, Vec<bool>)> = None;
    let mut select = |header: &[String]| match &chosen {
        Some((first, wanted)) if first == header => Ok(wanted.clone()),
        Some((first, _)) => Err(other_columns(first, header)),
        None => {
            let wanted = select(header)?;
            let names = header.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
            plainer.borrow_mut().select(names.map(|(name, _)| name.clone()).collect());
            chosen = Some((header.to_vec(), wanted.clone()));
            Ok(wanted)
        }
    };
    let mut all: Option<Scanned> = None;
    let mut hashes = Vec::new();
    let mut add = |scanned: Scanned| {
        hashes.push(scanned.source.sha256.clone());
        match &mut all {
            None => all = Some(scanned),
            Some(all) => {
                all.n_rows += scanned.n_rows;
                all.source.bytes += scanned.source.bytes;
                let types = all.native_types.iter_mut().zip(scanned.native_types);
                types.filter(|(known, new)| *known != new).for_each(|(known, _)| *known = None);
            }
        }
    };
    let named = |file: &str| {
        let file = file.to_string();
        move |mut error: Error| {
            error.place.file.get_or_insert(file);
            error
        }
    };
    let (dictionaries, nulls) = match target {
        Target::Merged(consumer) => {
            let mut gathered = Gathered::new(consumer, &plainer);
            for file in files {
                gathered.next_file();
                let target = Target::Merged(&mut gathered);
                add(one_file(file, options, &mut select, target, observer).map_err(named(file))?);
            }
            (gathered.dictionaries, gathered.nulls)
        }
        Target::Local(sink) => {
            let mut gathered = GatheredLocal::new(sink, &plainer);
            for file in files {
                gathered.next_file();
                let target = Target::Local(&mut gathered);
                add(one_file(file, options, &mut select, target, observer).map_err(named(file))?);
            }
            (Vec::new(), Vec::new())
        }
    };
    let mut all = all.ok_or_else(|| Error::internal("there was no file to read"))?;
    if files.len() > 1 {
        all.source.path = path.into();
        all.source.sha256 =
            if options.hash { sha256_hex(hashes.concat().as_bytes()) } else { String::new() };
    }
    (all.dictionaries, all.nulls) = (dictionaries, nulls);
    // A table without rows has no dictionaries yet.
    if all.n_rows == 0 && !all.native_types.is_empty() {
        all.dictionaries.resize_with(all.selected.len(), Dictionary::new);
        all.nulls.resize(all.selected.len(), None);
    }
    Ok(all)
}

/// The error about a file whose columns aren't those of the first.
fn other_columns(first: &[String], header: &[String]) -> Error {
    let lacks: Vec<&str> =
        first.iter().filter(|name| !header.contains(name)).map(String::as_str).collect();
    let more = header.iter().filter(|name| !first.contains(name)).count();
    let how = match (&lacks[..], more) {
        ([], 0) => "they are in another order".to_string(),
        ([], n) => format!("it has {n} more"),
        (lacks, _) => format!("it has no column {}", lacks.join(", ")),
    };
    Error::input(format!("this file doesn't have the columns of the first one: {how}"))
        .hint("files of one table have the same columns in the same order")
}

/// Open a file and pass it to the reader of its format.
fn one_file(
    path: &str,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    if let Some(Readable::Batches(batches)) = in_memory::find(path) {
        return readers::ipc::scan_lent(&batches, path, options, select, target, observer);
    }
    if let Some(converted) = converted::open(path, options.hash)? {
        let options =
            ReadOptions { format: None, delimiter: Some(b','), encoding: None, ..options.clone() };
        let input = Input::of_spooled(path, converted.file)?;
        let mut scanned = readers::csv::scan(input, &options, select, target, observer)?;
        scanned.source.format = converted.format.into();
        scanned.source.bytes = converted.bytes;
        scanned.source.sha256 = converted.sha256;
        return Ok(scanned);
    }
    let mut input = Input::open(path, options.hash)?;
    let format = match options.format.or(input.format) {
        Some(format) => format,
        None => Format::from_text(&input.peek(256)?),
    };
    match format {
        Format::Csv => readers::csv::scan(input, options, select, target, observer),
        Format::JsonLines => readers::jsonl::scan(input, options, select, target, observer),
        Format::Parquet => readers::parquet::scan(input, options, select, target, observer),
        Format::ArrowIpc => readers::ipc::scan(input, options, select, target, observer),
    }
}

/// Rows as a reader has them: codes of the block, and a table that translates them to codes of the
/// file.
pub(crate) struct Coded<'a> {
    pub(crate) first_row: u64,
    /// The line of the first row, where each row has one line.
    pub(crate) first_line: Option<u64>,
    pub(crate) n_rows: usize,
    /// For each selected column, the local code of each row, and the global code of each local
    /// code.
    pub(crate) columns: &'a [(&'a [u32], &'a [u32])],
    pub(crate) dictionaries: &'a [Dictionary],
    pub(crate) nulls: &'a [Option<u32>],
}

/// A sink inside this crate. It receives local codes, so that narrow columns are filled without a
/// detour over u32.
pub(crate) trait Consumer {
    fn block(&mut self, block: &Coded<'_>) -> Result<()>;
}

struct Widened<'a> {
    sink: &'a mut dyn BlockSink,
    columns: Vec<Vec<u32>>,
}

impl Consumer for Widened<'_> {
    fn block(&mut self, block: &Coded<'_>) -> Result<()> {
        self.columns.resize_with(block.columns.len(), Vec::new);
        for (column, (local, table)) in self.columns.iter_mut().zip(block.columns) {
            column.clear();
            column.extend(local.iter().map(|&code| table[code as usize]));
        }
        self.sink.block(&Block {
            first_row: block.first_row,
            n_rows: block.n_rows,
            columns: &self.columns,
            dictionaries: block.dictionaries,
            nulls: block.nulls,
        })
    }
}

struct Collected {
    builders: Vec<CodesBuilder>,
}

impl Consumer for Collected {
    fn block(&mut self, block: &Coded<'_>) -> Result<()> {
        self.builders.resize_with(block.columns.len(), CodesBuilder::new);
        for ((builder, (local, table)), values) in
            self.builders.iter_mut().zip(block.columns).zip(block.dictionaries)
        {
            builder.extend_mapped(local, table, values.len());
        }
        Ok(())
    }
}

/// Check the selection of `select` and turn it into column numbers.
pub(crate) fn select_columns(select: &mut Select<'_>, header: &[String]) -> Result<Vec<usize>> {
    let wanted = select(header)?;
    if wanted.len() != header.len() {
        let message =
            format!("{} columns were selected from, the file has {}", wanted.len(), header.len());
        return Err(Error::internal(message));
    }
    Ok((0..header.len()).filter(|&column| wanted[column]).collect())
}

/// Refuse column names that are empty or occur twice.
pub(crate) fn check_header(header: &[String]) -> Result<()> {
    let mut seen = sfumato_core::FastMap::default();
    for (column, name) in header.iter().enumerate() {
        if name.trim().is_empty() {
            return Err(Error::input(format!("column {} has no name in the header", column + 1))
                .hint("every column needs a name in the first line"));
        }
        if let Some(first) = seen.insert(name.as_str(), column) {
            let (first, second) = (first + 1, column + 1);
            return Err(Error::input(format!(
                "columns {first} and {second} are both named '{name}'"
            ))
            .hint("rename one of them"));
        }
    }
    Ok(())
}

/// Return an error if the user asked to stop.
pub(crate) fn check_cancelled(observer: &dyn Observer) -> Result<()> {
    if observer.cancelled() {
        return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
    }
    Ok(())
}
