//! Points in memory, kept by columns, with the leaf of each.

use rayon::prelude::*;
use sfumato_core::column::{Code, Codes};
use sfumato_core::{Error, Result, with_codes};

use super::points::Points;
use super::store::{Split, Store, ValueCounts};
use super::tips::{Finder, OUTSIDE, SubLeaves, Tips};

/// Points are looked at in pieces of this size.
const CHUNK: usize = 1 << 16;
/// Counting tables up to this many cells aren't hashed.
const MOST_CELLS: usize = 1 << 22;
/// Values that are asked about at once: enough for all threads, few enough to hold their counts.
const AT_ONCE: usize = 64;

/// The points and their leaves.
pub struct Held<'a> {
    points: Points<'a>,
    leaf_of_point: Vec<u32>,
}

impl<'a> Held<'a> {
    /// All points in one leaf.
    pub fn new(points: Points<'a>) -> Self {
        let leaf_of_point = vec![0; points.len()];
        Held { points, leaf_of_point }
    }

    fn dense(&self, tips: &Tips, codes: &Codes, parts: &[u32], n_parts: usize) -> SubLeaves {
        let cells = tips.len() * n_parts;
        let points = &self.points;
        let count = |range: std::ops::Range<usize>| {
            let mut counts = vec![0u32; cells];
            let leaves = &self.leaf_of_point[range.clone()];
            with_codes!(codes, codes => match &points.weights {
                None => codes[range].iter().zip(leaves).for_each(|(code, &leaf)| {
                    let part = parts[code.widen() as usize];
                    if part != OUTSIDE {
                        counts[leaf as usize * n_parts + part as usize] += 1;
                    }
                }),
                Some(weights) =>
                    codes[range.clone()].iter().zip(leaves).zip(&weights[range]).for_each(
                    |((code, &leaf), &weight)| {
                        let part = parts[code.widen() as usize];
                        if part != OUTSIDE {
                            counts[leaf as usize * n_parts + part as usize] += weight;
                        }
                    },
                ),
            });
            counts
        };
        // One piece per thread, because each piece has a table of all leaves. Sums don't depend on
        // the pieces.
        let threads = rayon::current_num_threads().max(1);
        let n = points.len();
        let counts = match n <= CHUNK || threads == 1 {
            true => count(0..n),
            false => (0..threads)
                .into_par_iter()
                .map(|t| count(n * t / threads..n * (t + 1) / threads))
                .reduce_with(|mut a, b| {
                    a.iter_mut().zip(&b).for_each(|(a, b)| *a += b);
                    a
                })
                .unwrap_or_default(),
        };
        SubLeaves::of_table(&counts, n_parts)
    }

    fn sorted(&self, codes: &Codes, parts: &[u32], n_parts: usize) -> SubLeaves {
        let mut keys: Vec<(u64, u32)> = Vec::new();
        with_codes!(codes, codes =>
            for (point, (code, &leaf)) in codes.iter().zip(&self.leaf_of_point).enumerate() {
            let part = parts[code.widen() as usize];
            if part != OUTSIDE {
                keys.push((u64::from(leaf) * n_parts as u64 + u64::from(part),
                    self.points.weight(point)));
            }
        });
        keys.par_sort_unstable();
        let mut sub = SubLeaves::default();
        for run in keys.chunk_by(|a, b| a.0 == b.0) {
            let (leaf, part) = (run[0].0 / n_parts as u64, run[0].0 % n_parts as u64);
            sub.push(leaf as u32, part as u32, run.iter().map(|(_, weight)| weight).sum());
        }
        sub
    }

    /// The sub-leaf of each point, or `OUTSIDE`.
    fn places(&self, split: Split<'_>, finder: &Finder<'_>) -> Vec<u32> {
        let codes = self.points.quasi[split.column].as_ref();
        with_codes!(codes, codes => codes
            .par_iter()
            .zip(&self.leaf_of_point)
            .map(|(code, &leaf)| match split.parts.of_code[code.widen() as usize] {
                OUTSIDE => OUTSIDE,
                part => finder.place(leaf, part) as u32,
            })
            .collect())
    }
}

