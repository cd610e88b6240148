//! Repairs groups that can't be published: they take records from a group that can spare them, or
//! merge with another, whichever costs less.

use sfumato_core::Result;

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::points::{Points, grow, least};
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::Bounds;

struct Group {
    /// The rows. Empty if the group was merged into another.
    rows: Vec<u32>,
    region: Vec<Bounds>,
    /// The cost of a record of the group.
    price: f64,
    holds: bool,
}

impl Group {
    fn cost(&self) -> f64 {
        self.price * self.rows.len() as f64
    }
}

/// The groups that splitting left.
pub struct Groups<'a> {
    points: &'a Points<'a>,
    judge: &'a Judge<'a>,
    point_of_row: Vec<u32>,
    groups: Vec<Group>,
}

impl<'a> Groups<'a> {
    /// An empty list of groups.
    pub fn new(points: &'a Points<'a>, judge: &'a Judge<'a>) -> Self {
        Groups { points, judge, point_of_row: points.of_rows(), groups: Vec::new() }
    }

    /// Add a group of at least one row.
    pub fn push(&mut self, rows: Vec<u32>) {
        let group = self.group(rows);
        self.groups.push(group);
    }

    /// The rows of each group.
    pub fn into_rows(self) -> Vec<Vec<u32>> {
        self.groups.into_iter().map(|group| group.rows).collect()
    }

    fn region_of(&self, row: u32) -> &[Bounds] {
        self.points.region(self.point_of_row[row as usize] as usize)
    }

    fn group(&self, rows: Vec<u32>) -> Group {
        let mut region = self.region_of(rows[0]).to_vec();
        rows.iter().for_each(|&row| grow(&mut region, self.region_of(row)));
        let price = self.points.price(&region);
        let holds = self.judge.holds(&rows);
        Group { rows, region, price, holds }
    }

    /// Repair every group that fails, as far as possible.
    pub fn repair(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let mut waiting: std::collections::VecDeque<usize> =
            (0..self.groups.len()).filter(|&place| !self.groups[place].holds).collect();
        while let Some(small) = waiting.pop_front() {
            progress.reach(self.settled())?;
            if self.groups[small].rows.is_empty() || self.groups[small].holds {
                continue;
            }
            let merged =
                least(self.groups.len(), None, |place, bound| self.merged(small, place, bound));
            let fetched =
                least(self.groups.len(), None, |place, bound| self.fetched(small, place, bound));
            let cheaper = |fetched: &(f64, usize)| merged.is_none_or(|merged| fetched.0 < merged.0);
            if let Some((_, giver)) = fetched.filter(cheaper)
                && self.fetch(small, giver)
            {
                continue;
            }
            let Some((_, other)) = merged else { break };
            let mut rows = std::mem::take(&mut self.groups[small].rows);
            rows.append(&mut self.groups[other].rows);
            self.groups[other].holds = false;
            self.groups[small] = self.group(rows);
            if !self.groups[small].holds {
                waiting.push_back(small);
            }
        }
        Ok(())
    }

    /// How many rows are in groups that may be published.
    fn settled(&self) -> usize {
        self.groups.iter().filter(|group| group.holds).map(|group| group.rows.len()).sum()
    }

    /// The additional cost of merging two groups.
    fn merged(&self, small: usize, place: usize, bound: f64) -> f64 {
        let (small_group, other) = (&self.groups[small], &self.groups[place]);
        if small == place || other.rows.is_empty() {
            return f64::INFINITY;
        }
        let size = (small_group.rows.len() + other.rows.len()) as f64;
        let before = small_group.cost() + other.cost();
        let most = (bound + before) / size;
        self.points.hull_price(&small_group.region, &other.region, most + most.abs() * 1e-12) * size
            - before
    }

    /// The smallest number of rows that a group must take.
    fn need(&self, small: usize) -> usize {
        self.judge.min_rows.saturating_sub(self.groups[small].rows.len()).max(1)
    }

    /// The additional cost of taking the nearest rows of a group. That the giving group may become
    /// cheaper isn't counted.
    fn fetched(&self, small: usize, place: usize, bound: f64) -> f64 {
        let (small_group, giver) = (&self.groups[small], &self.groups[place]);
        let need = self.need(small);
        if small == place || !giver.holds || giver.rows.len() < self.judge.min_rows + need {
            return f64::INFINITY;
        }
        let size = (small_group.rows.len() + need) as f64;
        let before = small_group.cost() + giver.price * need as f64;
        let most = (bound + before) / size;
        let mut near = self.nearest(small, place, most + most.abs() * 1e-12);
        if near.len() < need {
            return f64::INFINITY;
        }
        near.truncate(need);
        let mut region = small_group.region.clone();
        near.iter().for_each(|&(_, row)| grow(&mut region, self.region_of(row)));
        self.points.price(&region) * size - before
    }

    /// The rows of a group in the order of their distance from a small group, up to a price.
    fn nearest(&self, small: usize, place: usize, most: f64) -> Vec<(f64, u32)> {
        let region = &self.groups[small].region;
        let price = |&row: &u32| (self.points.hull_price(region, self.region_of(row), most), row);
        let rows = self.groups[place].rows.iter().map(price);
        let mut near: Vec<(f64, u32)> = rows.filter(|(price, _)| *price < f64::INFINITY).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near
    }

    /// Move as many of the nearest rows of a group as a small one needs. Nothing is moved if one of
    /// the two would fail.
    fn fetch(&mut self, small: usize, giver: usize) -> bool {
        let mut rows = self.groups[small].rows.clone();
        let mut near = self.nearest(small, giver, f64::INFINITY).into_iter().map(|(_, row)| row);
        rows.extend(near.by_ref().take(self.need(small)));
        while !self.judge.holds(&rows) && near.len() > self.judge.min_rows {
            rows.extend(near.next());
        }
        let left: Vec<u32> = near.collect();
        if left.is_empty() || !self.judge.holds(&rows) || !self.judge.holds(&left) {
            return false;
        }
        self.groups[small] = self.group(rows);
        self.groups[giver] = self.group(left);
        true
    }
}
