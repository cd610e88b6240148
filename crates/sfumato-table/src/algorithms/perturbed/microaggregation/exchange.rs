//! Local improvement of groups: what moving, exchanging and dissolving changes of the sum of
//! squared distances to means.

use super::nearest::Nearest;
use super::points::{Points, squared};

/// How many near records of a record say which groups it may go to.
const NEAR: usize = 8;
/// A gain below this is rounding.
const LEAST: f64 = 1e-9;

/// Groups of points that are improved.
pub struct Groups<'a> {
    points: &'a Points,
    k: usize,
    members: Vec<Vec<u32>>,
    means: Vec<Vec<f64>>,
    group_of: Vec<u32>,
    /// The nearest points of each point.
    near: Vec<Vec<u32>>,
}

impl<'a> Groups<'a> {
    /// Begin with groups of at least k points.
    pub fn new(points: &'a Points, members: Vec<Vec<u32>>, k: usize) -> Self {
        let index = Nearest::new(points);
        let count = NEAR.max(2 * k) + 1;
        let near = |point: u32| {
            let mut near = index.nearest(points.get(point), count);
            near.retain(|other| *other != point);
            near
        };
        let near = (0..points.n() as u32).map(near).collect();
        let mut group_of = vec![0; points.n()];
        for (group, members) in (0u32..).zip(&members) {
            members.iter().for_each(|point| group_of[*point as usize] = group);
        }
        let mut groups = Groups { points, k, means: Vec::new(), members, group_of, near };
        groups.means = (0..groups.members.len()).map(|group| groups.mean(group)).collect();
        groups
    }

    /// The groups, without those that were dissolved.
    pub fn into_groups(self) -> Vec<Vec<u32>> {
        self.members.into_iter().filter(|members| !members.is_empty()).collect()
    }

    /// The sum of squared distances of all points to the means of their groups.
    pub fn loss(&self) -> f64 {
        let of = |point: usize| {
            squared(self.points.get(point as u32), &self.means[self.group_of[point] as usize])
        };
        (0..self.points.n()).map(of).sum()
    }

    fn mean(&self, group: usize) -> Vec<f64> {
        let members = &self.members[group];
        let mut mean = vec![0.0; self.points.d];
        for point in members {
            mean.iter_mut().zip(self.points.get(*point)).for_each(|(sum, x)| *sum += x);
        }
        mean.iter_mut().for_each(|sum| *sum /= members.len().max(1) as f64);
        mean
    }

    /// Improve until nothing helps, looking at all points so often at most.
    pub fn improve(&mut self, passes: usize) {
        for _ in 0..passes {
            let mut changed = false;
            for point in 0..self.points.n() as u32 {
                changed |= self.move_or_exchange(point);
            }
            for group in 0..self.members.len() {
                changed |= self.dissolve(group);
            }
            if !changed {
                break;
            }
        }
    }

    /// The groups near a point, without its own.
    fn groups_near(&self, point: u32) -> Vec<u32> {
        let own = self.group_of[point as usize];
        let near = self.near[point as usize].iter().map(|other| self.group_of[*other as usize]);
        let mut near: Vec<u32> = near.filter(|group| *group != own).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// What a point less saves its group.
    fn saved(&self, point: u32, group: usize) -> f64 {
        let n = self.members[group].len() as f64;
        n / (n - 1.0) * squared(self.points.get(point), &self.means[group])
    }

    /// What a point more costs a group.
    fn cost(&self, point: u32, group: usize) -> f64 {
        let n = self.members[group].len() as f64;
        n / (n + 1.0) * squared(self.points.get(point), &self.means[group])
    }

    fn put(&mut self, point: u32, group: u32) {
        let own = self.group_of[point as usize] as usize;
        self.members[own].retain(|other| *other != point);
        self.members[group as usize].push(point);
        self.group_of[point as usize] = group;
        self.means[own] = self.mean(own);
        self.means[group as usize] = self.mean(group as usize);
    }

    /// Move a point where that helps most, or exchange it with one of another group.
    fn move_or_exchange(&mut self, point: u32) -> bool {
        let own = self.group_of[point as usize] as usize;
        let mut best = (LEAST, None);
        for group in self.groups_near(point) {
            if self.members[own].len() > self.k && self.members[group as usize].len() < 2 * self.k {
                let gain = self.saved(point, own) - self.cost(point, group as usize);
                if gain > best.0 {
                    best = (gain, Some((group, None)));
                }
            }
            for other in &self.members[group as usize] {
                let gain = self.gain_of_exchange((point, own), (*other, group as usize));
                if gain > best.0 {
                    best = (gain, Some((group, Some(*other))));
                }
            }
        }
        let Some((group, other)) = best.1 else { return false };
        self.put(point, group);
        if let Some(other) = other {
            self.put(other, own as u32);
        }
        true
    }

    /// What exchanging two points of two groups saves: means move by the difference of the points
    /// divided by the size.
    fn gain_of_exchange(&self, (a, own): (u32, usize), (b, other): (u32, usize)) -> f64 {
        let (x, y) = (self.points.get(a), self.points.get(b));
        let (n, m) = (self.members[own].len() as f64, self.members[other].len() as f64);
        let before = squared(x, &self.means[own]) + squared(y, &self.means[other]);
        let after = squared(y, &self.means[own]) + squared(x, &self.means[other]);
        before - after + squared(x, y) * (1.0 / n + 1.0 / m)
    }

    /// Give the points of a group to groups near them, if that helps: a mean less costs less than
    /// it seems where groups may be larger than k.
    fn dissolve(&mut self, group: usize) -> bool {
        let points = self.members[group].clone();
        if points.is_empty() {
            return false;
        }
        let before: f64 =
            points.iter().map(|point| squared(self.points.get(*point), &self.means[group])).sum();
        let (mut cost, mut moved) = (0.0, Vec::new());
        for point in &points {
            let places = self.groups_near(*point).into_iter();
            let best = places
                .filter(|to| {
                    *to as usize != group && self.members[*to as usize].len() < 2 * self.k - 1
                })
                .map(|to| (self.cost(*point, to as usize), to))
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((more, to)) = best else { break };
            cost += more;
            moved.push(*point);
            self.put(*point, to);
            if cost > before - LEAST {
                break;
            }
        }
        if moved.len() == points.len() && cost < before - LEAST {
            return true;
        }
        moved.into_iter().for_each(|point| self.put(point, group as u32));
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::mdav;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn loses_less_and_keeps_k(
            at in prop::collection::vec(-100.0f64..100.0, 24..240),
            k in 2usize..5,
        ) {
            let n = at.len() / 2;
            let points = Points { d: 2, at: at[..n * 2].to_vec() };
            let begun = mdav::groups(&points, k);
            let mut groups = Groups::new(&points, begun, k);
            let before = groups.loss();
            groups.improve(10);
            let after = groups.loss();
            prop_assert!(after <= before + 1e-6);
            let groups = groups.into_groups();
            prop_assert!(groups.iter().all(|group| group.len() >= k));
            let mut all: Vec<u32> = groups.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..n as u32).collect::<Vec<u32>>());
        }
    }
}
