//! Searches for points near a growing cluster: among all points, in a random sample, or in the
//! buckets of an index.

mod ahead;
mod all;
mod lsh;
mod probes;
mod sample;
mod search;

pub use self::ahead::Ahead;
pub use self::all::All;
pub use self::lsh::Lsh;
pub use self::probes::{PROBES, Probes};
pub use self::sample::Sample;
pub use self::search::Search;

use sfumato_core::column::Code;

use super::points::{Common, Points};

/// Finds points for a cluster among those that remain. Removed points never return.
pub trait Neighbours<C: Code> {
    /// Find a point that has little in common with another.
    fn distant(&mut self, points: &Points<'_, C>, from: usize) -> Option<usize>;
    /// Begin a cluster with a point that was removed.
    fn begin(&mut self, points: &Points<'_, C>, first: usize, common: &Common);
    /// Find a point that has as much in common with the cluster as possible.
    fn nearest(&mut self, points: &Points<'_, C>, common: &Common) -> Option<usize>;
    /// Remove a point that has no copies left.
    fn remove(&mut self, point: usize);
}

/// The distance of two points: the utility of the items that one has and the other hasn't, up to
/// the utility of the point that is searched from.
fn distance<C: Code>(points: &Points<'_, C>, from: &Common, point: usize) -> f64 {
    points.worth[point] - 2.0 * points.common(from, point)
}

/// The points that remain.
pub struct Left {
    /// The remaining points and some removed ones, in order.
    list: Vec<u32>,
    gone: Vec<bool>,
    n_gone: usize,
}

impl Left {
    /// All of `n` points remain.
    pub fn new(n: usize) -> Self {
        Left { list: (0..n as u32).collect(), gone: vec![false; n], n_gone: 0 }
    }
    /// Remove a point. The list is cleaned up when an eighth was removed, so that scans stay short.
    pub fn remove(&mut self, point: usize) {
        self.gone[point] = true;
        self.n_gone += 1;
        if self.n_gone * 8 > self.list.len() {
            self.list.retain(|point| !self.gone[*point as usize]);
            self.n_gone = 0;
        }
    }
    /// The remaining points and some removed ones.
    pub fn list(&self) -> &[u32] {
        &self.list
    }
    /// Whether a point was removed.
    #[inline]
    pub fn is_gone(&self, point: u32) -> bool {
        self.gone[point as usize]
    }
    /// A random one of the remaining points.
    pub fn draw(&self, random: &mut sfumato_kernels::seeded::Seeded) -> Option<usize> {
        if self.n_gone == self.list.len() {
            return None;
        }
        loop {
            let point = self.list[random.below(self.list.len())];
            if !self.gone[point as usize] {
                return Some(point as usize);
            }
        }
    }
    /// The best of a random sample of the remaining points. Of equal ones the lower number wins.
    pub fn best_of(
        &self,
        sample: usize,
        random: &mut sfumato_kernels::seeded::Seeded,
        value: impl Fn(usize) -> f64,
    ) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for _ in 0..sample {
            let point = self.draw(random)?;
            let value = value(point);
            if best.is_none_or(|(most, other)| value > most || (value == most && point < other)) {
                best = Some((value, point));
            }
        }
        best.map(|(_, point)| point)
    }
}
