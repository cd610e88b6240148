//! Parses a block of CSV into columns of local codes.
//!
//! Windows without a quote take the fast path: all delimiters and newlines are found first, then
//! each column is interned in a loop of its own, so that one small hash table at a time is hot.
//! Everything else (quotes, blank lines, lines with a wrong number of fields) goes record by
//! record.

use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::{memchr, memrchr};

use crate::intern::LocalColumn;
use crate::readers::blocks::TextError;
use crate::readers::csv::record::{Span, record};
use crate::readers::csv::structure;
use crate::readers::merge::{ParsedBlock, Seeds};

/// The number of bytes in a window of the fast path, such that its field bounds stay in the nearest
/// caches.
const WINDOW: usize = 1 << 15;
/// How many records are parsed one by one before their columns are interned.
const RECORDS: usize = 512;
/// The length of a stretch without quotes from which on the fast path pays.
const STRETCH: usize = 1 << 12;

/// Parses the blocks of one file. All workers share it.
pub(crate) struct Parser<'a> {
    delimiter: u8,
    n_columns: usize,
    selected: &'a [usize],
    seeds: &'a Seeds,
    /// The number of rows of a block, and of distinct values per column, in the last blocks. Only
    /// used to size tables.
    hints: Vec<AtomicUsize>,
    rows_hint: AtomicUsize,
}

/// The state of one worker while it parses one block.
struct State {
    columns: Vec<LocalColumn>,
    bounds: Vec<u32>,
    spans: Vec<Span>,
    n_rows: usize,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(
        delimiter: u8,
        n_columns: usize,
        selected: &'a [usize],
        seeds: &'a Seeds,
    ) -> Self {
        let hints = selected.iter().map(|_| AtomicUsize::new(0)).collect();
        Parser { delimiter, n_columns, selected, seeds, hints, rows_hint: AtomicUsize::new(0) }
    }

    /// Parse a block of whole records.
    pub(crate) fn parse(&self, bytes: &mut [u8]) -> Result<ParsedBlock, TextError> {
        let rows = self.rows_hint.load(Ordering::Relaxed);
        let hints = self.hints.iter().map(|hint| hint.load(Ordering::Relaxed)).enumerate();
        let columns =
            hints.map(|(i, hint)| LocalColumn::new(rows, hint, self.seeds.get(i))).collect();
        let mut state = State { columns, bounds: Vec::new(), spans: Vec::new(), n_rows: 0 };
        let mut at = 0;
        let mut quote = next_quote(bytes, 0);
        while at < bytes.len() {
            if quote < at {
                quote = next_quote(bytes, at);
            }
            let reach = quote.min(at + WINDOW).min(bytes.len());
            let plain = memrchr(b'\n', &bytes[at..reach]).map(|newline| at + newline + 1);
            at = match plain {
                Some(end) if self.plain(bytes, at..end, &mut state) => end,
                Some(end) => self.records(bytes, at, end, &mut state)?,
                None => self.records(bytes, at, bytes.len(), &mut state)?,
            };
        }
        self.rows_hint.fetch_max(state.n_rows + state.n_rows / 16, Ordering::Relaxed);
        for (column, hint) in state.columns.iter_mut().zip(&self.hints) {
            column.finish();
            hint.store(column.spans().len(), Ordering::Relaxed);
        }
        Ok(ParsedBlock { n_rows: state.n_rows, columns: state.columns })
    }

    /// The fast path. Returns false, and does nothing, unless every line has the right number of
    /// fields.
    fn plain(&self, bytes: &[u8], window: std::ops::Range<usize>, state: &mut State) -> bool {
        let (fields, rows) = structure::fields(bytes, window, self.delimiter, &mut state.bounds);
        let n = self.n_columns;
        let bounds = &state.bounds[..=fields];
        // With as many newlines as rows, a newline at the end of each row means that there is none
        // inside.
        let regular = fields == rows * n
            && (1..=rows).all(|row| bytes[bounds[row * n] as usize - 1] == b'\n');
        if !regular {
            return false;
        }
        for (&column, local) in self.selected.iter().zip(&mut state.columns) {
            let mut at = column;
            let spans = (0..rows).map(|_| {
                let span = (bounds[at] as usize, bounds[at + 1] as usize - 1);
                at += n;
                span
            });
            if column + 1 < n {
                local.extend(bytes, spans);
            } else {
                // The last field of a line may end in CR.
                local.extend(
                    bytes,
                    spans.map(|(start, end)| {
                        let cr = end > start && bytes[end - 1] == b'\r';
                        (start, end - usize::from(cr))
                    }),
                );
            }
        }
        state.n_rows += rows;
        true
    }

    /// Parse record by record, up to `end` or a little less. Returns where the next record starts.
    fn records(
        &self,
        bytes: &mut [u8],
        mut at: usize,
        end: usize,
        state: &mut State,
    ) -> Result<usize, TextError> {
        let n = self.n_columns;
        state.spans.clear();
        let mut rows = 0;
        let mut quote = next_quote(bytes, at);
        while at < end && rows < RECORDS {
            let blank = bytes[at] == b'\n' || bytes[at..].starts_with(b"\r\n");
            if blank && n > 1 {
                at += if bytes[at] == b'\n' { 1 } else { 2 };
                continue;
            }
            let next = record(bytes, at, self.delimiter, &mut state.spans)?;
            rows += 1;
            if state.spans.len() != rows * n {
                return Err(ragged(at, state.spans.len() - (rows - 1) * n, n));
            }
            at = next;
            if quote < at {
                quote = next_quote(bytes, at);
                if quote - at > STRETCH {
                    break;
                }
            }
        }
        for (&column, local) in self.selected.iter().zip(&mut state.columns) {
            for &(start, end) in state.spans.iter().skip(column).step_by(n) {
                let code = local.intern(bytes, start as usize, end as usize);
                local.codes.push(code);
            }
        }
        state.n_rows += rows;
        Ok(at)
    }
}

/// The next quote at or after a place, or the end if there is none.
fn next_quote(bytes: &[u8], at: usize) -> usize {
    memchr(b'"', &bytes[at..]).map_or(bytes.len(), |n| at + n)
}

fn ragged(offset: usize, found: usize, expected: usize) -> TextError {
    let s = if found == 1 { "" } else { "s" };
    let message = format!("line has {found} field{s}, the header has {expected}");
    let error =
        TextError::at(offset, message).hint("a field that contains the delimiter must be quoted");
    TextError { exact: false, ..error }
}
