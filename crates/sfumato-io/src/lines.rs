//! Reads and writes the lines of a text file, compressed or not: for formats that are neither
//! tables nor baskets.

use std::io::Write as _;

use sfumato_core::column::Provenance;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, ErrorKind, Result};

use crate::format::of_extensions;
use crate::input::{Input, read_error, read_full};
use crate::output::Output;
use crate::writers::text::compress;

/// How many bytes are read at once. A block is that and the line that was cut.
const BLOCK: usize = 4 << 20;
/// The longest line that is read. What is longer is no text of lines, and might have no end.
const LONGEST: usize = 1 << 30;

/// Read a text in blocks of whole lines, the last of which may lack its end. `each` is given the
/// bytes of a block and the number of its first line, from 1. The path `-` is standard input. A
/// byte order mark at the start is left out.
pub fn scan_lines(
    path: &str,
    each: &mut dyn FnMut(&[u8], u64) -> Result<()>,
    observer: &dyn Observer,
) -> Result<Provenance> {
    let mut input = Input::open(path, true)?;
    observer.begin("read", input.size, Unit::Bytes);
    let done = blocks(&mut input, each, observer);
    observer.end();
    done?;
    Ok(Provenance {
        path: input.path.clone(),
        format: "text".into(),
        compression: input.compression.map(|compression| compression.name().into()),
        bytes: input.meter.bytes(),
        sha256: input.meter.sha256(),
        ..Provenance::default()
    })
}

/// Append lines to a file, compressed as the name of its destination says. Blocks of some MiB pack
/// best. The file isn't committed.
pub fn append_lines(out: &mut Output, lines: Vec<u8>, destination: &str) -> Result<()> {
    let bytes = compress(lines, of_extensions(destination).1)?;
    out.write_all(&bytes).map_err(|source| out.error(&source))
}

fn blocks(
    input: &mut Input,
    each: &mut dyn FnMut(&[u8], u64) -> Result<()>,
    observer: &dyn Observer,
) -> Result<()> {
    let (mut pending, mut piece) = (Vec::new(), vec![0; BLOCK]);
    let (mut line, mut seen, mut is_start) = (1, 0, true);
    loop {
        if observer.cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
        }
        let n = read_full(&mut input.reader, &mut piece)
            .map_err(|e| read_error(&input.path, input.compression, &e))?;
        let mut new = &piece[..n];
        if std::mem::take(&mut is_start) {
            new = new.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(new);
            if new.starts_with(&[0xFF, 0xFE]) || new.starts_with(&[0xFE, 0xFF]) {
                return Err(Error::input("this looks like UTF-16")
                    .in_file(input.name())
                    .hint("convert the file to UTF-8"));
            }
        }
        if memchr::memchr(0, new).is_some() {
            return Err(Error::input("there is a NUL byte in the text").in_file(input.name()));
        }
        let whole = match n {
            0 => pending.len(),
            _ => {
                let before = pending.len();
                pending.extend_from_slice(new);
                memchr::memrchr(b'\n', new).map_or(0, |end| before + end + 1)
            }
        };
        if whole > 0 {
            each(&pending[..whole], line).map_err(|error| match error.place.file {
                Some(_) => error,
                None => error.in_file(input.name()),
            })?;
            line += memchr::memchr_iter(b'\n', &pending[..whole]).count() as u64;
            pending.drain(..whole);
        }
        if n == 0 {
            return Ok(());
        }
        if pending.len() > LONGEST {
            return Err(Error::input("a line is longer than a GiB").in_file(input.name()));
        }
        observer.advance(input.meter.bytes() - seen);
        seen = input.meter.bytes();
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;

    #[test]
    fn every_line_is_given_once_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.txt");
        // Longer than a block, with a mark at the start and no end after the last line.
        let lines: Vec<String> = (0..700_000).map(|i| format!("line {i}")).collect();
        std::fs::write(&path, format!("\u{FEFF}{}", lines.join("\n"))).unwrap();
        let mut all = Vec::new();
        let mut each = |block: &[u8], first: u64| {
            let texts = std::str::from_utf8(block).unwrap().lines();
            assert_eq!(all.len() as u64 + 1, first);
            all.extend(texts.map(String::from));
            Ok(())
        };
        let source = scan_lines(path.to_str().unwrap(), &mut each, &Unobserved).unwrap();
        assert!(all == lines);
        assert_eq!((source.bytes, source.sha256.len()), (path.metadata().unwrap().len(), 64));
        std::fs::write(&path, b"1 2\n\0").unwrap();
        let error = scan_lines(path.to_str().unwrap(), &mut |_, _| Ok(()), &Unobserved);
        assert!(error.unwrap_err().message.contains("NUL"));
    }
}
