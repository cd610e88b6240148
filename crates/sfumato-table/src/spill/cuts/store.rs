//! Points on disk, each with its leaf: two files of a spill folder that are read side by side, from
//! the beginning to the end, a chunk at a time.
//!
//! The file of points never changes while the search runs, but for points of closed leaves: they
//! are left out as soon as they are half of what is read. The file of leaves is written anew
//! whenever leaves fall apart.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sfumato_core::{Error, FastMap, FastSet, Result};
use sfumato_engine::hash::{HASH_START, mix};
use sfumato_io::spill::{Batch, Tuples as _};
use sfumato_io::spill::{SpillFolder, SpillTuples, SpillWriter};

use crate::algorithms::global::cuts::specialise::store::{Split, Store, ValueCounts, too_many};
use crate::algorithms::global::cuts::specialise::tips::{Finder, OUTSIDE, SubLeaves, Tips};

/// Rows of a chunk, of both files alike.
pub const CHUNK: usize = 1 << 15;
/// Bytes of a leaf's number.
const LEAF_WIDTH: u8 = 4;
/// Values that are counted in one scan.
const AT_ONCE: usize = 16;
/// Bytes of an entry of a table that is hashed, with the room that such a table keeps free.
const HASHED: u64 = 32;

/// What the columns of the file of points are: first the quasi columns, then the sensitive ones
/// that models count, then the person if there is a subject column, then how many rows a point has.
#[derive(Debug, Clone)]
pub struct PointColumns {
    /// For each sensitive column its place in the file and how many codes it has, if a model counts
    /// it.
    pub sensitive: Vec<Option<(usize, usize)>>,
    /// The place of the person in the file, if there is a subject column.
    pub subject: Option<usize>,
    /// Bytes of the words of each column.
    pub widths: Vec<u8>,
}

impl PointColumns {
    /// The place of the column that says how many rows a point has.
    pub fn weight(&self) -> usize {
        self.widths.len() - 1
    }
}

/// Points on disk.
pub struct PointFiles {
    folder: SpillFolder,
    columns: PointColumns,
    points: SpillTuples,
    /// The leaf of each point; all are in leaf 0 until the first is written.
    leaves: Option<SpillTuples>,
    /// Bytes for tables of counts.
    room: u64,
    n_rows: u64,
    /// Rows of points that were left out.
    dropped: u64,
    scans: AtomicU64,
}

impl PointFiles {
    /// Points in a file that was written in chunks of [`CHUNK`] rows; together they stand for so
    /// many rows. `room` are the bytes that counts may take.
    pub fn new(
        folder: &SpillFolder,
        columns: PointColumns,
        points: SpillTuples,
        n_rows: u64,
        room: u64,
    ) -> Self {
        let folder = folder.clone();
        let scans = AtomicU64::new(0);
        PointFiles { folder, columns, points, leaves: None, room, n_rows, dropped: 0, scans }
    }

    /// Read some columns of all points with their leaves.
    fn scan(
        &self,
        wanted: &[usize],
        mut visit: impl FnMut(&Batch<'_>, &[u64]) -> Result<()>,
    ) -> Result<()> {
        self.scans.fetch_add(1, Ordering::Relaxed);
        let mut points = self.points.chunks(wanted)?;
        let mut leaves = self.leaves.as_ref().map(|leaves| leaves.chunks(&[0])).transpose()?;
        let zeros = vec![0; CHUNK];
        while let Some(batch) = points.next_chunk()? {
            let apart = || Error::internal("points and their leaves don't lie side by side");
            let leaves = match &mut leaves {
                None => zeros.get(..batch.n_rows).ok_or_else(apart)?,
                Some(leaves) => {
                    let leaves = leaves.next_chunk()?.ok_or_else(apart)?;
                    let leaves = leaves.columns[0].as_slice();
                    if leaves.len() == batch.n_rows { leaves } else { return Err(apart()) }
                }
            };
            visit(&batch, leaves)?;
        }
        Ok(())
    }

    /// A table of counts; dense if it fits into a share of the room.
    fn table(&self, cells: u64, share: u64) -> Counts {
        let room = self.room / share.max(1);
        match cells.saturating_mul(size_of::<u32>() as u64) <= room {
            true => Counts::Dense(vec![0; cells as usize]),
            false => Counts::Hashed(FastMap::default(), room / HASHED),
        }
    }

    fn writer(&self, widths: &[u8]) -> Result<SpillWriter> {
        SpillWriter::create(&self.folder, widths, CHUNK)
    }

    /// Leave out the points of closed leaves.
    fn drop_closed(&mut self, is_closed: &[bool]) -> Result<()> {
        let wanted: Vec<usize> = (0..self.columns.widths.len()).collect();
        let mut points = self.writer(&self.columns.widths)?;
        let mut leaves = self.writer(&[LEAF_WIDTH])?;
        let mut kept: Vec<Vec<u64>> = vec![Vec::new(); wanted.len()];
        let mut kept_leaves = vec![Vec::new()];
        self.scan(&wanted, |batch, leaf_of_point| {
            let stays = |leaf: u64| !is_closed[leaf as usize];
            for (kept, words) in kept.iter_mut().zip(batch.columns) {
                kept.clear();
                let pairs = words.iter().zip(leaf_of_point);
                kept.extend(pairs.filter(|(_, leaf)| stays(**leaf)).map(|(word, _)| *word));
            }
            kept_leaves[0].clear();
            kept_leaves[0].extend(leaf_of_point.iter().copied().filter(|leaf| stays(*leaf)));
            let n_rows = kept_leaves[0].len();
            points.push(&Batch { first_row: 0, n_rows, columns: &kept })?;
            leaves.push(&Batch { first_row: 0, n_rows, columns: &kept_leaves })
        })?;
        self.points = points.finish(false)?;
        self.leaves = Some(leaves.finish(false)?);
        Ok(())
    }
}

/// Counts of groups, by the number of the group.
enum Counts {
    /// All numbers have a cell.
    Dense(Vec<u32>),
    /// Only those that occur have an entry, and there may be only so many.
    Hashed(FastMap<u64, u32>, u64),
}

impl Counts {
    #[inline]
    fn add(&mut self, number: u64, rows: u32) {
        match self {
            Counts::Dense(cells) => cells[number as usize] += rows,
            Counts::Hashed(entries, _) => *entries.entry(number).or_default() += rows,
        }
    }

