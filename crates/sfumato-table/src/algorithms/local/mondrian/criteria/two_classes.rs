//! InfoGain of two classes, which most classifications are: rows and rows of the second class of a
//! code are counted together in one word, so that a column costs one pass over the rows and one
//! over the codes.
//!
//! Codes in a wide range are counted in buckets. What a cut inside a bucket could gain is bounded
//! by its corners, the rows of one class before all of the other, because gains are convex in the
//! counts of a side; only buckets that might beat what is known are looked into.

use std::ops::Range;

use super::super::block::Block;
use super::super::cells::Cells;
use super::super::store::{Address, Slice, with_cells};
use super::x_log_x::XLogX;

/// One column at one node.
pub struct TwoClasses<'a> {
    /// The rows.
    pub block: &'a Block<'a>,
    /// The places of the node.
    pub range: Range<usize>,
    /// Where the column lies.
    pub by: Address,
    /// The smallest and the largest code.
    pub bounds: (u32, u32),
    /// The classes, 0 and 1.
    pub labels: &'a Slice<'a>,
    /// The number of rows.
    pub rows: u32,
    /// How many of them are of the second class.
    pub ones: u32,
    /// The smallest number of rows of each side of a cut.
    pub least: u32,
    /// The table of logarithms.
    pub x_log_x: &'a XLogX,
}

/// The gain of a cut, in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutGain {
    /// The last code before the cut that occurs.
    pub before: u32,
    /// The first code after it that occurs.
    pub code: u32,
    /// How many rows come before.
    pub left: u32,
    /// The gain.
    pub gain: f64,
}

const ROW: u64 = 1 << 32;

