//! From tuples to points: those that are alike in every column that the search looks at become one,
//! with a number of rows. On the way each quasi column is counted with the classes of the target.
//!
//! Equal tuples meet in a bucket of the disk. A bucket that has more different tuples than memory
//! can hold gives some of its points more than once, which costs time and changes nothing: the
//! search only adds up rows.

use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::hash::{HASH_START, mix};
use sfumato_io::spill::{Batch, Tuples};
use sfumato_io::spill::{RunWriter, SpillFolder, SpillTuples, SpillWriter};

use super::store::{CHUNK, PointColumns};
use crate::algorithms::global::cuts::specialise::marginal::Marginal;

/// Buckets at least and at most.
const BUCKETS: std::ops::RangeInclusive<u64> = 1..=64;
/// Bytes of a point beside its cells while its bucket is in memory.
const POINT: u64 = 64;
/// Counting tables up to this many cells aren't hashed.
const MOST_CELLS: u64 = 1 << 20;

/// What is read of tuples.
pub struct Wanted {
    /// The places of the quasi columns in the frame, with how many codes each has.
    pub quasi: Vec<(usize, usize)>,
    /// The places of the sensitive columns that are counted, and of the subject column.
    pub counted: Vec<usize>,
    /// The place of the target, and the number of the class of each of its codes; with how many
    /// classes there are.
    pub target: Option<(usize, Vec<u32>, usize)>,
    /// The rows of each code of each quasi column.
    pub rows: Vec<Vec<u64>>,
}

/// The classes of a target by how often each of its codes occurs: numbered without gaps, only those
/// that occur.
pub fn classes(counts: &[u64]) -> (Vec<u32>, usize) {
    let mut n_classes = 0;
    let number = |count: &u64| {
        n_classes += u32::from(*count > 0);
        n_classes.saturating_sub(1)
    };
    let numbers = counts.iter().map(number).collect();
    (numbers, n_classes as usize)
}

/// Make points of tuples, and count the columns. `room` are the bytes that this may take.
pub fn collapse(
    tuples: &dyn Tuples,
    wanted: &Wanted,
    columns: &PointColumns,
    folder: &SpillFolder,
    room: u64,
) -> Result<(SpillTuples, Vec<Marginal>)> {
    let widths: Vec<usize> =
        columns.widths[..columns.weight()].iter().map(|width| usize::from(*width)).collect();
    let bytes: usize = widths.iter().sum();
    let per_bucket = RunWriter::memory(1);
    let needed = tuples.n_rows().saturating_mul(bytes as u64 + POINT).div_ceil((room / 2).max(1));
    let n_buckets = needed.min(room / 2 / per_bucket).clamp(*BUCKETS.start(), *BUCKETS.end());
    let mut runs = RunWriter::create(folder, n_buckets as usize)?;
    let places: Vec<usize> =
        wanted.quasi.iter().map(|(place, _)| *place).chain(wanted.counted.clone()).collect();
    let mut read = places.clone();
    read.extend(wanted.target.iter().map(|(place, _, _)| *place));
    let mut pairs: Vec<Pairs> = wanted.quasi.iter().map(|(_, n)| Pairs::new(wanted, *n)).collect();
    let mut record = Vec::with_capacity(bytes);
    tuples.scan(&read, &mut |batch: &Batch<'_>| {
        for row in 0..batch.n_rows {
            record.clear();
            let mut hash = HASH_START;
            for (place, width) in places.iter().zip(&widths) {
                let word = batch.columns[*place][row];
                hash = mix(hash, word);
                record.extend_from_slice(&word.to_le_bytes()[..*width]);
            }
            runs.push(((hash >> 32) % n_buckets) as usize, &record)?;
        }
        if let Some((target, number, _)) = &wanted.target {
            for ((place, _), pairs) in wanted.quasi.iter().zip(&mut pairs) {
                let codes = batch.columns[*place].iter().zip(&batch.columns[*target]);
                codes.for_each(|(&code, &class)| pairs.add(code, number[class as usize]));
            }
        }
        Ok(())
    })?;
    let mut writer = Writer::new(folder, columns, &widths)?;
    let most = (room / 2 / (bytes as u64 + POINT)).max(1) as usize;
    let mut rows: FastMap<Box<[u8]>, u64> = FastMap::default();
    for run in runs.finish(false)? {
        let mut reader = run.read()?;
        while let Some(record) = reader.next_record()? {
            match rows.get_mut(record) {
                Some(rows) => *rows += 1,
                None => {
                    rows.insert(record.into(), 1);
                }
            }
            if rows.len() >= most {
                writer.put(&mut rows)?;
            }
        }
        writer.put(&mut rows)?;
    }
    let marginals = wanted.rows.iter().zip(pairs).map(|(rows, pairs)| pairs.finish(rows.clone()));
    let marginals = marginals.collect();
    Ok((writer.file.finish(false)?, marginals))
}

