//! An index of points that finds the nearest and the farthest exactly while points go: a tree of
//! boxes, each with the largest distance of its points from a centre.
//!
//! Bounds of boxes are computed by the same sums in the same order as distances, and rounding never
//! turns a smaller term into a larger one, so that no point is passed over that a scan would find.
//! Among equally far points that with the smallest number is found.

use std::collections::BinaryHeap;

use super::points::Points;

/// How many points a leaf has at most.
const LEAF: usize = 16;
/// What is added to bounds that are computed by other sums than distances.
const SLACK: f64 = 1e-9;
const NONE: u32 = u32::MAX;

/// The index.
pub struct Nearest<'a> {
    points: &'a Points,
    /// The points in the order of leaves; those of a leaf that are still there stand first in it.
    order: Vec<u32>,
    /// The numbers of the points, a block for each leaf: in it column after column, `LEAF` places
    /// each, so that the distances of all points of a leaf are computed side by side.
    at: Vec<f64>,
    /// For each point its place in `order`.
    place: Vec<u32>,
    nodes: Vec<Node>,
    /// The lower and the upper bounds of each node's box.
    boxes: Vec<f64>,
    centre: Vec<f64>,
    left: usize,
    built: usize,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    /// The two nodes below, which stand side by side; none of a leaf.
    below: [u32; 2],
    /// The block of a leaf.
    block: u32,
    /// The first place of a leaf.
    first: u32,
    /// How many points are left.
    n: u32,
    /// The square of the largest distance from the centre.
    reach: f64,
}

