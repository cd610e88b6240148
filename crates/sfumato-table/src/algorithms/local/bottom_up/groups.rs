//! The groups of a bottom-up run, laid out so that one scan over all of them is fast.

use super::halve;
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::points::{Points, grow, least};
use crate::algorithms::shared::space::Bounds;

/// How many neighbours in the order of codes are examined first: one of them is nearly as good as
/// the best, so that most others are given up after a column or two.
const NEIGHBOURS: usize = 48;

/// A tolerance, so that rounding doesn't make two equal prices unequal when a bound on a sum is
/// made from a bound on a product.
const SLACK: f64 = 1e-12;

/// Groups with their regions.
pub struct Groups<'a> {
    points: &'a Points<'a>,
    judge: &'a Judge<'a>,
    point_of_row: Vec<u32>,
    /// The regions, flat: as many entries for each group as there are columns.
    regions: Vec<Bounds>,
    /// The number of rows of each group; 0 for a group that was merged into another.
    weights: Vec<usize>,
    /// The total cost of the records of each group.
    costs: Vec<f64>,
    rows: Vec<Vec<u32>>,
    holds: Vec<bool>,
    settled: usize,
    by_growth: bool,
}

impl<'a> Groups<'a> {
    /// Make one group for each distinct record. With `by_growth`, a union is priced by what it adds
    /// to the cost of the other group.
    pub fn new(points: &'a Points<'a>, judge: &'a Judge<'a>, by_growth: bool) -> Self {
        let mut groups = Groups {
            points,
            judge,
            point_of_row: points.of_rows(),
            regions: Vec::with_capacity(points.len() * points.n_columns()),
            weights: Vec::with_capacity(points.len()),
            costs: Vec::with_capacity(points.len()),
            rows: Vec::with_capacity(points.len()),
            holds: Vec::with_capacity(points.len()),
            settled: 0,
            by_growth,
        };
        for point in 0..points.len() {
            groups.push(points.region(point).to_vec(), points.rows(point).to_vec());
        }
        groups
    }

    fn push(&mut self, region: Vec<Bounds>, rows: Vec<u32>) {
        let holds = self.judge.holds(&rows);
        self.settled += if holds { rows.len() } else { 0 };
        self.costs.push(self.points.price(&region) * rows.len() as f64);
        self.regions.extend(region);
        self.weights.push(rows.len());
        self.holds.push(holds);
        self.rows.push(rows);
    }

    /// The number of places, including those of merged groups.
    pub fn len(&self) -> usize {
        self.weights.len()
    }
    /// Whether a group may be published.
    pub fn holds(&self, group: usize) -> bool {
        self.holds[group]
    }
    /// Whether a group was merged into another.
    pub fn is_merged(&self, group: usize) -> bool {
        self.weights[group] == 0
    }
    /// The number of rows in groups that may be published.
    pub fn settled(&self) -> usize {
        self.settled
    }
    /// The rows of each group.
    pub fn into_rows(self) -> Vec<Vec<u32>> {
        self.rows
    }

    fn region(&self, group: usize) -> &[Bounds] {
        let columns = self.points.n_columns();
        &self.regions[group * columns..(group + 1) * columns]
    }

    /// Remove the places of merged groups; the others keep their order.
    pub fn forget_merged(&mut self) {
        let kept: Vec<usize> = (0..self.len()).filter(|&group| !self.is_merged(group)).collect();
        let regions = kept.iter().flat_map(|&group| self.region(group).to_vec()).collect();
        self.regions = regions;
        self.rows = kept.iter().map(|&group| std::mem::take(&mut self.rows[group])).collect();
        self.holds = kept.iter().map(|&group| self.holds[group]).collect();
        self.costs = kept.iter().map(|&group| self.costs[group]).collect();
        self.weights = kept.iter().map(|&group| self.weights[group]).collect();
    }

    /// The group whose union with this one costs or grows least, the first of equal ones.
    pub fn cheapest_partner(&self, group: usize) -> Option<usize> {
        let price = |other: usize, bound: f64| {
            if other == group || self.is_merged(other) {
                return f64::INFINITY;
            }
            let weight = (self.weights[group] + self.weights[other]) as f64;
            // What the other group costs already isn't the fault of this one.
            let before = if self.by_growth { self.costs[other] } else { 0.0 };
            let most = (bound + before) / weight;
            let union = self.points.hull_price(
                self.region(group),
                self.region(other),
                most + most.abs() * SLACK,
            );
            union * weight - before
        };
        let first = group.saturating_sub(NEIGHBOURS);
        let near = NEIGHBOURS * 2 + 1;
        let known =
            least(near.min(self.len() - first), None, |place, bound| price(first + place, bound));
        let known = known.map(|(price, place)| (price, first + place));
        least(self.len(), known, price).map(|(_, other)| other)
    }

    /// Merge two groups, in the place of the first.
    pub fn merge(&mut self, group: usize, other: usize) {
        let rows = std::mem::take(&mut self.rows[other]);
        let region = self.region(other).to_vec();
        for part in [group, other] {
            self.settled -= if self.holds[part] { self.weights[part] } else { 0 };
        }
        (self.weights[other], self.holds[other]) = (0, false);
        self.rows[group].extend(rows);
        let columns = self.points.n_columns();
        grow(&mut self.regions[group * columns..(group + 1) * columns], &region);
        self.weights[group] = self.rows[group].len();
        self.costs[group] = self.points.price(self.region(group)) * self.weights[group] as f64;
        self.holds[group] = self.judge.holds(&self.rows[group]);
        self.settled += if self.holds[group] { self.weights[group] } else { 0 };
    }

    /// Split a group as often as it is large enough for two.
    pub fn split_if_large(&mut self, group: usize) {
        let halve = |rows: &[u32]| halve::halve(self.points, self.judge, &self.point_of_row, rows);
        if !self.holds[group] || self.weights[group] < 2 * self.judge.min_rows {
            return;
        }
        let mut parts = Vec::new();
        let mut rest = std::mem::take(&mut self.rows[group]);
        while let Some((part, left)) = halve(&rest) {
            parts.push(part);
            rest = left;
        }
        if parts.is_empty() {
            self.rows[group] = rest;
            return;
        }
        parts.push(rest);
        self.settled -= self.weights[group];
        (self.weights[group], self.holds[group]) = (0, false);
        for rows in parts {
            let mut region =
                self.points.region(self.point_of_row[rows[0] as usize] as usize).to_vec();
            rows.iter().for_each(|&row| {
                grow(&mut region, self.points.region(self.point_of_row[row as usize] as usize));
            });
            self.push(region, rows);
        }
    }
}
