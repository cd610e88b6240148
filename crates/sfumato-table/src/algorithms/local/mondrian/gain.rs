//! Scores columns by the gain of splitting them, on a sample of a node's rows.
//!
//! The gain of a split is the reduction of the price of the records. A split into many parts uses
//! up more of the possible further splits, so the gain is divided by the root of the split's
//! entropy. A sample of 64 rows orders the columns about as well as all rows do, so that large
//! nodes cost no more than small ones. The score is only an order in which columns are tried:
//! whether a split is allowed is decided elsewhere, from all rows.

use sfumato_core::dataset::Hierarchy;

use super::price::Prices;
use super::shape::{Bounds, Shape};

/// The number of rows in a sample.
pub const SAMPLE: usize = 64;
/// The largest number of children of a node that are counted at once.
const FEW_CHILDREN: usize = 16;
/// The number of codes compared at once; divides the size of a sample.
const LANES: usize = 8;
/// How many columns, the best by their own gain, are scored again by the gain of all columns.
const LOOKED_AT_AGAIN: usize = 3;

/// The row of a node that is the i-th of its sample.
#[inline]
pub fn sampled(i: usize, n_rows: usize) -> usize {
    if n_rows <= SAMPLE { i } else { i * n_rows / SAMPLE }
}

/// What is known about the node besides its sample.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// The number of rows of the node.
    pub rows: usize,
    /// The smallest number of rows of a group that can be published.
    pub min_rows: usize,
    /// Whether parts that can't be published may stay together.
    pub leftovers: bool,
}

/// A sample and buffers for its splits, kept from node to node.
#[derive(Debug)]
pub struct Gain {
    /// The codes of one live column after the other.
    codes: Vec<[i32; SAMPLE]>,
    bounds: Vec<Bounds>,
    before: Vec<f64>,
    /// `m ln m` for each size of a part.
    m_ln_m: [f64; SAMPLE + 1],
    runs: Runs,
    best: Vec<(f64, usize)>,
    parts: Vec<(Bounds, usize)>,
    /// The places of the live columns in the order of the columns: sums must not depend on where
    /// columns lie in memory.
    in_order: Vec<usize>,
}

/// The sampled rows in the order of the parts of a split.
#[derive(Debug)]
struct Runs {
    rows: [u8; SAMPLE],
    /// The runs, one after the other.
    runs: Vec<Run>,
}

/// Sampled rows below one child of a hierarchy's node, or on one side of a cut.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Where it ends among the sampled rows.
    end: usize,
    /// Whether it is a part of its own. All others together are one part.
    own: bool,
    /// The child.
    child: u32,
}

impl Gain {
    /// Empty buffers.
    pub fn new() -> Self {
        let mut m_ln_m = [0.0; SAMPLE + 1];
        (1..=SAMPLE).for_each(|m| m_ln_m[m] = m as f64 * (m as f64).ln());
        Gain {
            codes: Vec::new(),
            bounds: Vec::new(),
            before: Vec::new(),
            m_ln_m,
            runs: Runs { rows: [0; SAMPLE], runs: Vec::new() },
            best: Vec::new(),
            parts: Vec::new(),
            in_order: Vec::new(),
        }
    }

    /// Forget the last node.
    pub fn clear(&mut self) {
        self.codes.clear();
    }

    /// Add the sample of the next live column.
    pub fn push(&mut self, codes: impl Iterator<Item = u32>) {
        let mut sample = [0; SAMPLE];
        let mut n = 0usize;
        for (cell, code) in sample.iter_mut().zip(codes) {
            *cell = signed(code);
            n += 1;
        }
        // What is compared many at a time may see the first code again.
        let first = sample[0];
        sample[n..n.next_multiple_of(LANES)].fill(first);
        self.codes.push(sample);
    }

