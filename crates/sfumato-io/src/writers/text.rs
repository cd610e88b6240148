//! Writes CSV and JSON lines: cells are formatted once, then blocks of rows are formatted and
//! compressed in parallel, and written in order.

use std::io::Write;
use std::ops::Range;

use memchr::{memchr, memchr3};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::format::{Compression, Format};
use crate::output::Output;
use crate::pipeline;
use crate::readers::json;
use crate::scan::check_cancelled;
use crate::writers::columns::is_numeric;
use crate::writers::rows::{Cells, format};
use crate::writers::{WriteColumn, WriteOptions, blocks};

/// The largest number of rows in a block.
const ROWS: usize = 1 << 16;
/// The smallest number of rows in a block.
const FEWEST_ROWS: usize = 64;
/// The number of bytes of a block, as far as that can be foreseen: several blocks per thread are in
/// memory at once.
const BYTES: usize = 256 << 10;
/// The memory of a block that waits to be written: its text and the codes of its rows.
pub(crate) const HELD: u64 = 2 * BYTES as u64;
/// The number of bytes of a block that is compressed by itself: smaller ones would pack worse.
const PACKED_BYTES: usize = 8 << 20;

/// A text file that is being written.
pub(crate) struct TextWriter {
    out: Output,
    options: WriteOptions,
}

impl TextWriter {
    pub(crate) fn create(
        mut out: Output,
        header: &[(&str, Option<&str>)],
        options: &WriteOptions,
    ) -> Result<Self> {
        let mut head = Vec::new();
        if options.format == Format::Csv {
            for (i, (name, _)) in header.iter().enumerate() {
                csv_cell(name, options.delimiter, header.len() == 1, &mut head);
                end_cell(i + 1 == header.len(), options, &mut head);
            }
        }
        let head = compress(head, options.compression)?;
        out.write_all(&head).map_err(|source| out.error(&source))?;
        Ok(TextWriter { out, options: *options })
    }

    /// Append lines.
    pub(crate) fn append(
        &mut self,
        columns: &[WriteColumn<'_>],
        n_rows: usize,
        observer: &dyn Observer,
    ) -> Result<()> {
        let TextWriter { out, options } = self;
        let cells: Vec<Cells> = match options.format {
            Format::JsonLines => json_cells(columns),
            _ => csv_cells(columns, options),
        };
        let bytes = options.compression.map_or(BYTES, |_| PACKED_BYTES);
        let rows_of_block = (bytes / bytes_of_row(columns)).clamp(FEWEST_ROWS, ROWS);
        let work = |rows: Range<usize>| {
            let codes: Vec<Vec<u32>> = columns
                .iter()
                .map(|column| {
                    let mut codes = Vec::with_capacity(rows.len());
                    column.source.codes(rows.clone(), &mut codes);
                    codes
                })
                .collect();
            (rows.len(), compress(format(&cells, &codes, rows.len()), options.compression))
        };
        pipeline::ordered(
            pipeline::blocks_in_flight(),
            |feed| {
                blocks(0..n_rows, rows_of_block).for_each(|rows| {
                    feed.job(rows);
                })
            },
            &work,
            &mut |(n_rows, bytes)| {
                check_cancelled(observer)?;
                out.write_all(&bytes?).map_err(|source| out.error(&source))?;
                observer.advance(n_rows as u64);
                Ok(())
            },
        )
    }

    /// All lines were written.
    pub(crate) fn finish(self) -> Output {
        self.out
    }
}

/// The number of bytes of a row, if its values are as long as the values of its columns on average.
fn bytes_of_row(columns: &[WriteColumn<'_>]) -> usize {
    let cell = |column: &WriteColumn<'_>| {
        let texts = column.values.iter().map(str::len).sum::<usize>();
        texts / column.values.len().max(1) + 2
    };
    columns.iter().map(cell).sum::<usize>().max(1)
}

/// Compress a block as a gzip member or Zstandard frame of its own: several of them may follow each
/// other in one file.
pub(crate) fn compress(bytes: Vec<u8>, compression: Option<Compression>) -> Result<Vec<u8>> {
    let packed = match compression {
        None => return Ok(bytes),
        Some(_) if bytes.is_empty() => return Ok(bytes),
        Some(Compression::Gzip) => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(&bytes).and_then(|()| encoder.finish())
        }
        Some(Compression::Zstd) => zstd::bulk::compress(&bytes, 3),
    };
    packed.map_err(|e| Error::internal(format!("compressing failed: {e}")))
}

fn csv_cells(columns: &[WriteColumn<'_>], options: &WriteOptions) -> Vec<Cells> {
    let only = columns.len() == 1;
    let last = columns.len() - 1;
    let cells = columns.iter().enumerate().map(|(i, column)| {
        Cells::new(column.values, |code, text, out| {
            let text = if column.null == Some(code) { "" } else { text };
            csv_cell(text, options.delimiter, only, out);
            end_cell(i == last, options, out);
        })
    });
    cells.collect()
}

/// A CSV field, in quotes only if it needs them. `only`: the field is alone on its line, where an
/// empty field would be a blank line.
fn csv_cell(text: &str, delimiter: u8, only: bool, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let special =
        memchr3(delimiter, b'"', b'\n', bytes).is_some() || memchr(b'\r', bytes).is_some();
    // A byte order mark at the start of a file would be taken off.
    let marked = text.starts_with('\u{FEFF}');
    let blank = only && bytes.is_empty();
    if !(special || marked || blank) {
        out.extend_from_slice(bytes);
        return;
    }
    out.push(b'"');
    for &byte in bytes {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn end_cell(last: bool, options: &WriteOptions, out: &mut Vec<u8>) {
    match (last, options.crlf) {
        (false, _) => out.push(options.delimiter),
        (true, true) => out.extend_from_slice(b"\r\n"),
        (true, false) => out.push(b'\n'),
    }
}

fn json_cells(columns: &[WriteColumn<'_>]) -> Vec<Cells> {
    let last = columns.len() - 1;
    let cells = columns.iter().enumerate().map(|(i, column)| {
        let mut lead = vec![if i == 0 { b'{' } else { b',' }];
        json::write_string(column.name, &mut lead);
        lead.push(b':');
        let numeric = column.native_type.is_some_and(is_numeric);
        let boolean = column.native_type == Some("Boolean");
        Cells::new(column.values, |code, text, out| {
            out.extend_from_slice(&lead);
            if column.null == Some(code) {
                out.extend_from_slice(b"null");
            } else if numeric && json::is_number(text.as_bytes())
                || boolean && matches!(text, "true" | "false")
            {
                out.extend_from_slice(text.as_bytes());
            } else {
                json::write_string(text, out);
            }
            if i == last {
                out.extend_from_slice(b"}\n");
            }
        })
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_only_where_needed() {
        let cell = |text: &str, only| {
            let mut out = Vec::new();
            csv_cell(text, b';', only, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(cell("a,b c", false), "a,b c");
        assert_eq!(cell("a;b", false), "\"a;b\"");
        assert_eq!(cell("say \"x\"", false), "\"say \"\"x\"\"\"");
        assert_eq!(cell("a\rb", false), "\"a\rb\"");
        assert_eq!(cell("a\nb", false), "\"a\nb\"");
        assert_eq!(cell("", false), "");
        assert_eq!(cell("", true), "\"\"");
        assert_eq!(cell("\u{FEFF}a", true), "\"\u{FEFF}a\"");
    }
}
