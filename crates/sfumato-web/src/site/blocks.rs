//! Some of the records of a large file of lines, from all over it: its beginning, and blocks that
//! are evenly spread. No more than that is read, however large the file is.
//!
//! A block begins anywhere, maybe inside a quoted text with a line end. Where records have fields,
//! a block counts only if each of its records has as many as the first of the file; where they are
//! objects of JSON, if each line is one whole. What can't be told is left out, and the beginning is
//! always there.

use std::fs::File;
use std::io::{Read as _, Result, Seek as _, SeekFrom};

/// How many bytes of the beginning are taken, how many blocks there are, and how large each is.
const BEGINNING: u64 = 2 << 20;
const BLOCKS: u64 = 16;
const BLOCK: u64 = 256 << 10;

/// How records of a file are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Fields with a delimiter, maybe quoted.
    Fields,
    /// An object of JSON on each line.
    Json,
}

/// Records from all over a file that is so many bytes long.
pub(crate) fn spread(file: &mut File, of: u64, lines: Lines) -> Result<Vec<u8>> {
    let mut found = part(file, 0, BEGINNING)?;
    found.truncate(end_of_records(&found));
    let first = first_record(&found);
    let delimiter = delimiter_of(first);
    let fields = count_fields(first, delimiter);
    let rest = of.saturating_sub(BEGINNING);
    for block in 0..BLOCKS {
        // The last block ends where the file does.
        let start = BEGINNING + rest.saturating_sub(BLOCK) / (BLOCKS - 1) * block;
        let bytes = part(file, start, BLOCK)?;
        let Some(begin) = bytes.iter().position(|byte| *byte == b'\n') else { continue };
        let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else { continue };
        let whole = &bytes[begin + 1..=end];
        let is_sound = match lines {
            Lines::Fields => records(whole).all(|r| count_fields(r, delimiter) == fields),
            Lines::Json => whole
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::trim_ascii)
                .all(|line| line.is_empty() || line.starts_with(b"{") && line.ends_with(b"}")),
        };
        if is_sound {
            found.extend_from_slice(whole);
        }
    }
    Ok(found)
}

fn part(file: &mut File, from: u64, bytes: u64) -> Result<Vec<u8>> {
    let mut found = Vec::with_capacity(bytes as usize);
    file.seek(SeekFrom::Start(from))?;
    file.take(bytes).read_to_end(&mut found)?;
    Ok(found)
}

/// Where the last whole record ends: behind a line end outside quotes.
pub(crate) fn end_of_records(bytes: &[u8]) -> usize {
    let (mut quoted, mut end) = (false, 0);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => end = at + 1,
            _ => {}
        }
    }
    if end == 0 { bytes.len() } else { end }
}

fn first_record(bytes: &[u8]) -> &[u8] {
    records(bytes).next().unwrap_or_default()
}

/// Records without their line ends; a torn last one counts.
fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    let ended = move |byte: &u8| {
        quoted ^= *byte == b'"';
        *byte == b'\n' && !quoted
    };
    bytes.split(ended).map(|r| r.strip_suffix(b"\r").unwrap_or(r)).filter(|r| !r.is_empty())
}

/// What stands between fields: the usual character that is there most often.
fn delimiter_of(record: &[u8]) -> u8 {
    let count = |wanted: u8| record.iter().filter(|byte| **byte == wanted).count();
    [b'|', b'\t', b';', b','].into_iter().max_by_key(|wanted| count(*wanted)).unwrap_or(b',')
}

fn count_fields(record: &[u8], delimiter: u8) -> usize {
    let mut quoted = false;
    let between = record.iter().filter(|byte| {
        quoted ^= **byte == b'"';
        **byte == delimiter && !quoted
    });
    between.count() + 1
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// A file of so many bytes at least, by its lines.
    fn file(bytes: u64, head: &str, line: impl Fn(u64) -> String) -> (File, u64) {
        let mut file = tempfile::tempfile().unwrap();
        let mut text = String::from(head);
        let mut n = 0;
        while (text.len() as u64) < bytes {
            text += &line(n);
            n += 1;
        }
        file.write_all(text.as_bytes()).unwrap();
        (file, text.len() as u64)
    }

    #[test]
    fn a_head_ends_with_a_record() {
        assert_eq!(end_of_records(b"a,b\n1,2\n3"), 8);
        assert_eq!(end_of_records(b"a\n\"x\ny\"\n\"z\nw"), 8);
        assert_eq!(end_of_records(b"no end"), 6);
    }

    #[test]
    fn records_come_from_all_over_and_are_whole() {
        let (mut large, of) = file(12 << 20, "row,town\n", |n| format!("{n},\"north, {n}\"\n"));
        let found = spread(&mut large, of, Lines::Fields).unwrap();
        assert!((found.len() as u64) <= BEGINNING + BLOCKS * BLOCK);
        let rows: Vec<u64> = String::from_utf8(found)
            .unwrap()
            .lines()
            .skip(1)
            .map(|line| {
                let (row, town) = line.split_once(',').unwrap();
                assert_eq!(town, format!("\"north, {row}\""));
                row.parse().unwrap()
            })
            .collect();
        assert!(rows.windows(2).all(|two| two[0] < two[1]), "each once, in order");
        let last = rows[rows.len() - 1];
        let near = rows.iter().filter(|row| **row > last / 2).count();
        assert!(near * 4 > rows.len(), "{near} of {}", rows.len());
    }

    #[test]
    fn a_block_that_begins_inside_a_text_is_left_out() {
        // Inside of these texts lines look as if they were records of another number of fields.
        let long = "x\n".repeat(300 << 10);
        let (mut large, of) = file(12 << 20, "a,b\n", |n| format!("{n},\"{long}\"\n1,2\n"));
        let found = spread(&mut large, of, Lines::Fields).unwrap();
        assert!(records(&found).all(|record| count_fields(record, b',') == 2));
        let (mut json, of) = file(12 << 20, "", |n| format!("{{\"n\": {n}}}\n"));
        let found = spread(&mut json, of, Lines::Json).unwrap();
        assert!(String::from_utf8(found).unwrap().lines().all(|line| line.ends_with('}')));
    }
}