    /// Score the live columns. One that the sample doesn't split scores below 0, the wider the
    /// better.
    pub fn score(
        &mut self,
        live: &[usize],
        shapes: &[Shape<'_>],
        prices: &Prices<'_>,
        size: Size,
        scores: &mut Vec<f64>,
    ) {
        let n = size.rows.min(SAMPLE);
        self.bounds.clear();
        self.before.clear();
        self.best.clear();
        for (place, &column) in live.iter().enumerate() {
            let codes = &self.codes[place][..n.next_multiple_of(LANES)];
            let (mut min, mut max) = ([i32::MAX; LANES], [i32::MIN; LANES]);
            for codes in codes.as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    min[lane] = min[lane].min(codes[lane]);
                    max[lane] = max[lane].max(codes[lane]);
                }
            }
            let (min, max) = (
                min.into_iter().fold(i32::MAX, i32::min),
                max.into_iter().fold(i32::MIN, i32::max),
            );
            let bounds = Bounds { min: unsigned(min), max: unsigned(max) };
            self.bounds.push(bounds);
            self.before.push(prices.cell(column, bounds));
        }
        for (place, &column) in live.iter().enumerate() {
            let own = self.own(place, column, &shapes[column], prices, size, n);
            scores.push(
                own.unwrap_or(-1.0 / (1.0 + shapes[column].weighted_spread(self.bounds[place]))),
            );
            if own.is_some() {
                self.best.push((scores[place], place));
            }
        }
        if self.best.len() < 2 {
            return;
        }
        let first_column = |place: usize| live[place];
        self.best.sort_unstable_by(|a, b| {
            b.0.total_cmp(&a.0).then(first_column(a.1).cmp(&first_column(b.1)))
        });
        self.best.truncate(LOOKED_AT_AGAIN);
        self.in_order.clear();
        self.in_order.extend(0..live.len());
        self.in_order.sort_unstable_by_key(|place| live[*place]);
        // Looked at again they are compared with each other only, and stay before the others.
        let most = self.best[0].0;
        for i in 0..self.best.len() {
            let place = self.best[i].1;
            self.arrange(place, &shapes[live[place]], size, n);
            scores[place] = most + self.all(live, prices, n);
        }
    }

    /// The gain of a column's split in the column itself. `None` if a part is too small or there is
    /// only one.
    fn own(
        &mut self,
        place: usize,
        column: usize,
        shape: &Shape<'_>,
        prices: &Prices<'_>,
        size: Size,
        n: usize,
    ) -> Option<f64> {
        let bounds = self.bounds[place];
        if bounds.min == bounds.max {
            return None;
        }
        let before = self.before[place];
        let codes = &self.codes[place][..n];
        if shape.tree.is_some() && bounds.max < shape.missing {
            self.arrange(place, shape, size, n);
            let (mut gain, mut start, mut rest, mut inner) = (0.0, 0, 0, 0.0);
            let mut n_parts = 0;
            for &Run { end, own, child } in &self.runs.runs {
                if own {
                    gain += (end - start) as f64 * (before - prices.node(column, child));
                    inner += self.m_ln_m[end - start];
                    n_parts += 1;
                } else {
                    rest += end - start;
                }
                start = end;
            }
            if n_parts == 0 || (rest > 0 && !size.leftovers) {
                return None;
            }
            inner += self.m_ln_m[rest];
            return Some(gain / self.root_of_entropy(inner, n));
        }
        let cut = cut(codes, bounds, shape);
        let left = codes.iter().filter(|&&code| code < cut).count();
        let enough = |part: usize| part > 0 && part * size.rows >= size.min_rows * n;
        let may_stay = size.leftovers && bounds.max == shape.missing;
        let both_enough = enough(left) && enough(n - left);
        if !may_stay && !both_enough {
            return None;
        }
        let (max, min) = beside(&self.codes[place][..n.next_multiple_of(LANES)], cut);
        let below = prices.cell(column, Bounds { min: bounds.min, max: unsigned(max) });
        let above = prices.cell(column, Bounds { min: unsigned(min), max: bounds.max });
        let gain = left as f64 * (before - below) + (n - left) as f64 * (before - above);
        Some(gain / self.root_of_entropy(self.m_ln_m[left] + self.m_ln_m[n - left], n))
    }

    fn root_of_entropy(&self, inner: f64, n: usize) -> f64 {
        ((self.m_ln_m[n] - inner) / n as f64).sqrt()
    }

    /// The gain of the arranged split in all columns.
    fn all(&mut self, live: &[usize], prices: &Prices<'_>, n: usize) -> f64 {
        let Runs { rows, runs } = &self.runs;
        let own = runs.iter().filter(|run| run.own).count();
        let n_parts = own + usize::from(own < runs.len());
        // The bounds of one column after the other, each with one entry per part; those that stay
        // together come last.
        self.parts.clear();
        for codes in &self.codes {
            let first = self.parts.len();
            self.parts.resize(first + n_parts, (Bounds { min: u32::MAX, max: 0 }, 0));
            let (mut start, mut part) = (0, first);
            for &Run { end, own, .. } in runs {
                let (mut min, mut max) = (i32::MAX, i32::MIN);
                for &row in &rows[start..end] {
                    let code = codes[usize::from(row) % SAMPLE];
                    min = min.min(code);
                    max = max.max(code);
                }
                let target = if own { part } else { first + n_parts - 1 };
                let (bounds, rows) = &mut self.parts[target];
                *bounds = Bounds {
                    min: bounds.min.min(unsigned(min)),
                    max: bounds.max.max(unsigned(max)),
                };
                *rows += end - start;
                part += usize::from(own);
                start = end;
            }
        }
        let record = |cells: &mut dyn Iterator<Item = f64>| prices.join().all(cells);
        let before = record(&mut self.in_order.iter().map(|place| self.before[*place]));
        let (mut gain, mut inner) = (0.0, 0.0);
        for part in 0..n_parts {
            let cell = |&place: &usize| {
                let column = live[place];
                let bounds = self.parts[place * n_parts + part].0;
                // Most cells of a part are as wide as those of the node, and needn't be looked up.
                if bounds == self.bounds[place] {
                    self.before[place]
                } else {
                    prices.cell(column, bounds)
                }
            };
            let rows = self.parts[part].1;
            gain += rows as f64 * (before - record(&mut self.in_order.iter().map(cell)));
            inner += self.m_ln_m[rows];
        }
        gain / self.root_of_entropy(inner, n)
    }

    /// Bring the sample into the order of the parts of a column's split.
    fn arrange(&mut self, place: usize, shape: &Shape<'_>, size: Size, n: usize) {
        let (codes, bounds) = (&self.codes[place][..n], self.bounds[place]);
        let enough = |part: usize| part * size.rows >= size.min_rows * n;
        let Runs { rows, runs } = &mut self.runs;
        runs.clear();
        let Some(tree) = shape.tree.filter(|_| bounds.max < shape.missing) else {
            let cut = cut(codes, bounds, shape);
            let (mut left, mut right) = (0, 0);
            let mut aside = [0u8; SAMPLE];
            for (row, &code) in codes.iter().enumerate() {
                rows[left] = row as u8;
                aside[right] = row as u8;
                left += usize::from(code < cut);
                right += usize::from(code >= cut);
            }
            rows[left..n].copy_from_slice(&aside[..right]);
            runs.extend([left, n].map(|end| Run { end, own: true, child: 0 }));
            return;
        };
        let parent = tree.smallest_cover(bounds.min, bounds.max + 1);
        let children = tree.children(parent);
        if children.len() <= FEW_CHILDREN {
            // Counting is faster than sorting here.
            let mut child_of_row = [0u32; SAMPLE];
            for child in children.clone().skip(1) {
                let first = signed(tree.lo(child));
                let codes = &self.codes[place];
                child_of_row
                    .iter_mut()
                    .zip(codes)
                    .for_each(|(child, &code)| *child += u32::from(code >= first));
            }
            let mut next = [0usize; FEW_CHILDREN];
            child_of_row[..n].iter().for_each(|&child| next[child as usize % FEW_CHILDREN] += 1);
            let mut start = 0;
            for (child, next) in children.zip(&mut next) {
                let end = start + *next;
                if start < end {
                    runs.push(Run { end, own: enough(end - start), child });
                }
                *next = start;
                start = end;
            }
            for (row, &child) in child_of_row[..n].iter().enumerate() {
                let next = &mut next[child as usize % FEW_CHILDREN];
                rows[*next % SAMPLE] = row as u8;
                *next += 1;
            }
            return;
        }
        let mut keys = [0u64; SAMPLE];
        for (row, (key, &code)) in keys.iter_mut().zip(codes).enumerate() {
            *key = u64::from(unsigned(code)) << 8 | row as u64;
        }
        keys[..n].sort_unstable();
        rows.iter_mut().zip(&keys[..n]).for_each(|(row, key)| *row = *key as u8);
        let mut start = 0;
        while start < n {
            let child = child_of(tree, parent, (keys[start] >> 8) as u32);
            let last = u64::from(tree.hi(child)) << 8;
            let end = start + keys[start..n].partition_point(|&key| key < last);
            runs.push(Run { end, own: enough(end - start), child });
            start = end;
        }
    }
}

