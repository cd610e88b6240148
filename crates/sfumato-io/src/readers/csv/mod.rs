//! CSV: the header, then blocks of records.
//!
//! RFC 4180, with deviations that are common in practice: a byte order mark, LF or CR LF or both, a
//! last line without newline, other delimiters, quotes inside plain fields (literal). A blank line
//! is an empty value in a file of one column and skipped otherwise.

pub(crate) mod boundary;
pub(crate) mod header;
mod parse;
mod record;
mod sniff;
mod structure;

pub(crate) use record::Span;

use memchr::{memchr, memchr_iter};
use sfumato_core::column::Provenance;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::encoding::Encoding;
use crate::format::{self, Format};
use crate::input::{Input, read_error, read_full};
use crate::options::ReadOptions;
use crate::readers::blocks::{Lines, Text, check_text};
use crate::readers::csv::boundary::Boundary;
use crate::readers::lend::{self, Lent};
use crate::readers::merge::{Merger, ParsedBlock, Seeds};
use crate::scan::{Scanned, Select, Target, check_header, select_columns};

/// How many bytes are read before the delimiter is guessed.
const START: usize = 1 << 16;

/// Read a CSV file.
pub(crate) fn scan(
    mut input: Input,
    options: &ReadOptions,
    select: &mut Select<'_>,
    target: Target<'_>,
    observer: &dyn Observer,
) -> Result<Scanned> {
    let encoding = input.decode(options.encoding)?;
    let head = Head::read(&mut input, options)?;
    let name = input.name().to_owned();
    let mut source = Provenance {
        path: input.path.clone(),
        format: Format::Csv.name().into(),
        compression: input.compression.map(|c| c.name().into()),
        delimiter: Some(head.delimiter),
        crlf: head.crlf,
        encoding: encoding.map(Encoding::name),
        ..Provenance::default()
    };
    let selected = select_columns(select, &head.header)?;
    let seeds = Seeds::new(selected.len());
    let parser = parse::Parser::new(head.delimiter, head.header.len(), &selected, &seeds);
    let text = Text {
        input,
        pending: head.rest,
        first_line: head.lines + 1,
        boundary: Boundary::Csv { delimiter: head.delimiter },
        options,
    };
    let in_this_file = |mut e: Error| {
        e.place.file.get_or_insert_with(|| name.clone());
        e
    };
    let (meter, merged) = match target {
        Target::Merged(consumer) => {
            let mut merger = Merger::new(selected.len());
            let mut each = |(bytes, lines): (&[u8], Lines), block: ParsedBlock| {
                merger.merge((bytes, lines), &block, &seeds, consumer).map_err(in_this_file)
            };
            (text.run("read", &|bytes| parser.parse(bytes), &mut each, observer)?, merger.finish())
        }
        Target::Local(sink) => {
            let mut lent = Lent::new(sink);
            let parse = |bytes: &mut [u8]| parser.parse(bytes).map(|block| lend::own(bytes, block));
            let mut each = |(_, lines): (&[u8], Lines), block| {
                lent.hand_over(block, Some(lines)).map_err(in_this_file)
            };
            (text.run("read", &parse, &mut each, observer)?, lent.finish())
        }
    };
    source.bytes = meter.bytes();
    source.sha256 = meter.sha256();
    Ok(Scanned {
        native_types: vec![None; selected.len()],
        header: head.header,
        selected,
        dictionaries: merged.dictionaries,
        nulls: merged.nulls,
        n_rows: merged.n_rows,
        source,
    })
}

/// What the start of a file says about the rest.
struct Head {
    header: Vec<String>,
    delimiter: u8,
    crlf: bool,
    /// The number of lines of the header.
    lines: u64,
    /// The bytes that were read after the header.
    rest: Vec<u8>,
}

