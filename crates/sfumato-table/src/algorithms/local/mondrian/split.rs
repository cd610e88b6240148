//! The possible splits of a column at a node: thresholds near the median, the children of a
//! hierarchy's node, or missing against the rest. Every split is a list of intervals of codes;
//! whether it is allowed is decided elsewhere.

use sfumato_core::dataset::{Hierarchy, NodeId};

use super::cells::Cells;
use super::median::{Counter, Ranked};
use super::shape::{Bounds, Shape};

/// The other quantiles at which to cut, in eighths of the rows.
const QUANTILES: [usize; 4] = [3, 5, 2, 6];

/// One part of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitPart {
    /// The number of rows.
    pub rows: usize,
    /// The interval of codes that the part gets.
    pub region: Bounds,
    /// Whether the part may be published. Judged after the split was proposed.
    pub holds: bool,
}

/// A split of a node: its parts in the order of their codes, none of them empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The place of the quasi column.
    pub column: usize,
    /// The parts, at least two.
    pub parts: Vec<SplitPart>,
    /// How many rows with the first code of the second part go to the first part (only in relaxed
    /// splits).
    pub extra: usize,
    /// The rows that stay, if the last part stays at the parent.
    pub kept: Option<Kept>,
    /// Whether a workload may still gain something in the parts.
    pub guided: bool,
}

/// The rows that stay when the children that hold leave: the rows of all other children, and some
/// of theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The places in the node of rows that stay although their child leaves, ascending.
    pub lent: Vec<u32>,
}

impl Split {
    /// The number of rows in parts that can't be published.
    pub fn dropped(&self) -> usize {
        self.parts.iter().filter(|part| !part.holds).map(|part| part.rows).sum()
    }

    /// A cut at a threshold whose parts have the interval of their own cells on the side of the
    /// cut.
    pub fn tightened(&self, cells: impl Cells) -> Split {
        let mut split = self.clone();
        let ([left, right], 0) = (split.parts.as_mut_slice(), self.extra) else { return split };
        let threshold = right.region.min;
        let (mut before, mut after) = (left.region.min, right.region.max);
        for code in cells.codes() {
            match code < threshold {
                true => before = before.max(code),
                false => after = after.min(code),
            }
        }
        (left.region.max, right.region.min) = (before, after);
        split
    }
}

/// The thresholds at which a column of `n` rows is cut, each with the rows before it, in the order
/// in which they are tried: near the median, then, if asked for, at other quantiles. `at_rank`
/// returns the code with a rank, how many rows lie below it and how many have it; `half_way` is
/// called with the median and the rows below it, and returns whether another split is already
/// available.
pub fn cuts(
    n: usize,
    mut at_rank: impl FnMut(usize) -> (u64, usize, usize),
    quantiles: bool,
    half_way: impl FnOnce(u64, usize) -> bool,
    plausible: &impl Fn(&[usize]) -> bool,
) -> Vec<(u64, usize)> {
    let (median, rows_below, equal) = at_rank(n / 2);
    let below = (median, rows_below);
    let above = (median + 1, rows_below + equal);
    let unevenness = |left: usize| n.abs_diff(2 * left);
    let strict =
        if unevenness(below.1) <= unevenness(above.1) { [below, above] } else { [above, below] };
    let allowed = |left: usize| left > 0 && left < n && plausible(&[left, n - left]);
    let other = half_way(median, rows_below);
    let mut cuts: Vec<(u64, usize)> =
        strict.into_iter().filter(|(_, left)| allowed(*left)).collect();
    // Where the sizes of the parts say that no cut is allowed, none further out is either.
    if !quantiles || (cuts.is_empty() && !other) {
        return cuts;
    }
    let mut tried = vec![below.0, above.0];
    for rank in QUANTILES.map(|eighths| n * eighths / 8) {
        let (code, rows_below, equal) = at_rank(rank);
        let below = (code, rows_below);
        let above = (code + 1, rows_below + equal);
        let cut = if rank - below.1 <= above.1 - rank { below } else { above };
        if !tried.contains(&cut.0) {
            tried.push(cut.0);
            cuts.extend(Some(cut).filter(|(_, left)| allowed(*left)));
        }
    }
    cuts
}

/// A column at a node.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The place of the quasi column.
    pub column: usize,
    /// The geometry of the column.
    pub shape: &'a Shape<'a>,
    /// The interval of its cells at the node, with more than one code.
    pub bounds: Bounds,
    /// The interval that the splits above left.
    pub region: Bounds,
}