impl TwoClasses<'_> {
    /// Count rows (in the upper half of a word) and ones (in the lower) by bucket.
    pub fn count(&self, shift: u32, table: &mut Vec<u64>) {
        let (min, max) = self.bounds;
        table.clear();
        table.resize(((max - min) >> shift) as usize + 1, 0);
        with_cells!(&self.block.stores[self.by.store], self.by.lane, self.range.clone(), cells => {
            with_cells!(self.labels, 0, self.range.clone(), labels => {
                for (code, label) in cells.codes().zip(labels.codes()) {
                    table[((code - min) >> shift) as usize] += ROW | u64::from(label);
                }
            });
        });
    }

    /// The rows of a side less its entropy, so that gains are differences of sums.
    #[inline]
    fn side(&self, rows: u32, ones: u32) -> f64 {
        self.x_log_x.of(rows) - self.x_log_x.of(ones) - self.x_log_x.of(rows - ones)
    }

    #[inline]
    fn gain(&self, before: f64, left: u32, ones: u32) -> f64 {
        before - self.side(left, ones) - self.side(self.rows - left, self.ones - ones)
    }

    fn is_allowed(&self, left: u32) -> bool {
        left >= self.least && self.rows - left >= self.least
    }

    /// Call `tell` with every cut that has enough rows on both sides.
    pub fn cuts(&self, table: &mut Vec<u64>, mut tell: impl FnMut(CutGain)) {
        self.count(0, table);
        let min = self.bounds.0;
        let before = self.side(self.rows, self.ones);
        let (mut left, mut ones, mut last) = (0u32, 0u32, min);
        for (code, &counted) in (min..).zip(table.iter()).filter(|(_, counted)| **counted > 0) {
            if left >= self.least {
                if self.rows - left < self.least {
                    break;
                }
                tell(CutGain { before: last, code, left, gain: self.gain(before, left, ones) });
            }
            left += (counted >> 32) as u32;
            ones += counted as u32;
            last = code;
        }
    }

    /// Call `tell` with cuts that gain at least `enough`, including the best, for codes in a wide
    /// range.
    pub fn best_cuts(&self, enough: f64, room: &mut Wide, mut tell: impl FnMut(CutGain)) {
        let (min, max) = self.bounds;
        let bits = u32::BITS - (max - min).leading_zeros();
        let shift = bits.saturating_sub(self.rows.ilog2() + 1);
        let mut table = std::mem::take(&mut room.table);
        self.count(shift, &mut table);
        let before = self.side(self.rows, self.ones);
        let mut best = enough;
        let (mut left, mut ones, mut last) = (0u32, 0u32, 0u64);
        room.edges.clear();
        for (bucket, &counted) in (0u32..).zip(table.iter()).filter(|(_, counted)| **counted > 0) {
            // Between rows of one class no cut is the best, except where sides are as small as may
            // be.
            let (n, n_ones) = ((last >> 32) as u32, last as u32);
            let (m, m_ones) = ((counted >> 32) as u32, counted as u32);
            let same = (n_ones == 0 && m_ones == 0) || (n_ones == n && m_ones == m);
            let is_edge = left < self.least + n || self.rows - left < self.least + m;
            if (!same || is_edge) && self.is_allowed(left) {
                let gain = self.gain(before, left, ones);
                if gain >= best - SLACK {
                    best = best.max(gain);
                    room.edges.push((bucket, left, gain));
                }
            }
            left += m;
            ones += m_ones;
            last = counted;
        }
        if shift > 0 {
            self.look_into(shift, &table, before, &mut best, room, &mut tell);
        }
        room.table = table;
        room.edges.retain(|(_, _, gain)| *gain >= best - SLACK);
        for &(bucket, left, gain) in &room.edges {
            let (before, code) = self.beside(min + (bucket << shift));
            tell(CutGain { before, code, left, gain });
        }
    }

    /// Call `tell` with cuts inside buckets that might gain more.
    fn look_into(
        &self,
        shift: u32,
        table: &[u64],
        before: f64,
        best: &mut f64,
        room: &mut Wide,
        tell: &mut impl FnMut(CutGain),
    ) {
        room.wanted.clear();
        let (mut left, mut ones) = (0u32, 0u32);
        for (bucket, &counted) in (0u32..).zip(table).filter(|(_, counted)| **counted > 0) {
            let (n, n_ones) = ((counted >> 32) as u32, counted as u32);
            // Alone, or all on a side that is too small.
            let may_cut = n > 1 && left + n > self.least && self.rows - left > self.least;
            if may_cut {
                let zeros_first = self.gain(before, left + n - n_ones, ones);
                let ones_first = self.gain(before, left + n_ones, ones + n_ones);
                if zeros_first.max(ones_first) >= *best - SLACK {
                    room.wanted.push((bucket, left, ones));
                }
            }
            left += n;
            ones += n_ones;
        }
        if room.wanted.is_empty() {
            return;
        }
        let min = self.bounds.0;
        room.keys.clear();
        with_cells!(&self.block.stores[self.by.store], self.by.lane, self.range.clone(), cells => {
            with_cells!(self.labels, 0, self.range.clone(), labels => {
                for (code, label) in cells.codes().zip(labels.codes()) {
                    let bucket = (code - min) >> shift;
                    if room.wanted.binary_search_by_key(&bucket, |(bucket, ..)| *bucket).is_ok() {
                        room.keys.push(u64::from(code - min) << 1 | u64::from(label));
                    }
                }
            });
        });
        room.keys.sort_unstable();
        let mut keys = room.keys.as_slice();
        for &(bucket, mut left, mut ones) in &room.wanted {
            let n = keys.partition_point(|key| (key >> 1) as u32 >> shift <= bucket);
            let (inside, rest) = keys.split_at(n);
            keys = rest;
            let mut last: Option<u32> = None;
            for key in inside {
                let code = min + (key >> 1) as u32;
                if let Some(last) = last.filter(|last| *last < code && self.is_allowed(left)) {
                    let gain = self.gain(before, left, ones);
                    if gain >= *best - SLACK {
                        *best = best.max(gain);
                        tell(CutGain { before: last, code, left, gain });
                    }
                }
                left += 1;
                ones += (key & 1) as u32;
                last = Some(code);
            }
        }
    }

    /// The largest code below one, and the smallest that isn't below it.
    fn beside(&self, first: u32) -> (u32, u32) {
        let (mut before, mut code) = self.bounds;
        with_cells!(&self.block.stores[self.by.store], self.by.lane, self.range.clone(), cells => {
            for c in cells.codes() {
                before = if c < first { before.max(c) } else { before };
                code = if c < first { code } else { code.min(c) };
            }
        });
        (before, code)
    }

    /// The gain of a split into parts, each counted like a bucket.
    pub fn gain_of_parts(&self, parts: &[u64]) -> f64 {
        let after: f64 = parts.iter().map(|n| self.side((n >> 32) as u32, *n as u32)).sum();
        self.side(self.rows, self.ones) - after
    }
}

/// A tolerance for sums that are added in different orders.
const SLACK: f64 = 1e-8;

/// Buffers for columns whose codes have a wide range.
#[derive(Debug, Default)]
pub struct Wide {
    /// Rows and ones by bucket.
    table: Vec<u64>,
    /// Cuts before a bucket: the bucket, the rows before and the gain.
    edges: Vec<(u32, u32, f64)>,
    /// Buckets to look into, with the rows and ones before them.
    wanted: Vec<(u32, u32, u32)>,
    keys: Vec<u64>,
}
