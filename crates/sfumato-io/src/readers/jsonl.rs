//! JSON lines: one object per line, whose keys are the columns.
//!
//! All keys are known only at the end of the file, but the caller must see all columns before the
//! first row. So the file is read twice: first keys, then cells. For this, standard input is copied
//! to an unnamed temporary file.

use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memchr;
use sfumato_core::column::Provenance;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};

use crate::encoding::Encoding;
use crate::format::Format;
use crate::input::Input;
use crate::intern::LocalColumn;
use crate::options::ReadOptions;
use crate::readers::blocks::{Lines, Text, TextError};
use crate::readers::csv::boundary::Boundary;
use crate::readers::json::{self, Kind, Member};
use crate::readers::lend::{self, Lent, OwnedBlock};
use crate::readers::merge::{Merger, ParsedBlock, Seeds};
use crate::scan::{Scanned, Select, Target, check_header, select_columns};

/// Read a file of JSON lines.
pub(crate) fn scan(
    mut input: Input,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let encoding = input.decode(options.encoding)?;
    let name = input.name().to_owned();
    let mut source = Provenance {
        path: input.path.clone(),
        format: Format::JsonLines.name().into(),
        compression: input.compression.map(|c| c.name().into()),
        encoding: encoding.map(Encoding::name),
        ..Provenance::default()
    };
    let text =
        |input, pending| Text { input, pending, first_line: 1, boundary: Boundary::Line, options };
    // A file is opened twice; what can't be (a pipe) is kept.
    let (first, second, spooled) = if input.size > 0 {
        let mut again = Input::open(&input.path, options.hash)?;
        again.decode(options.encoding)?;
        (input, again, None)
    } else {
        let kept = input.spool()?;
        let clone = kept.try_clone().map_err(|e| Error::io(&std::env::temp_dir(), "read", &e))?;
        (
            Input::of_spooled(&input.path, kept)?,
            Input::of_spooled(&input.path, clone)?,
            Some(input.meter),
        )
    };
    let mut header: Vec<String> = Vec::new();
    let mut known: FastMap<String, ()> = FastMap::default();
    let (first, pending) = without_mark(first)?;
    text(first, pending).run(
        "read the keys",
        &keys,
        &mut |_, block: Vec<String>| {
            for key in block {
                if known.insert(key.clone(), ()).is_none() {
                    header.push(key);
                }
            }
            Ok(())
        },
        observer,
    )?;
    if header.is_empty() {
        return Err(Error::input("the file has no object with a key").in_file(name));
    }
    check_header(&header).map_err(|e| e.in_file(name.as_str()))?;
    let selected = select_columns(select, &header)?;
    let seeds = Seeds::new(selected.len());
    let parser = Parser::new(&header, &selected, &seeds);
    let mut kinds = vec![0u8; selected.len()];
    let (second, pending) = without_mark(second)?;
    let second = text(second, pending);
    let mut see = |seen: &[u8]| kinds.iter_mut().zip(seen).for_each(|(all, seen)| *all |= seen);
    let (meter, merged) = match target {
        Target::Merged(consumer) => {
            let mut merger = Merger::new(selected.len());
            let mut each = |text: (&[u8], Lines), (block, seen): (ParsedBlock, Vec<u8>)| {
                see(&seen);
                merger.merge(text, &block, &seeds, consumer)
            };
            (
                second.run("read", &|bytes| parser.parse(bytes), &mut each, observer)?,
                merger.finish(),
            )
        }
        Target::Local(sink) => {
            let mut lent = Lent::new(sink);
            let parse = |bytes: &mut [u8]| {
                parser.parse(bytes).map(|(block, seen)| (lend::own(bytes, block), seen))
            };
            let mut each = |(_, lines): (&[u8], Lines), (block, seen): (OwnedBlock, Vec<u8>)| {
                see(&seen);
                lent.hand_over(block, Some(lines))
            };
            (second.run("read", &parse, &mut each, observer)?, lent.finish())
        }
    };
    let meter = spooled.unwrap_or(meter);
    source.bytes = meter.bytes();
    source.sha256 = meter.sha256();
    Ok(Scanned {
        native_types: kinds.into_iter().map(native_type).collect(),
        header,
        selected,
        dictionaries: merged.dictionaries,
        nulls: merged.nulls,
        n_rows: merged.n_rows,
        source,
    })
}

/// Remove a byte order mark from the front. Returns the bytes that were read to find it.
fn without_mark(mut input: Input) -> Result<(Input, Vec<u8>)> {
    let mut start = input.take_start(3)?;
    if start == b"\xEF\xBB\xBF" {
        start.clear();
    }
    Ok((input, start))
}

/// The type that the kinds of values seen in a column agree on.
fn native_type(kinds: u8) -> Option<String> {
    const INTEGER: u8 = bit(Kind::Integer);
    const LONG: u8 = bit(Kind::LongInteger);
    const REAL: u8 = bit(Kind::Real);
    let name = match kinds & !bit(Kind::Null) {
        0 => return None,
        INTEGER => "Int64",
        k if k & !(INTEGER | LONG) == 0 => "Decimal128(38, 0)",
        k if k & !(INTEGER | LONG | REAL) == 0 => "Float64",
        k if k == bit(Kind::Boolean) => "Boolean",
        k if k == bit(Kind::Text) => "Utf8",
        _ => return None,
    };
    Some(name.into())
}