/// The child of a node above a code.
#[inline]
fn child_of(tree: &Hierarchy, parent: u32, code: u32) -> u32 {
    let mut node = tree.leaf(code);
    while tree.parent(node) != parent {
        node = tree.parent(node);
    }
    node
}

/// The first code of the second part: missing, or near the median, where the parts are more even.
fn cut(codes: &[i32], bounds: Bounds, shape: &Shape<'_>) -> i32 {
    if bounds.max == shape.missing {
        return signed(shape.missing);
    }
    let n = codes.len();
    let below = |code: i32| codes.iter().map(|&c| u32::from(c < code)).sum::<u32>() as usize;
    // The median is the largest code that has at most half of the rows below it.
    let Bounds { mut min, mut max } = bounds;
    let (mut below_min, mut above_max) = (0, n);
    while min < max {
        let middle = min + (max - min).div_ceil(2);
        match below(signed(middle)) {
            // Nothing is more even, wherever the median is in the gap.
            rows if rows == n / 2 => return signed(middle),
            rows if rows < n / 2 => (min, below_min) = (middle, rows),
            rows => (max, above_max) = (middle - 1, rows),
        }
    }
    signed(if n.abs_diff(2 * below_min) <= n.abs_diff(2 * above_max) { min } else { min + 1 })
}

/// The largest code below a cut and the smallest code from it on.
fn beside(codes: &[i32], cut: i32) -> (i32, i32) {
    let (mut max, mut min) = ([i32::MIN; LANES], [i32::MAX; LANES]);
    for codes in codes.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            let code = codes[lane];
            let is_below = code < cut;
            max[lane] = max[lane].max(if is_below { code } else { i32::MIN });
            min[lane] = min[lane].min(if is_below { i32::MAX } else { code });
        }
    }
    (max.into_iter().fold(i32::MIN, i32::max), min.into_iter().fold(i32::MAX, i32::min))
}

/// A code as a signed number of the same order: every processor compares many of these at once.
#[inline]
fn signed(code: u32) -> i32 {
    (code ^ (1 << 31)) as i32
}

/// The code of a signed number.
#[inline]
fn unsigned(signed: i32) -> u32 {
    signed as u32 ^ (1 << 31)
}
