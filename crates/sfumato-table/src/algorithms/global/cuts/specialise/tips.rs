//! Taxonomy indexed partitions (TIPS): which points are published alike at the moment, stored by
//! columns.
//!
//! A leaf is a combination of published values that some record has; each point lies in exactly
//! one. The links of a value, the leaves that hold it, aren't stored: one scan of the value's
//! column finds them. Nothing here knows trees or requirements.

use rayon::prelude::*;
use sfumato_core::column::{Code, Codes};
use sfumato_core::with_codes;

use super::points::Points;

/// The part of a code that doesn't belong to the current value.
pub const OUTSIDE: u32 = u32::MAX;
/// The number of points that are processed at a time.
const CHUNK: usize = 1 << 16;

/// The state of the partitions.
pub struct Tips {
    leaf_of_point: Vec<u32>,
    rows: Vec<u32>,
    /// `blocks[column][leaf]`: the number of the published value among those of its column.
    blocks: Vec<Vec<u32>>,
}

/// The sub-leaves of leaves that hold a value, if the value is split: by leaf, then by part,
/// without empty ones.
#[derive(Debug, Default, PartialEq)]
pub struct SubLeaves {
    /// The leaf of each sub-leaf.
    pub leaf: Vec<u32>,
    /// The part of each sub-leaf.
    pub part: Vec<u32>,
    /// The number of rows of each sub-leaf.
    pub rows: Vec<u32>,
}

impl SubLeaves {
    /// The number of sub-leaves.
    pub fn len(&self) -> usize {
        self.leaf.len()
    }
    /// Whether there are no sub-leaves.
    pub fn is_empty(&self) -> bool {
        self.leaf.is_empty()
    }
    /// Where the sub-leaves of each leaf begin.
    fn starts(&self, n_leaves: usize) -> Vec<u32> {
        let mut starts = vec![0u32; n_leaves + 1];
        self.leaf.iter().for_each(|&leaf| starts[leaf as usize + 1] += 1);
        (0..n_leaves).for_each(|leaf| starts[leaf + 1] += starts[leaf]);
        starts
    }
}

/// Finds the sub-leaf of a point.
pub struct Finder<'a> {
    parts: &'a [u32],
    starts: Vec<u32>,
}

impl Finder<'_> {
    /// The place of a part of a leaf, which must exist.
    #[inline]
    pub fn place(&self, leaf: u32, part: u32) -> usize {
        let (mut place, end) =
            (self.starts[leaf as usize] as usize, self.starts[leaf as usize + 1] as usize);
        if end - place > 8 {
            return place + self.parts[place..end].partition_point(|&other| other < part);
        }
        while place + 1 < end && self.parts[place] != part {
            place += 1;
        }
        place
    }
}

impl Tips {
    /// The state in which all points are in one leaf.
    pub fn new(points: &Points<'_>, n_columns: usize, n_rows: usize) -> Self {
        let n_leaves = usize::from(n_rows > 0);
        Tips {
            leaf_of_point: vec![0; points.len()],
            rows: vec![n_rows as u32; n_leaves],
            blocks: vec![vec![0; n_leaves]; n_columns],
        }
    }

    /// The number of leaves.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// The rows of each leaf.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }
    /// The published value of each leaf in a column.
    pub fn blocks(&self, column: usize) -> &[u32] {
        &self.blocks[column]
    }
    /// The leaf of each point.
    pub fn leaf_of_point(&self) -> &[u32] {
        &self.leaf_of_point
    }

    /// The sub-leaves of the leaves that hold a value of a column, if each code goes to its part.
    pub fn sub_leaves(
        &self,
        points: &Points<'_>,
        column: usize,
        part_of_code: &[u32],
        n_parts: usize,
    ) -> SubLeaves {
        let cells = self.len().saturating_mul(n_parts);
        let codes = points.quasi[column].as_ref();
        match cells <= 4 * points.len() + (1 << 16) && cells < u32::MAX as usize {
            true => self.dense(points, codes, part_of_code, n_parts),
            false => self.sorted(points, codes, part_of_code, n_parts),
        }
    }