    /// An error if the counts have outgrown their share.
    fn check(&self) -> Result<()> {
        match self {
            Counts::Hashed(entries, most) if entries.len() as u64 > *most => Err(too_many()),
            _ => Ok(()),
        }
    }

    /// The numbers that occur, in order, with their counts.
    fn sorted(self) -> Vec<(u64, u32)> {
        match self {
            Counts::Dense(cells) => {
                let cells = (0u64..).zip(cells);
                cells.filter(|(_, rows)| *rows > 0).collect()
            }
            Counts::Hashed(entries, _) => {
                let mut entries: Vec<(u64, u32)> = entries.into_iter().collect();
                entries.sort_unstable();
                entries
            }
        }
    }
}

/// The rows that a point stands for: never more than there are in all, which fit.
fn rows_of(weight: u64) -> u32 {
    weight as u32
}

impl Store for PointFiles {
    fn knows_rows(&self) -> bool {
        false
    }

    fn room(&self) -> u64 {
        self.room
    }

    fn people(
        &self,
        split: Split<'_>,
        finder: &Finder<'_>,
        of_sub: &[u32],
        n_groups: usize,
    ) -> Result<Vec<u64>> {
        let unknown = || Error::internal("there is no subject column to count people by");
        let subject = self.columns.subject.ok_or_else(unknown)?;
        // Somebody may be in every group of a point. People of one share are told apart at a time:
        // each is in exactly one, so that what is counted adds up.
        let most = (self.room / 4 / HASHED).max(1);
        let n_shares = self.points.n_rows().div_ceil(most).max(1);
        let mut people = vec![0; n_groups];
        let mut seen: FastSet<(u32, u64)> = FastSet::default();
        for share in 0..n_shares {
            seen.clear();
            self.scan(&[split.column, subject], |batch, leaves| {
                let codes = batch.columns[split.column].iter().zip(leaves);
                for ((&code, &leaf), &person) in codes.zip(&batch.columns[subject]) {
                    let part = split.parts.of_code[code as usize];
                    if part == OUTSIDE || mix(HASH_START, person) % n_shares != share {
                        continue;
                    }
                    let group = of_sub[finder.place(leaf as u32, part)];
                    if group != OUTSIDE && seen.insert((group, person)) {
                        people[group as usize] += 1;
                    }
                }
                Ok(())
            })?;
        }
        Ok(people)
    }

    fn at_once(&self) -> usize {
        AT_ONCE
    }