impl Store for Held<'_> {
    fn knows_rows(&self) -> bool {
        true
    }

    fn room(&self) -> u64 {
        u64::MAX
    }

    fn people(&self, _: Split<'_>, _: &Finder<'_>, _: &[u32], _: usize) -> Result<Vec<u64>> {
        Err(Error::internal("people of points in memory are counted by their rows"))
    }

    fn at_once(&self) -> usize {
        AT_ONCE
    }

    fn sub_leaves(&self, tips: &Tips, splits: &[Split<'_>]) -> Result<Vec<SubLeaves>> {
        let one = |split: &Split<'_>| {
            let (parts, n_parts) = (split.parts.of_code.as_slice(), split.parts.rows.len());
            let cells = tips.len().saturating_mul(n_parts);
            let codes = self.points.quasi[split.column].as_ref();
            match cells <= 4 * self.points.len() + (1 << 16) && cells < u32::MAX as usize {
                true => self.dense(tips, codes, parts, n_parts),
                false => self.sorted(codes, parts, n_parts),
            }
        };
        Ok(splits.par_iter().map(one).collect())
    }

    fn values(
        &self,
        split: Split<'_>,
        finder: &Finder<'_>,
        n_sub: usize,
    ) -> Result<Vec<Option<ValueCounts>>> {
        let place = self.places(split, finder);
        let points = &self.points;
        let count = |(codes, n_codes): &(std::borrow::Cow<'_, Codes>, usize)| {
            let n_codes = *n_codes;
            let mut entries = Vec::new();
            let inside = place.iter().enumerate().filter(|(_, place)| **place != OUTSIDE);
            with_codes!(codes.as_ref(), codes => {
                if n_sub.saturating_mul(n_codes) <= MOST_CELLS {
                    let mut cells = vec![0u32; n_sub * n_codes];
                    for (point, &place) in inside {
                        cells[place as usize * n_codes
                            + codes[point].widen() as usize] += points.weight(point);
                    }
                    for (sub, cells) in cells.chunks_exact(n_codes.max(1)).enumerate() {
                        let some = cells.iter().enumerate().filter(|(_, rows)| **rows > 0);
                        entries.extend(some.map(|(code, &rows)| (sub as u32, code as u32, rows)));
                    }
                } else {
                    entries = inside.map(|(point, &place)| (place, codes[point].widen(),
                        points.weight(point))).collect();
                    entries.sort_unstable();
                    entries.dedup_by(|b, a| {
                        let same = (a.0, a.1) == (b.0, b.1);
                        a.2 += if same { b.2 } else { 0 };
                        same
                    });
                }
            });
            ValueCounts { entries, n_codes }
        };
        Ok(points.sensitive.iter().map(|column| column.as_ref().map(count)).collect())
    }

    fn rows(&self, split: Split<'_>, finder: &Finder<'_>, n_sub: usize) -> Result<Vec<Vec<u32>>> {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n_sub];
        for (row, &place) in self.places(split, finder).iter().enumerate() {
            if place != OUTSIDE {
                rows[place as usize].push(row as u32);
            }
        }
        Ok(rows)
    }

    fn move_points(
        &mut self,
        split: Split<'_>,
        finder: &Finder<'_>,
        leaf_of_sub: &[u32],
    ) -> Result<()> {
        let codes = self.points.quasi[split.column].as_ref();
        with_codes!(codes, codes => {
            self.leaf_of_point.par_chunks_mut(CHUNK).zip(codes.par_chunks(CHUNK))
                .for_each(|(leaves, codes)| {
                for (leaf, code) in leaves.iter_mut().zip(codes) {
                    let part = split.parts.of_code[code.widen() as usize];
                    if part != OUTSIDE {
                        *leaf = leaf_of_sub[finder.place(*leaf, part)];
                    }
                }
            });
        });
        Ok(())
    }

    // A scan of points in memory costs less than moving them together.
    fn drops_closed(&self) -> bool {
        false
    }

    fn close(&mut self, _: &Tips, _: &[bool]) -> Result<()> {
        Ok(())
    }
}
