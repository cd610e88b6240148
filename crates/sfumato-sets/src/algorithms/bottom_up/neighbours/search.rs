//! One search in an index: the candidates for one cluster as it grows. Threads can share the index,
//! each with a search of its own.

use sfumato_core::column::Code;

use super::Ahead;
use super::Probes;
use crate::algorithms::bottom_up::lsh::{Index, Size};
use crate::algorithms::bottom_up::points::{Common, Points};

/// A search, which is used again for the next cluster.
pub struct Search {
    probes: Probes,
    /// Neighbouring buckets are examined as long as there are fewer candidates than this.
    enough: usize,
    /// How many more candidates are looked for if the cluster would lose much.
    queries: usize,
    ahead: Ahead,
    /// For each point, the last search in which it became a candidate.
    seen: Vec<u32>,
    number: u32,
    /// Members whose buckets weren't examined yet.
    joined: Vec<usize>,
    /// The member whose buckets were examined last.
    last: usize,
}

impl Search {
    /// A search among `n` points.
    pub fn new(n: usize, size: Size, probes: Probes) -> Self {
        let (queries, seen) = (size.queries, vec![0; n]);
        let enough = queries.div_ceil(5);
        Search {
            probes,
            enough,
            queries,
            ahead: Ahead::default(),
            seen,
            number: 0,
            joined: Vec::new(),
            last: 0,
        }
    }

    /// Begin a cluster with a point.
    pub fn begin<C: Code>(
        &mut self,
        index: &Index,
        points: &Points<'_, C>,
        first: usize,
        common: &Common,
    ) {
        self.number += 1;
        self.ahead.clear();
        self.joined.clear();
        self.last = first;
        self.seen[first] = self.number;
        index.buckets(first).for_each(|bucket| self.look(bucket, points, common));
        if self.probes == Probes::Cluster {
            for bucket in index.near_buckets(first) {
                if self.ahead.len() >= self.enough {
                    break;
                }
                self.look(bucket, points, common);
            }
        }
    }

    /// Remove and return the best candidate for the cluster. `None` if the buckets have no other
    /// point.
    pub fn nearest<C: Code>(
        &mut self,
        index: &Index,
        points: &Points<'_, C>,
        common: &Common,
    ) -> Option<usize> {
        let whole = common.worth();
        let mut found = self.ahead.pop(points, common);
        // A point that has all common items of the cluster can't be beaten. Otherwise the buckets
        // of members may have a better one.
        if self.probes == Probes::Cluster && found.is_none_or(|(worth, _)| worth < whole) {
            self.give_back(found, points, common);
            for member in std::mem::take(&mut self.joined) {
                index.buckets(member).for_each(|bucket| self.look(bucket, points, common));
                self.last = member;
            }
            found = self.ahead.pop(points, common);
            // Half is much to lose: then buckets beside the last member's are worth their time.
            if found.is_none_or(|(worth, _)| worth < whole / 2.0) {
                self.give_back(found, points, common);
                let before = self.ahead.len();
                for bucket in index.near_buckets(self.last) {
                    if self.ahead.len() >= before + self.queries {
                        break;
                    }
                    self.look(bucket, points, common);
                }
                found = self.ahead.pop(points, common);
            }
        }
        let point = found?.1 as usize;
        self.joined.push(point);
        Some(point)
    }

    fn give_back<C: Code>(
        &mut self,
        found: Option<(f64, u32)>,
        points: &Points<'_, C>,
        common: &Common,
    ) {
        if let Some((_, point)) = found {
            self.ahead.push(points, common, point);
        }
    }

    /// Make every point a candidate that never was one.
    pub fn look_everywhere<C: Code>(&mut self, points: &Points<'_, C>, common: &Common) {
        (0..points.len() as u32).for_each(|point| self.look(&[point], points, common));
    }

    /// Make those points of a bucket candidates that never were.
    fn look<C: Code>(&mut self, bucket: &[u32], points: &Points<'_, C>, common: &Common) {
        for point in bucket {
            if std::mem::replace(&mut self.seen[*point as usize], self.number) != self.number {
                self.ahead.push(points, common, *point);
            }
        }
    }
}
