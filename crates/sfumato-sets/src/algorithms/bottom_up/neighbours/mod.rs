//! Who is near a growing cluster: all points, a random sample, or the buckets of an index.

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

/// Finds points for a cluster among those that are left. Points leave and don't come back.
pub trait Neighbours<C: Code> {
    /// A point that has little in common with another.
    fn distant(&mut self, points: &Points<'_, C>, from: usize) -> Option<usize>;
    /// A cluster begins with a point, which has left.
    fn begin(&mut self, points: &Points<'_, C>, first: usize, common: &Common);
    /// A point that has as much in common with the cluster as can be found.
    fn nearest(&mut self, points: &Points<'_, C>, common: &Common) -> Option<usize>;
    /// A point has no copies left.
    fn remove(&mut self, point: usize);
}

/// How far two points are apart: what one of them has and the other hasn't. All but the worth of
/// the point that is searched from.
fn distance<C: Code>(points: &Points<'_, C>, from: &Common, point: usize) -> f64 {
    points.worth[point] - 2.0 * points.common(from, point)
}

/// The points that are left.
pub struct Left {
    /// Those left and some that aren't, in order.
    list: Vec<u32>,
    gone: Vec<bool>,
    n_gone: usize,
}

impl Left {
    /// All of them.
    pub fn new(n: usize) -> Self {
        Left { list: (0..n as u32).collect(), gone: vec![false; n], n_gone: 0 }
    }
    /// One leaves. Lists are swept when an eighth has left, so that scans stay short.
    pub fn remove(&mut self, point: usize) {
        self.gone[point] = true;
        self.n_gone += 1;
        if self.n_gone * 8 > self.list.len() {
            self.list.retain(|point| !self.gone[*point as usize]);
            self.n_gone = 0;
        }
    }
    /// Those left, and some that aren't.
    pub fn list(&self) -> &[u32] {
        &self.list
    }
    /// Whether a point has left.
    #[inline]
    pub fn is_gone(&self, point: u32) -> bool {
        self.gone[point as usize]
    }
    /// A random one that is left.
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
    /// The best of a random sample of those left; equal values go to the lower number.
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