/// Writes points as columns.
struct Writer<'a> {
    file: SpillWriter,
    widths: &'a [usize],
    words: Vec<Vec<u64>>,
}

impl<'a> Writer<'a> {
    fn new(folder: &SpillFolder, columns: &PointColumns, widths: &'a [usize]) -> Result<Self> {
        let file = SpillWriter::create(folder, &columns.widths, CHUNK)?;
        Ok(Writer { file, widths, words: vec![Vec::new(); columns.widths.len()] })
    }

    /// Write all points and forget them. Their order means nothing; that of their cells makes
    /// chunks narrower.
    fn put(&mut self, rows: &mut FastMap<Box<[u8]>, u64>) -> Result<()> {
        let mut points: Vec<(Box<[u8]>, u64)> = rows.drain().collect();
        points.sort_unstable();
        for points in points.chunks(CHUNK) {
            self.words.iter_mut().for_each(Vec::clear);
            for (cells, rows) in points {
                let mut rest: &[u8] = cells;
                for (words, width) in self.words.iter_mut().zip(self.widths) {
                    let short = || Error::internal("a point lacks cells");
                    let (cell, after) = rest.split_at_checked(*width).ok_or_else(short)?;
                    let mut word = [0; 8];
                    word[..*width].copy_from_slice(cell);
                    words.push(u64::from_le_bytes(word));
                    rest = after;
                }
                if let Some(weights) = self.words.last_mut() {
                    weights.push(*rows);
                }
            }
            let n_rows = points.len();
            self.file.push(&Batch { first_row: 0, n_rows, columns: &self.words })?;
        }
        Ok(())
    }
}

/// How often each code of a column occurs with each class.
struct Pairs {
    n_classes: u64,
    dense: Vec<u32>,
    hashed: FastMap<u64, u32>,
}

impl Pairs {
    fn new(wanted: &Wanted, n_codes: usize) -> Self {
        let n_classes = wanted.target.as_ref().map_or(0, |(_, _, n)| *n as u64);
        let cells = (n_codes as u64).saturating_mul(n_classes);
        let dense = if cells <= MOST_CELLS { vec![0; cells as usize] } else { Vec::new() };
        Pairs { n_classes, dense, hashed: FastMap::default() }
    }

    fn add(&mut self, code: u64, class: u32) {
        let pair = code * self.n_classes + u64::from(class);
        match self.dense.get_mut(pair as usize) {
            Some(count) => *count += 1,
            None => *self.hashed.entry(pair).or_default() += 1,
        }
    }

    fn finish(self, rows: Vec<u64>) -> Marginal {
        let mut pairs: Vec<(u64, u32)> = (0u64..).zip(self.dense).collect();
        pairs.extend(self.hashed);
        pairs.retain(|(_, rows)| *rows > 0);
        pairs.sort_unstable();
        let n = self.n_classes.max(1);
        let triple = |(pair, rows): (u64, u32)| ((pair / n) as u32, (pair % n) as u32, rows);
        let pairs: Vec<(u32, u32, u32)> = pairs.into_iter().map(triple).collect();
        Marginal::of_counts(rows, self.n_classes as usize, &pairs)
    }
}
