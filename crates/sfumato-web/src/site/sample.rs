//! A part of a file: its head or rows from all over it, where it is too large to be looked at
//! whole, and a random sample of rows, on which a choice is tried before it costs anything.

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
use sfumato_io::{Loan, read, select_all};

use super::blocks::{self, Lines, end_of_records};
use super::row_groups;

/// How many bytes of a file of lines are looked at.
const HEAD: u64 = 6 << 20;
/// The largest file of another format that is read whole to be looked at.
const LARGEST: u64 = 512 << 20;
/// The largest Parquet file that is read whole to be looked at.
const LARGEST_PARQUET: u64 = 4 << 20;

/// What is looked at of a file.
pub(crate) struct Head {
    /// The file to read: the file itself, a copy of a part of it, or rows in memory.
    pub(crate) path: PathBuf,
    /// How many bytes were looked at, of how many; none if the file is looked at whole.
    pub(crate) part: Option<(u64, u64)>,
    _copy: Option<tempfile::TempPath>,
    _loan: Option<Loan>,
}

impl Head {
    fn whole(path: &Path) -> Self {
        Head { path: path.to_path_buf(), part: None, _copy: None, _loan: None }
    }

    /// The head of a file: whole lines of its beginning, if it is a large file of lines. Records
    /// that follow each other stay together.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        Self::part_of(path, |file, _| {
            let mut bytes = Vec::with_capacity(HEAD as usize);
            file.take(HEAD).read_to_end(&mut bytes)?;
            bytes.truncate(end_of_records(&bytes));
            Ok(bytes)
        })
    }

    /// Rows from all over a table, if it is a large file: what comes late is seen, too.
    pub(crate) fn spread(path: &Path) -> Result<Self> {
        if ending_of(path) == "parquet" {
            return Self::of_parquet(path);
        }
        let json = ["jsonl", "ndjson"].contains(&ending_of(path));
        let lines = if json { Lines::Json } else { Lines::Fields };
        Self::part_of(path, |file, of| blocks::spread(file, of, lines))
    }

    fn part_of(
        path: &Path,
        take: impl FnOnce(&mut File, u64) -> std::io::Result<Vec<u8>>,
    ) -> Result<Self> {
        let Ok(about) = path.metadata() else { return Ok(Self::whole(path)) };
        if !about.is_file() || about.len() <= HEAD {
            return Ok(Self::whole(path));
        }
        let ending = ending_of(path);
        if !["csv", "tsv", "txt", "jsonl", "ndjson"].contains(&ending) {
            return match about.len() > LARGEST {
                false => Ok(Self::whole(path)),
                true => Err(Error::resources("this file is too large to be looked at here")
                    .hint("'sfumato init' looks at it on the command line")),
            };
        }
        let io = |doing: &'static str| move |error: std::io::Error| Error::io(path, doing, &error);
        let mut file = File::open(path).map_err(io("open"))?;
        let bytes = take(&mut file, about.len()).map_err(io("read"))?;
        let copy = tempfile::Builder::new().suffix(&format!(".{ending}")).tempfile();
        let mut copy = copy.map_err(io("copy a part of"))?;
        copy.write_all(&bytes).map_err(io("copy a part of"))?;
        let copy = copy.into_temp_path();
        let part = Some((bytes.len() as u64, about.len()));
        Ok(Head { path: copy.to_path_buf(), part, _copy: Some(copy), _loan: None })
    }

    fn of_parquet(path: &Path) -> Result<Self> {
        let Ok(about) = path.metadata() else { return Ok(Self::whole(path)) };
        if !about.is_file() || about.len() <= LARGEST_PARQUET {
            return Ok(Self::whole(path));
        }
        let (batches, rows) = row_groups::spread(path)?;
        let taken: usize = batches.iter().map(RecordBatch::num_rows).sum();
        if taken >= rows {
            return Ok(Self::whole(path));
        }
        let loan = Loan::new(batches)?;
        let share = (about.len() as f64 * taken as f64 / rows as f64) as u64;
        let (path, part) = (PathBuf::from(loan.name()), Some((share, about.len())));
        Ok(Head { path, part, _copy: None, _loan: Some(loan) })
    }

    /// An input that reads what is looked at in place of its file.
    pub(crate) fn instead(&self, mut input: InputSpec) -> InputSpec {
        input.path = self.path.display().to_string();
        if self._loan.is_some() {
            // Rows in memory have no format.
            input = InputSpec { path: input.path, missing: input.missing, ..InputSpec::default() };
        }
        input
    }
}

fn ending_of(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
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