impl Head {
    fn read(input: &mut Input, options: &ReadOptions) -> Result<Head> {
        let name = input.name().to_owned();
        let mut start = Vec::new();
        let mut whole = more(input, &mut start, START)?;
        if start.starts_with(b"\xEF\xBB\xBF") {
            start.drain(..3);
        }
        if start.is_empty() {
            return Err(Error::input("the file is empty").in_file(name));
        }
        if options.header.is_none() && options.delimiter.is_none() {
            header::refuse_baskets(&start, whole).map_err(|e| e.in_file(&name))?;
        }
        let delimiter = match options.delimiter {
            Some(b'"' | b'\n' | b'\r' | 0) => {
                return Err(Error::params("a delimiter can't be a quote, a line end or NUL"));
            }
            Some(delimiter) => delimiter,
            None if matches!(format::delimiter_of_destination(&input.path), b'\t')
                && memchr(b'\t', &start).is_some() =>
            {
                b'\t'
            }
            None => sniff::delimiter(&start, whole),
        };
        let boundary = Boundary::Csv { delimiter };
        // Blank lines before the header are skipped like all others; the header is the first
        // record.
        loop {
            let skipped = blank_lines(&start);
            let mut scan = boundary.start();
            scan.advance(&start[skipped..], boundary, whole);
            // The header is whole if any record is.
            if scan.boundary > 0 || whole {
                break;
            }
            if start.len() > options.max_record_bytes {
                return Err(Error::input("the header line is too long").in_file(name).at_line(1));
            }
            let length = start.len();
            whole = more(input, &mut start, length)?;
        }
        let mut at = blank_lines(&start);
        if at == start.len() {
            return Err(Error::input("the file has no header, only blank lines").in_file(name));
        }
        let mut fields = Vec::new();
        let raw = start.clone();
        let record = record::record(&mut start, at, delimiter, &mut fields);
        let bad = check_text(&raw[..*record.as_ref().unwrap_or(&raw.len())]);
        if let Some(bad) = bad
            && record.as_ref().err().is_none_or(|e| bad.offset < e.offset)
        {
            return Err(bad.locate(&raw, &name, 1));
        }
        at = record.map_err(|e| e.locate(&raw, &name, 1))?;
        let mut header = Vec::new();
        for (from, to) in fields {
            let text = std::str::from_utf8(&start[from as usize..to as usize]);
            header.push(text.map_err(|_| Error::internal("the header isn't UTF-8"))?.to_owned());
        }
        if options.header == Some(false) {
            let skipped = blank_lines(&raw);
            let lines = memchr_iter(b'\n', &raw[..skipped]).count() as u64;
            let header = (1..=header.len()).map(|i| format!("column_{i}")).collect();
            let crlf = raw[..at].ends_with(b"\r\n");
            return Ok(Head { header, delimiter, crlf, lines, rest: raw[skipped..].to_vec() });
        }
        let lines = memchr_iter(b'\n', &raw[..at]).count() as u64;
        if options.header.is_none() {
            header::check_names(&header, &start[at..], delimiter, whole)
                .map_err(|e| e.in_file(&name).at_line(lines.max(1)))?;
        }
        check_header(&header).map_err(|e| e.in_file(name).at_line(lines.max(1)))?;
        let crlf = raw[..at].ends_with(b"\r\n");
        Ok(Head { header, delimiter, crlf, lines, rest: start.split_off(at) })
    }
}

/// Append `n` more bytes. Returns true at the end of the input.
fn more(input: &mut Input, start: &mut Vec<u8>, n: usize) -> Result<bool> {
    let length = start.len();
    start.resize(length + n, 0);
    let read = read_full(&mut input.reader, &mut start[length..])
        .map_err(|e| read_error(&input.path, input.compression, &e))?;
    start.truncate(length + read);
    Ok(read < n)
}

/// The number of bytes of blank lines at the beginning of the text.
fn blank_lines(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        if text[at..].starts_with(b"\n") {
            at += 1;
        } else if text[at..].starts_with(b"\r\n") {
            at += 2;
        } else {
            return at;
        }
    }
}