    fn dense(
        &self,
        points: &Points<'_>,
        codes: &Codes,
        part_of_code: &[u32],
        n_parts: usize,
    ) -> SubLeaves {
        let cells = self.len() * n_parts;
        let count = |range: std::ops::Range<usize>| {
            let mut counts = vec![0u32; cells];
            let leaves = &self.leaf_of_point[range.clone()];
            with_codes!(codes, codes => match &points.weights {
                None => codes[range].iter().zip(leaves).for_each(|(code, &leaf)| {
                    let part = part_of_code[code.widen() as usize];
                    if part != OUTSIDE {
                        counts[leaf as usize * n_parts + part as usize] += 1;
                    }
                }),
                Some(weights) =>
                    codes[range.clone()].iter().zip(leaves).zip(&weights[range]).for_each(
                    |((code, &leaf), &weight)| {
                        let part = part_of_code[code.widen() as usize];
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
        let mut sub = SubLeaves::default();
        for (leaf, counts) in counts.chunks_exact(n_parts.max(1)).enumerate() {
            for (part, &rows) in counts.iter().enumerate().filter(|(_, rows)| **rows > 0) {
                sub.push(leaf as u32, part as u32, rows);
            }
        }
        sub
    }

    fn sorted(
        &self,
        points: &Points<'_>,
        codes: &Codes,
        part_of_code: &[u32],
        n_parts: usize,
    ) -> SubLeaves {
        let mut keys: Vec<(u64, u32)> = Vec::new();
        with_codes!(codes, codes =>
            for (point, (code, &leaf)) in codes.iter().zip(&self.leaf_of_point).enumerate() {
            let part = part_of_code[code.widen() as usize];
            if part != OUTSIDE {
                keys.push((u64::from(leaf) * n_parts as u64 + u64::from(part),
                    points.weight(point)));
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

    /// A finder of sub-leaves by leaf and part.
    pub fn finder<'a>(&self, sub: &'a SubLeaves) -> Finder<'a> {
        Finder { parts: &sub.part, starts: sub.starts(self.len()) }
    }

    /// Split a value: its leaves become their sub-leaves. The first of each keeps the leaf's
    /// number, the others get new numbers in their order. `block_of_part` says which value is
    /// published for each part.
    pub fn perform(
        &mut self,
        points: &Points<'_>,
        column: usize,
        part_of_code: &[u32],
        sub: &SubLeaves,
        block_of_part: &[u32],
    ) {
        let finder = self.finder(sub);
        let mut leaf_of_sub = Vec::with_capacity(sub.len());
        for place in 0..sub.len() {
            let leaf = sub.leaf[place];
            let id = if place > 0 && sub.leaf[place - 1] == leaf {
                self.blocks.iter_mut().for_each(|blocks| blocks.push(blocks[leaf as usize]));
                self.rows.push(0);
                (self.rows.len() - 1) as u32
            } else {
                leaf
            };
            self.rows[id as usize] = sub.rows[place];
            self.blocks[column][id as usize] = block_of_part[sub.part[place] as usize];
            leaf_of_sub.push(id);
        }
        let codes = points.quasi[column].as_ref();
        with_codes!(codes, codes => {
            self.leaf_of_point.par_chunks_mut(CHUNK).zip(codes.par_chunks(CHUNK))
                .for_each(|(leaves, codes)| {
                for (leaf, code) in leaves.iter_mut().zip(codes) {
                    let part = part_of_code[code.widen() as usize];
                    if part != OUTSIDE {
                        *leaf = leaf_of_sub[finder.place(*leaf, part)];
                    }
                }
            });
        });
    }
}

impl SubLeaves {
    fn push(&mut self, leaf: u32, part: u32, rows: u32) {
        self.leaf.push(leaf);
        self.part.push(part);
        self.rows.push(rows);
    }
}