impl Candidate<'_> {
    /// The splits of the column, best first. `plausible` is called with the sizes of the parts
    /// before a split is made.
    pub fn splits(
        &self,
        cells: impl Cells,
        relaxed: bool,
        quantiles: bool,
        counter: &mut Counter,
        plausible: impl Fn(&[usize]) -> bool,
    ) -> Vec<Split> {
        let Candidate { shape, bounds, .. } = *self;
        if bounds.max == shape.missing {
            let absent = cells.codes().filter(|&code| code == shape.missing).count();
            return self
                .cut(shape.missing, [cells.len() - absent, absent], &plausible)
                .into_iter()
                .collect();
        }
        if let Some(tree) = shape.tree {
            let node = tree.smallest_cover(bounds.min, bounds.max + 1);
            let split = self.specialise(cells, tree, node, counter);
            let sizes: Vec<usize> = split.parts.iter().map(|part| part.rows).collect();
            return if plausible(&sizes) { vec![split] } else { Vec::new() };
        }
        self.thresholds(cells, relaxed, quantiles, counter, &plausible)
    }

    /// The interval that is published for the column before it is split into children, or into
    /// missing and the rest. `None` if it is cut at a threshold.
    pub fn parent(&self) -> Option<Bounds> {
        if self.bounds.max == self.shape.missing {
            return Some(self.region);
        }
        let tree = self.shape.tree?;
        let node = tree.smallest_cover(self.bounds.min, self.bounds.max + 1);
        Some(Bounds { min: tree.lo(node), max: tree.hi(node) - 1 })
    }

    /// Cuts below and above the median, the more even one first. With `relaxed` the even halves
    /// come before them, and with `quantiles` cuts at other quantiles after them, from the inner to
    /// the outer ones.
    fn thresholds(
        &self,
        cells: impl Cells,
        relaxed: bool,
        quantiles: bool,
        counter: &mut Counter,
        plausible: &impl Fn(&[usize]) -> bool,
    ) -> Vec<Split> {
        let n = cells.len();
        let Bounds { min, max } = self.bounds;
        let at_rank = |rank: usize| {
            let Ranked { code, below, equal } = counter.at_rank(cells, min, max, rank);
            (u64::from(code), below, equal)
        };
        let mut splits = Vec::new();
        let half_way = |median: u64, below: usize| {
            if relaxed && below < n / 2 && plausible(&[n / 2, n - n / 2]) {
                let mut split = self.pair(median as u32, [n / 2, n - n / 2]);
                split.parts[0].region.max = median as u32;
                split.extra = n / 2 - below;
                splits.push(split);
            }
            !splits.is_empty()
        };
        let cuts = cuts(n, at_rank, quantiles, half_way, plausible);
        splits.extend(
            cuts.into_iter().map(|(threshold, left)| self.pair(threshold as u32, [left, n - left])),
        );
        splits
    }

    fn cut(
        &self,
        threshold: u32,
        sizes: [usize; 2],
        plausible: &impl Fn(&[usize]) -> bool,
    ) -> Option<Split> {
        let allowed = sizes[0] > 0 && sizes[1] > 0 && plausible(&sizes);
        allowed.then(|| self.pair(threshold, sizes))
    }

    /// A split into two parts, cut at a threshold.
    pub fn pair(&self, threshold: u32, [left, right]: [usize; 2]) -> Split {
        let Bounds { min, max } = self.region;
        let part = |rows, min, max| SplitPart { rows, region: Bounds { min, max }, holds: true };
        Split {
            column: self.column,
            parts: vec![part(left, min, threshold.saturating_sub(1)), part(right, threshold, max)],
            extra: 0,
            kept: None,
            guided: true,
        }
    }

    /// One part per child that has rows.
    fn specialise(
        &self,
        cells: impl Cells,
        tree: &Hierarchy,
        node: NodeId,
        counter: &mut Counter,
    ) -> Split {
        let Bounds { min, max } = self.bounds;
        let mut parts: Vec<SplitPart> = tree
            .children(node)
            .map(|child| Bounds { min: tree.lo(child), max: tree.hi(child) - 1 })
            .filter(|region| region.min <= max && region.max >= min)
            .map(|region| SplitPart { rows: 0, region, holds: true })
            .collect();
        let span = (max - min) as usize;
        let dense: Vec<u32>;
        let counts = if span < 256 {
            Some(counter.count(cells, min, max))
        } else if span <= 4 * cells.len() {
            let mut counts = vec![0u32; span + 1];
            cells.codes().for_each(|code| counts[(code - min) as usize] += 1);
            dense = counts;
            Some(dense.as_slice())
        } else {
            None
        };
        match counts {
            Some(counts) => {
                for part in &mut parts {
                    let Bounds { min: first, max: last } = part.region.clip(self.bounds);
                    let counts = &counts[(first - min) as usize..=(last - min) as usize];
                    part.rows = counts.iter().map(|&count| count as usize).sum();
                }
            }
            None => cells.codes().for_each(|code| {
                let part = parts.partition_point(|part| part.region.max < code);
                parts[part].rows += 1;
            }),
        }
        parts.retain(|part| part.rows > 0);
        Split { column: self.column, parts, extra: 0, kept: None, guided: true }
    }
}
