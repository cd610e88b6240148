//! A part of a file: its head, where it is too large to be looked at whole, and a random sample of
//! rows, on which a choice is tried before it costs anything.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::job::InputSpec;
use sfumato_io::{read, select_all};

/// How many bytes of a file of lines are looked at.
const HEAD: u64 = 6 << 20;
/// The largest file of another format that is read whole to be looked at.
const LARGEST: u64 = 512 << 20;

/// What is looked at of a file.
pub(crate) struct Head {
    /// The file to read: the file itself, or a copy of its beginning.
    pub(crate) path: PathBuf,
    /// How many bytes were looked at, of how many; none if the file is looked at whole.
    pub(crate) part: Option<(u64, u64)>,
    _copy: Option<tempfile::TempPath>,
}

impl Head {
    /// The head of a file: whole lines of its beginning, if it is a large file of lines.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let whole = |path: &Path| Head { path: path.to_path_buf(), part: None, _copy: None };
        let Ok(about) = path.metadata() else { return Ok(whole(path)) };
        if !about.is_file() || about.len() <= HEAD {
            return Ok(whole(path));
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !["csv", "tsv", "txt", "jsonl", "ndjson"].contains(&ending) {
            return match about.len() > LARGEST {
                false => Ok(whole(path)),
                true => Err(Error::resources("this file is too large to be looked at here")
                    .hint("'sfumato init' looks at it on the command line")),
            };
        }
        let io = |doing: &'static str| move |error: std::io::Error| Error::io(path, doing, &error);
        let mut bytes = Vec::with_capacity(HEAD as usize);
        let file = File::open(path).map_err(io("open"))?;
        file.take(HEAD).read_to_end(&mut bytes).map_err(io("read"))?;
        bytes.truncate(end_of_records(&bytes));
        let copy = tempfile::Builder::new().suffix(&format!(".{ending}")).tempfile();
        let mut copy = copy.map_err(io("copy the beginning of"))?;
        copy.write_all(&bytes).map_err(io("copy the beginning of"))?;
        let copy = copy.into_temp_path();
        let part = Some((bytes.len() as u64, about.len()));
        Ok(Head { path: copy.to_path_buf(), part, _copy: Some(copy) })
    }
}

/// Where the last whole record ends: behind a line end outside quotes.
fn end_of_records(bytes: &[u8]) -> usize {
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

/// Read what an `[input]` section describes.
pub(crate) fn table(input: &InputSpec, observer: &dyn Observer) -> Result<RawTable> {
    read(&input.path, &read_options(input)?, &mut select_all, observer)
}

/// At most so many rows of a table, chosen evenly at random but the same each time: a picture that
/// changes without a reason would mislead.
pub(crate) fn rows(table: &RawTable, most: usize) -> Result<RecordBatch> {
    let chosen = choose(table.n_rows, most);
    let column = |column: &sfumato_core::column::RawColumn| -> (String, ArrayRef) {
        let texts = chosen.iter().map(|row| {
            let code = column.codes.get(*row);
            (Some(code) != column.null).then(|| column.values.get(code))
        });
        (column.name.clone(), Arc::new(texts.collect::<StringArray>()))
    };
    RecordBatch::try_from_iter_with_nullable(
        table.columns.iter().map(column).map(|(name, texts)| (name, texts, true)),
    )
    .map_err(|error| Error::internal(format!("a sample can't be made: {error}")))
}

/// Row numbers in their order, by selection sampling (Knuth, algorithm S).
fn choose(n_rows: usize, most: usize) -> Vec<usize> {
    let (mut state, mut chosen) = (0x9e37_79b9_7f4a_7c15_u64, Vec::with_capacity(most.min(n_rows)));
    for row in 0..n_rows {
        // The generator of SplitMix64: no protection hangs on it.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let share = ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        if share * ((n_rows - row) as f64) < (most.min(n_rows) - chosen.len()) as f64 {
            chosen.push(row);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_no_row_twice() {
        for (n, most) in [(0, 5), (3, 5), (5, 5), (1000, 50), (1000, 1), (10, 0)] {
            let chosen = choose(n, most);
            assert_eq!(chosen.len(), most.min(n));
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(chosen.iter().all(|row| *row < n));
        }
        let mean = choose(100_000, 2000).iter().sum::<usize>() as f64 / 2000.0;
        assert!((45_000.0..55_000.0).contains(&mean), "{mean}");
    }

    #[test]
    fn a_head_ends_with_a_record() {
        assert_eq!(end_of_records(b"a,b\n1,2\n3"), 8);
        assert_eq!(end_of_records(b"a\n\"x\ny\"\n\"z\nw"), 8);
        assert_eq!(end_of_records(b"no end"), 6);
    }

    #[test]
    fn a_large_file_is_looked_at_in_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.csv");
        let mut text = String::from("a,b\n");
        while (text.len() as u64) < HEAD + 100 {
            text.push_str("1,\"two\nlines\"\n");
        }
        std::fs::write(&path, &text).unwrap();
        let head = Head::of(&path).unwrap();
        let (read, of) = head.part.unwrap();
        assert!(read <= HEAD && read > HEAD - 100 && of == text.len() as u64);
        let copied = std::fs::read_to_string(&head.path).unwrap();
        assert!(text.starts_with(&copied) && copied.ends_with("lines\"\n"));
        std::fs::write(folder.path().join("small.csv"), "a\n1\n").unwrap();
        assert!(Head::of(&folder.path().join("small.csv")).unwrap().part.is_none());
    }
}
