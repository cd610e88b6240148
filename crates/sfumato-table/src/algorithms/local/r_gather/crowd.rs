//! A set of records to be clustered, in which equal records are one member, and the distance within
//! which each has enough others.

use rayon::prelude::*;
use sfumato_core::Result;

use crate::algorithms::shared::points::Points;
use crate::algorithms::shared::progress::Progress;

/// The number of points after which the algorithm checks whether the user asked to stop.
const BATCH: usize = 1024;
/// How many neighbours in the order of codes are examined first, for a bound on the others.
const NEIGHBOURS: usize = 64;

/// Some rows of some points.
#[derive(Clone)]
pub struct Crowd<'a> {
    points: &'a Points<'a>,
    members: Vec<(u32, Vec<u32>)>,
}

/// The result of a run of the algorithm.
pub struct Gathered<'a> {
    /// Clusters, each of at least r rows if there are that many.
    pub clusters: Vec<Crowd<'a>>,
    /// Rows without a cluster.
    pub outliers: Vec<u32>,
    /// The largest distance of a record from the centre of its cluster.
    pub radius: f64,
    /// The bound of the radius by the analysis.
    pub bound: f64,
}

impl<'a> Crowd<'a> {
    /// All rows of all points.
    pub fn all(points: &'a Points<'a>) -> Self {
        let members =
            (0..points.len()).map(|point| (point as u32, points.rows(point).to_vec())).collect();
        Crowd { points, members }
    }

    /// A crowd of some rows of some members: `(member, from, to)`.
    pub fn some(&self, parts: impl Iterator<Item = (usize, usize, usize)>) -> Self {
        let part = |(member, from, to): (usize, usize, usize)| {
            (self.members[member].0, self.members[member].1[from..to].to_vec())
        };
        let mut members: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut parts: Vec<_> = parts.filter(|(_, from, to)| from < to).collect();
        parts.sort_unstable();
        for (point, rows) in parts.into_iter().map(part) {
            match members.last_mut() {
                Some((last, all)) if *last == point => all.extend(rows),
                _ => members.push((point, rows)),
            }
        }
        Crowd { points: self.points, members }
    }

    /// The number of distinct records.
    pub fn len(&self) -> usize {
        self.members.len()
    }
    /// The number of rows of a member.
    pub fn weight_of(&self, member: usize) -> usize {
        self.members[member].1.len()
    }
    /// The number of rows.
    pub fn weight(&self) -> usize {
        self.members.iter().map(|(_, rows)| rows.len()).sum()
    }
    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.members.iter().flat_map(|(_, rows)| rows.iter().copied())
    }

    /// The distance of two members; infinite if it is above a bound.
    #[inline]
    pub fn distance(&self, a: usize, b: usize, bound: f64) -> f64 {
        let region = |member: usize| self.points.region(self.members[member].0 as usize);
        self.points.hull_price(region(a), region(b), bound)
    }

    /// The members within a distance, with their distances, in order.
    pub fn within(&self, centre: usize, most: f64) -> Vec<(u32, f64)> {
        let near = |other: usize| {
            let distance = self.distance(centre, other, most);
            (distance <= most).then_some((other as u32, distance))
        };
        (0..self.len()).into_par_iter().with_min_len(2048).filter_map(near).collect()
    }

    /// For each member the distance within which there are `r` rows, including its own; infinite if
    /// there are fewer in total.
    pub fn reaches(&self, r: usize, progress: &mut Progress<'_>) -> Result<Vec<f64>> {
        let mut reaches = Vec::with_capacity(self.len());
        while reaches.len() < self.len() {
            let end = (reaches.len() + BATCH).min(self.len());
            reaches.par_extend(
                (reaches.len()..end).into_par_iter().map(|member| self.reach(member, r)),
            );
            progress.reach(0)?;
        }
        Ok(reaches)
    }

    fn reach(&self, member: usize, r: usize) -> f64 {
        // The nearest members that make up r rows, by distance.
        let mut near: Vec<(f64, usize)> = Vec::new();
        let mut rows = 0;
        let mut bound = f64::INFINITY;
        let (lo, hi) = (member.saturating_sub(NEIGHBOURS), (member + NEIGHBOURS).min(self.len()));
        for other in (lo..hi).chain(0..lo).chain(hi..self.len()) {
            let distance = self.distance(member, other, bound);
            if distance >= bound {
                continue;
            }
            let place = near.partition_point(|(d, _)| *d <= distance);
            near.insert(place, (distance, self.weight_of(other)));
            rows += self.weight_of(other);
            while let Some(&(_, weight)) = near.last()
                && rows - weight >= r
            {
                near.pop();
                rows -= weight;
            }
            if rows >= r {
                bound = near.last().map_or(f64::INFINITY, |(distance, _)| *distance);
            }
        }
        if rows >= r { bound } else { f64::INFINITY }
    }
}
