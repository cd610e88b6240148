//! Writes one record per line. Blocks of lines are formatted and compressed in parallel, and
//! written in order.

use std::io::Write;
use std::ops::Range;

use sfumato_core::{Error, Result};

use crate::baskets::Separator;
use crate::baskets::write::Job;
use crate::output::Output;
use crate::pipeline;
use crate::scan::check_cancelled;
use crate::writers::blocks;
use crate::writers::text::compress;

/// The number of records in a block.
const RECORDS: usize = 1 << 15;
/// Names with their separator up to this length are copied as a block of this size.
const SLOT: usize = 16;

pub(super) fn write(mut out: Output, separator: Separator, job: &Job<'_>) -> Result<Output> {
    job.names.iter().try_for_each(|name| check_name(name, separator))?;
    let lines = Lines::new(job.names, separator, job.options.file.crlf);
    let work = |records: Range<usize>| {
        (records.len(), compress(lines.format(records, job), job.options.file.compression))
    };
    pipeline::ordered(
        pipeline::blocks_in_flight(),
        |feed| {
            blocks(0..job.n_records, RECORDS).for_each(|records| {
                feed.job(records);
            })
        },
        &work,
        &mut |(n_records, bytes)| {
            check_cancelled(job.observer)?;
            out.write_all(&bytes?).map_err(|source| out.error(&source))?;
            job.observer.advance(n_records as u64);
            Ok(())
        },
    )?;
    Ok(out)
}

/// Refuse a name that would be read back as something else.
fn check_name(name: &str, separator: Separator) -> Result<()> {
    let blank = |c: char| c == ' ' || c == '\t';
    let breaks = match separator {
        Separator::Blank => name.contains(blank),
        Separator::Char(c) => {
            let trimmed = !blank(c) && name.trim_matches(blank).len() < name.len();
            name.contains(c) || name.starts_with('"') || trimmed
        }
    };
    if breaks
        || name.is_empty()
        || name.contains(['\n', '\r', '\0'])
        || name.starts_with('\u{FEFF}')
    {
        let shown: String = name.chars().take(40).collect();
        return Err(Error::unsupported(format!("item {shown:?} can't stand in a line of items"))
            .hint("choose another separator, or write a row for each item"));
    }
    Ok(())
}

/// All names with their separators, ready to be copied.
struct Lines {
    slots: Vec<[u8; SLOT]>,
    /// The length of the name with its separator in each slot; 0 if it doesn't fit.
    lengths: Vec<u8>,
    /// The names that don't fit, with their separators.
    long: Vec<Vec<u8>>,
    between: String,
    end: &'static [u8],
}

impl Lines {
    fn new(names: &[String], separator: Separator, crlf: bool) -> Self {
        let separator = match separator {
            Separator::Blank => ' ',
            Separator::Char(c) => c,
        };
        let mut lines = Lines {
            slots: vec![[0; SLOT]; names.len()],
            lengths: vec![0; names.len()],
            long: vec![Vec::new(); names.len()],
            between: separator.to_string(),
            end: if crlf { b"\r\n" } else { b"\n" },
        };
        for (code, name) in names.iter().enumerate() {
            let text = format!("{name}{separator}").into_bytes();
            if text.len() <= SLOT {
                lines.slots[code][..text.len()].copy_from_slice(&text);
                lines.lengths[code] = text.len() as u8;
            } else {
                lines.long[code] = text;
            }
        }
        lines
    }

    fn format(&self, records: Range<usize>, job: &Job<'_>) -> Vec<u8> {
        let mut out: Vec<u8> = Vec::with_capacity(records.len() * 32);
        let mut codes = Vec::new();
        for record in records {
            codes.clear();
            job.records.append(record, &mut codes);
            if let Some(key) = job.records.key(record) {
                out.extend_from_slice(key.to_string().as_bytes());
                if !codes.is_empty() {
                    out.extend_from_slice(self.between.as_bytes());
                }
            }
            let start = out.len();
            out.resize(start + codes.len() * SLOT, 0);
            let mut at = start;
            for code in &codes {
                let code = *code as usize;
                match self.lengths[code] {
                    0 => {
                        let long = &self.long[code];
                        let room = at + long.len() + codes.len() * SLOT;
                        if out.len() < room {
                            out.resize(room, 0);
                        }
                        out[at..at + long.len()].copy_from_slice(long);
                        at += long.len();
                    }
                    length => {
                        out[at..at + SLOT].copy_from_slice(&self.slots[code]);
                        at += length as usize;
                    }
                }
            }
            // No separator after the last item.
            out.truncate(if codes.is_empty() { start } else { at - self.between.len() });
            out.extend_from_slice(self.end);
        }
        out
    }
}