const fn bit(kind: Kind) -> u8 {
    1 << kind as u8
}

/// A function that receives the bytes of a block and the members of one of its lines.
type EachLine<'a> = dyn FnMut(&[u8], &[Member]) -> Result<(), TextError> + 'a;

/// Call `each` with the members of every line. Blank lines are skipped. Returns the number of other
/// lines.
fn lines(bytes: &mut [u8], each: &mut EachLine<'_>) -> Result<usize, TextError> {
    let mut members = Vec::new();
    let (mut at, mut line, mut n_rows) = (0, 0, 0);
    while at < bytes.len() {
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
        if !bytes[at..end].trim_ascii().is_empty() {
            members.clear();
            // Unescaped strings may hold newlines now: lines can be counted only here.
            json::object(bytes, at, end, &mut members)
                .and_then(|()| each(bytes, &members))
                .map_err(|e| TextError { line: Some((line, at)), ..e })?;
            n_rows += 1;
        }
        at = end + 1;
        line += 1;
    }
    Ok(n_rows)
}

/// The distinct keys of a block, in the order in which they were first seen.
fn keys(bytes: &mut [u8]) -> Result<Vec<String>, TextError> {
    let mut found: Vec<String> = Vec::new();
    let mut known: FastMap<Vec<u8>, usize> = FastMap::default();
    let mut last_line = Vec::new();
    lines(bytes, &mut |bytes, members| {
        for (i, member) in members.iter().enumerate() {
            let key = &bytes[member.key.0 as usize..member.key.1 as usize];
            // Most lines have the keys of the line before, in the same order.
            let usual: Option<&usize> = last_line.get(i);
            if usual.is_some_and(|&column| found[column].as_bytes() == key) {
                continue;
            }
            let column = match known.get(key) {
                Some(&column) => column,
                None => {
                    let text = String::from_utf8_lossy(key).into_owned();
                    known.insert(key.to_vec(), found.len());
                    found.push(text);
                    found.len() - 1
                }
            };
            last_line.truncate(i);
            last_line.push(column);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Parses blocks into columns of local codes.
struct Parser<'a> {
    seeds: &'a Seeds,
    /// The column of each key.
    columns: FastMap<Vec<u8>, usize>,
    header: Vec<Vec<u8>>,
    /// For each column, its place among the selected ones.
    slots: Vec<Option<usize>>,
    hints: Vec<AtomicUsize>,
}

impl<'a> Parser<'a> {
    fn new(header: &[String], selected: &[usize], seeds: &'a Seeds) -> Self {
        let header: Vec<Vec<u8>> = header.iter().map(|name| name.as_bytes().to_vec()).collect();
        let columns = header.iter().cloned().enumerate().map(|(i, name)| (name, i)).collect();
        let slots = (0..header.len()).map(|c| selected.iter().position(|&s| s == c)).collect();
        let hints = selected.iter().map(|_| AtomicUsize::new(0)).collect();
        Parser { seeds, columns, header, slots, hints }
    }

    fn parse(&self, bytes: &mut [u8]) -> Result<(ParsedBlock, Vec<u8>), TextError> {
        let hints = self.hints.iter().map(|hint| hint.load(Ordering::Relaxed)).enumerate();
        let mut columns: Vec<LocalColumn> =
            hints.map(|(i, hint)| LocalColumn::new(0, hint, self.seeds.get(i))).collect();
        let mut kinds = vec![0; columns.len()];
        // In which line each column was last seen, counted from 1.
        let mut seen = vec![0usize; self.header.len()];
        let mut row = 0;
        let n_rows = lines(bytes, &mut |bytes, members| {
            row += 1;
            for (i, member) in members.iter().enumerate() {
                let key = &bytes[member.key.0 as usize..member.key.1 as usize];
                let usual = self.header.get(i).is_some_and(|name| name == key);
                let column = if usual { Some(i) } else { self.columns.get(key).copied() };
                let Some(column) = column else {
                    return Err(TextError::at(
                        member.at,
                        "this key wasn't there a moment ago: the file is changing",
                    ));
                };
                if seen[column] == row {
                    return Err(TextError::at(member.at, "this key occurs twice in the object"));
                }
                seen[column] = row;
                let Some(slot) = self.slots[column] else { continue };
                kinds[slot] |= bit(member.kind);
                let local = &mut columns[slot];
                let code = match member.kind {
                    Kind::Null => local.intern_null(),
                    _ => local.intern(bytes, member.value.0 as usize, member.value.1 as usize),
                };
                local.codes.push(code);
            }
            for (column, slot) in self.slots.iter().enumerate() {
                if let Some(slot) = *slot
                    && seen[column] != row
                {
                    kinds[slot] |= bit(Kind::Null);
                    let code = columns[slot].intern_null();
                    columns[slot].codes.push(code);
                }
            }
            Ok(())
        })?;
        for (column, hint) in columns.iter_mut().zip(&self.hints) {
            column.finish();
            hint.store(column.spans().len(), Ordering::Relaxed);
        }
        Ok((ParsedBlock { n_rows, columns }, kinds))
    }
}