/// A point at a distance; of two, the one that a scan would keep last is the larger.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    distance: f64,
    point: u32,
}
impl Eq for Found {}
impl Ord for Found {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.distance.total_cmp(&other.distance).then(self.point.cmp(&other.point))
    }
}
impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Nearest<'a> {
    /// Index all points.
    pub fn new(points: &'a Points) -> Self {
        let all: Vec<u32> = (0..points.n() as u32).collect();
        let mut index = Nearest {
            points,
            order: Vec::new(),
            at: Vec::new(),
            place: vec![NONE; points.n()],
            nodes: Vec::new(),
            boxes: Vec::new(),
            centre: Vec::new(),
            left: 0,
            built: 0,
        };
        index.build(all);
        index
    }

    /// How many points are left.
    pub fn len(&self) -> usize {
        self.left
    }

    /// Whether no point is left.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Whether a point is left.
    pub fn has(&self, point: u32) -> bool {
        let place = self.place[point as usize];
        let is_known = self.order.get(place as usize) == Some(&point);
        is_known && {
            let Node { first, n, .. } = self.nodes[self.leaf_of(place as usize)];
            place < first + n
        }
    }

    /// The points that are left, by their numbers.
    pub fn rest(&self) -> Vec<u32> {
        let leaves = self.nodes.iter().filter(|node| node.below[0] == NONE);
        let mut rest: Vec<u32> = leaves
            .flat_map(|node| &self.order[node.first as usize..(node.first + node.n) as usize])
            .copied()
            .collect();
        rest.sort_unstable();
        rest
    }

    fn build(&mut self, mut points: Vec<u32>) {
        let d = self.points.d;
        (self.left, self.built) = (points.len(), points.len());
        let mut centre = vec![0.0; d];
        for point in &points {
            centre.iter_mut().zip(self.points.get(*point)).for_each(|(c, x)| *c += x);
        }
        centre.iter_mut().for_each(|c| *c /= points.len().max(1) as f64);
        self.centre = centre;
        self.nodes.clear();
        self.boxes.clear();
        self.at.clear();
        self.node(NONE, 0, points.len());
        self.divide(0, &mut points);
        points.iter().enumerate().for_each(|(at, point)| self.place[*point as usize] = at as u32);
        self.order = points;
        // Children stand behind their parents.
        for node in (0..self.nodes.len()).rev() {
            self.measure(node);
        }
    }

    /// Add a node of so many points, which isn't divided yet.
    fn node(&mut self, parent: u32, first: usize, n: usize) -> u32 {
        let (first, n) = (first as u32, n as u32);
        self.nodes.push(Node { parent, below: [NONE; 2], block: NONE, first, n, reach: 0.0 });
        self.boxes.extend(std::iter::repeat_n(0.0, 2 * self.points.d));
        self.nodes.len() as u32 - 1
    }

    /// Divide the points of a node at the median of their widest column.
    fn divide(&mut self, node: u32, points: &mut [u32]) {
        let all = self.points;
        if points.len() <= LEAF {
            self.nodes[node as usize].block = (self.at.len() / (LEAF * all.d).max(1)) as u32;
            for c in 0..all.d {
                self.at.extend(points.iter().map(|point| all.get(*point)[c]));
                self.at.extend(std::iter::repeat_n(0.0, LEAF - points.len()));
            }
            return;
        }
        let column = |place: usize| points.iter().map(move |point| all.get(*point)[place]);
        let width = |place: usize| {
            let high = column(place).fold(f64::NEG_INFINITY, f64::max);
            high - column(place).fold(f64::INFINITY, f64::min)
        };
        let widths: Vec<f64> = (0..all.d).map(width).collect();
        let widest = (0..all.d).max_by(|a, b| widths[*a].total_cmp(&widths[*b])).unwrap_or(0);
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |a, b| {
            all.get(*a)[widest].total_cmp(&all.get(*b)[widest]).then(a.cmp(b))
        });
        let first = self.nodes[node as usize].first as usize;
        let (low, high) = points.split_at_mut(middle);
        let below =
            [self.node(node, first, low.len()), self.node(node, first + middle, high.len())];
        self.nodes[node as usize].below = below;
        self.divide(below[0], low);
        self.divide(below[1], high);
    }

    /// The box and the reach of a node, from its points or from the nodes below.
    fn measure(&mut self, node: usize) {
        let d = self.points.d;
        let Node { below, block, n, .. } = self.nodes[node];
        let (before, after) = self.boxes.split_at_mut(2 * d * (node + 1));
        let own = &mut before[2 * d * node..];
        own[..d].fill(f64::INFINITY);
        own[d..].fill(f64::NEG_INFINITY);
        let mut reach = 0.0f64;
        if below[0] == NONE {
            let block = &self.at[block as usize * LEAF * d..][..LEAF * d];
            for (c, column) in block.chunks_exact(LEAF).enumerate() {
                for x in &column[..n as usize] {
                    own[c] = own[c].min(*x);
                    own[d + c] = own[d + c].max(*x);
                }
            }
            let far = distances(block, &self.centre);
            reach = far[..n as usize].iter().copied().fold(0.0, f64::max);
        } else {
            for child in below {
                let start = 2 * d * (child as usize - node - 1);
                let other = &after[start..start + 2 * d];
                for c in 0..d {
                    own[c] = own[c].min(other[c]);
                    own[d + c] = own[d + c].max(other[d + c]);
                }
                reach = reach.max(self.nodes[child as usize].reach);
            }
        }
        self.nodes[node].reach = reach;
    }

    /// A point goes.
    pub fn remove(&mut self, point: u32) {
        let d = self.points.d;
        let place = self.place[point as usize] as usize;
        let mut node = self.leaf_of(place);
        let Node { first, n, block, .. } = self.nodes[node];
        let last = (first + n - 1) as usize;
        let moved = self.order[last];
        self.order.swap(place, last);
        for c in 0..d {
            let column = (block as usize * d + c) * LEAF;
            self.at.swap(column + place - first as usize, column + last - first as usize);
        }
        self.place[moved as usize] = place as u32;
        self.place[point as usize] = last as u32;
        self.left -= 1;
        let mut changes = true;
        loop {
            self.nodes[node].n -= 1;
            if changes {
                let before: Vec<f64> = self.boxes[2 * d * node..2 * d * (node + 1)].to_vec();
                let reach = self.nodes[node].reach;
                self.measure(node);
                changes = reach != self.nodes[node].reach
                    || before != self.boxes[2 * d * node..2 * d * (node + 1)];
            }
            match self.nodes[node].parent {
                NONE => break,
                parent => node = parent as usize,
            }
        }
        if self.left * 2 < self.built && self.left > 4 * LEAF {
            let rest = self.rest();
            self.build(rest);
        }
    }

    /// The leaf that has a place.
    fn leaf_of(&self, place: usize) -> usize {
        let mut node = 0;
        while self.nodes[node].below[0] != NONE {
            let [low, high] = self.nodes[node].below;
            node = match self.nodes[high as usize].first as usize <= place {
                true => high as usize,
                false => low as usize,
            };
        }
        node
    }

    /// The point that is farthest from some numbers.
    pub fn farthest(&self, from: &[f64]) -> Option<u32> {
        let offset: Vec<f64> = from.iter().zip(&self.centre).map(|(x, c)| x - c).collect();
        let away = offset.iter().map(|x| x * x).sum::<f64>();
        let mut best: Option<Found> = None;
        if !self.is_empty() {
            let bound = self.most(0, from, &offset, away);
            self.farther((0, bound), from, (&offset, away), &mut best);
        }
        best.map(|found| found.point)
    }

    /// A bound on the distance of the points of a node from some numbers, and the tighter one of
    /// two: by the box, or by how far its points are from the centre and in which direction.
    fn most(&self, node: usize, from: &[f64], offset: &[f64], away: f64) -> f64 {
        let d = self.points.d;
        let (low, high) = self.boxes[2 * d * node..2 * d * (node + 1)].split_at(d);
        let (mut by_box, mut along) = (0.0, 0.0);
        for c in 0..d {
            let (a, b) = (from[c] - low[c], from[c] - high[c]);
            by_box += (a * a).max(b * b);
            let (a, b) = (low[c] - self.centre[c], high[c] - self.centre[c]);
            along += (a * offset[c]).min(b * offset[c]);
        }
        let reach = self.nodes[node].reach;
        let by_centre = reach + away - 2.0 * along;
        by_box.min(by_centre + SLACK * (reach + away + along.abs()))
    }

    fn farther(
        &self,
        (node, bound): (usize, f64),
        from: &[f64],
        (offset, away): (&[f64], f64),
        best: &mut Option<Found>,
    ) {
        if best.is_some_and(|best| bound < best.distance) {
            return;
        }
        let Node { below, first, n, block, .. } = self.nodes[node];
        if below[0] == NONE {
            let there = &self.order[first as usize..(first + n) as usize];
            for (point, distance) in there.iter().zip(self.of_leaf(block, from)) {
                let found = Found { distance, point: *point };
                let is_better = |best: &Found| {
                    found.distance > best.distance
                        || found.distance == best.distance && found.point < best.point
                };
                if best.as_ref().is_none_or(is_better) {
                    *best = Some(found);
                }
            }
            return;
        }
        let mut below = below.map(|child| {
            let child = child as usize;
            let is_left = self.nodes[child].n > 0;
            (child, if is_left { self.most(child, from, offset, away) } else { f64::NAN })
        });
        if below[0].1 < below[1].1 {
            below.swap(0, 1);
        }
        for (child, bound) in below.into_iter().filter(|(_, bound)| !bound.is_nan()) {
            self.farther((child, bound), from, (offset, away), best);
        }
    }

    /// The `k` points that are nearest to some numbers, the nearest first.
    pub fn nearest(&self, to: &[f64], k: usize) -> Vec<u32> {
        let mut heap: BinaryHeap<Found> = BinaryHeap::with_capacity(k + 1);
        if k > 0 && !self.is_empty() {
            let bound = self.least(0, to);
            self.nearer((0, bound), to, k, &mut heap);
        }
        heap.into_sorted_vec().into_iter().map(|found| found.point).collect()
    }

    fn least(&self, node: usize, to: &[f64]) -> f64 {
        let d = self.points.d;
        let (low, high) = self.boxes[2 * d * node..2 * d * (node + 1)].split_at(d);
        let mut sum = 0.0;
        for c in 0..d {
            let out = (low[c] - to[c]).max(to[c] - high[c]).max(0.0);
            sum += out * out;
        }
        sum
    }

    fn nearer(
        &self,
        (node, bound): (usize, f64),
        to: &[f64],
        k: usize,
        heap: &mut BinaryHeap<Found>,
    ) {
        if heap.len() == k && heap.peek().is_some_and(|worst| bound > worst.distance) {
            return;
        }
        let Node { below, first, n, block, .. } = self.nodes[node];
        if below[0] == NONE {
            let there = &self.order[first as usize..(first + n) as usize];
            for (point, distance) in there.iter().zip(self.of_leaf(block, to)) {
                let found = Found { distance, point: *point };
                if heap.len() < k {
                    heap.push(found);
                } else if let Some(mut worst) = heap.peek_mut()
                    && found < *worst
                {
                    *worst = found;
                }
            }
            return;
        }
        let mut below = below.map(|child| {
            let child = child as usize;
            let is_left = self.nodes[child].n > 0;
            (child, if is_left { self.least(child, to) } else { f64::NAN })
        });
        if below[1].1 < below[0].1 {
            below.swap(0, 1);
        }
        for (child, bound) in below.into_iter().filter(|(_, bound)| !bound.is_nan()) {
            self.nearer((child, bound), to, k, heap);
        }
    }

    /// The distances of the points of a leaf, in their order.
    #[inline]
    fn of_leaf(&self, block: u32, to: &[f64]) -> [f64; LEAF] {
        let length = LEAF * self.points.d;
        distances(&self.at[block as usize * length..][..length], to)
    }
}