    fn sub_leaves(&self, tips: &Tips, splits: &[Split<'_>]) -> Result<Vec<SubLeaves>> {
        if splits.is_empty() {
            return Ok(Vec::new());
        }
        let weight = self.columns.weight();
        let mut wanted: Vec<usize> = splits.iter().map(|split| split.column).collect();
        wanted.push(weight);
        let mut tables: Vec<Counts> = splits
            .iter()
            .map(|split| {
                let cells = (tips.len() as u64).saturating_mul(split.parts.rows.len() as u64);
                self.table(cells, splits.len() as u64)
            })
            .collect();
        self.scan(&wanted, |batch, leaves| {
            tables.par_iter_mut().zip(splits).try_for_each(|(table, split)| {
                let (parts, n_parts) = (&split.parts.of_code, split.parts.rows.len() as u64);
                let codes = batch.columns[split.column].iter();
                for ((&code, &leaf), &weight) in codes.zip(leaves).zip(&batch.columns[weight]) {
                    let part = parts[code as usize];
                    if part != OUTSIDE {
                        table.add(leaf * n_parts + u64::from(part), rows_of(weight));
                    }
                }
                table.check()
            })
        })?;
        let sub = |(table, split): (Counts, &Split<'_>)| {
            let n_parts = split.parts.rows.len();
            if let Counts::Dense(cells) = &table {
                return SubLeaves::of_table(cells, n_parts);
            }
            let mut sub = SubLeaves::default();
            for (number, rows) in table.sorted() {
                sub.push((number / n_parts as u64) as u32, (number % n_parts as u64) as u32, rows);
            }
            sub
        };
        Ok(tables.into_iter().zip(splits).map(sub).collect())
    }

    fn values(
        &self,
        split: Split<'_>,
        finder: &Finder<'_>,
        n_sub: usize,
    ) -> Result<Vec<Option<ValueCounts>>> {
        let weight = self.columns.weight();
        let counted: Vec<(usize, usize)> =
            self.columns.sensitive.iter().flatten().copied().collect();
        let mut wanted: Vec<usize> = counted.iter().map(|(place, _)| *place).collect();
        wanted.extend([split.column, weight]);
        let mut tables: Vec<Counts> = counted
            .iter()
            .map(|(_, n_codes)| self.table((n_sub * n_codes) as u64, counted.len() as u64))
            .collect();
        let mut places: Vec<u32> = Vec::new();
        self.scan(&wanted, |batch, leaves| {
            let codes = batch.columns[split.column].iter().zip(leaves);
            places.clear();
            places.extend(codes.map(|(&code, &leaf)| match split.parts.of_code[code as usize] {
                OUTSIDE => OUTSIDE,
                part => finder.place(leaf as u32, part) as u32,
            }));
            tables.par_iter_mut().zip(&counted).try_for_each(|(table, &(column, n_codes))| {
                let codes = batch.columns[column].iter();
                for ((&code, &place), &weight) in codes.zip(&places).zip(&batch.columns[weight]) {
                    if place != OUTSIDE {
                        table.add(u64::from(place) * n_codes as u64 + code, rows_of(weight));
                    }
                }
                table.check()
            })
        })?;
        let mut tables = tables.into_iter();
        let counts = |column: &Option<(usize, usize)>| {
            let (_, n_codes) = (*column)?;
            let entry = |(number, rows): (u64, u32)| {
                ((number / n_codes as u64) as u32, (number % n_codes as u64) as u32, rows)
            };
            let entries = tables.next()?.sorted().into_iter().map(entry).collect();
            Some(ValueCounts { entries, n_codes })
        };
        Ok(self.columns.sensitive.iter().map(counts).collect())
    }

    fn rows(&self, _: Split<'_>, _: &Finder<'_>, _: usize) -> Result<Vec<Vec<u32>>> {
        Err(Error::internal("points on disk don't know their rows"))
    }

    fn move_points(
        &mut self,
        split: Split<'_>,
        finder: &Finder<'_>,
        leaf_of_sub: &[u32],
    ) -> Result<()> {
        let mut writer = self.writer(&[LEAF_WIDTH])?;
        let mut moved = vec![Vec::new()];
        self.scan(&[split.column], |batch, leaves| {
            moved[0].clear();
            let codes = batch.columns[split.column].iter().zip(leaves);
            moved[0].extend(codes.map(|(&code, &leaf)| match split.parts.of_code[code as usize] {
                OUTSIDE => leaf,
                part => u64::from(leaf_of_sub[finder.place(leaf as u32, part)]),
            }));
            writer.push(&Batch { first_row: 0, n_rows: batch.n_rows, columns: &moved })
        })?;
        self.leaves = Some(writer.finish(false)?);
        Ok(())
    }

    fn drops_closed(&self) -> bool {
        true
    }

    fn close(&mut self, tips: &Tips, is_closed: &[bool]) -> Result<()> {
        // The leaves themselves, a list of sub-leaves and what finds them are in memory together.
        if 2 * tips.bytes() > self.room {
            return Err(too_many());
        }
        let rows = tips.rows().iter().zip(is_closed).filter(|(_, is_closed)| **is_closed);
        let closed: u64 = rows.map(|(&rows, _)| u64::from(rows)).sum();
        // What is closed stays so: the points that were left out belong to closed leaves.
        if 2 * (closed - self.dropped) > self.n_rows - self.dropped && self.points.n_rows() > 0 {
            self.drop_closed(is_closed)?;
            self.dropped = closed;
        }
        Ok(())
    }
}