/// The distances of all points of a block: the same sums in the same order as [`squared`] computes
/// for each of them alone.
///
/// [`squared`]: super::points::squared
#[inline]
fn distances(block: &[f64], to: &[f64]) -> [f64; LEAF] {
    let mut sums = [0.0; LEAF];
    let (columns, _) = block.as_chunks::<LEAF>();
    for (column, x) in columns.iter().zip(to) {
        for (sum, at) in sums.iter_mut().zip(column) {
            *sum += (at - x) * (at - x);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::points::squared;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        /// Small whole numbers have many points at the same distance.
        #[test]
        fn finds_what_a_scan_finds(
            at in prop::collection::vec(-3i32..4, 3..600),
            asked in prop::collection::vec(-4i32..5, 3),
            gone in prop::collection::vec(0usize..1000, 0..190),
            k in 1usize..9,
        ) {
            let d = 3;
            let n = at.len() / d;
            let at: Vec<f64> = at[..n * d].iter().map(|x| f64::from(*x)).collect();
            let points = Points { d, at };
            let mut index = Nearest::new(&points);
            let mut left: Vec<u32> = (0..n as u32).collect();
            let asked: Vec<f64> = asked.iter().map(|x| f64::from(*x) + 0.5).collect();
            for place in gone.iter().take(n - 1) {
                let point = left.remove(place % left.len());
                index.remove(point);
                let mut by_scan: Vec<Found> = left
                    .iter()
                    .map(|point| Found {
                        distance: squared(points.get(*point), &asked),
                        point: *point,
                    })
                    .collect();
                by_scan.sort_unstable();
                let most = by_scan.last().unwrap().distance;
                let far = by_scan.iter().find(|found| found.distance == most).unwrap().point;
                prop_assert_eq!(index.farthest(&asked), Some(far));
                let near: Vec<u32> = by_scan.iter().take(k).map(|found| found.point).collect();
                prop_assert_eq!(index.nearest(&asked, k), near);
                prop_assert_eq!(index.rest(), left.clone());
            }
        }
    }
}
