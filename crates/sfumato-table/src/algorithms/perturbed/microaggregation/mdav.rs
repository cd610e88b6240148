//! MDAV: the record farthest from the mean and its nearest neighbours are a group, then the record
//! farthest from that one.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::aggregate::{self, DIGITS, K, size_of};
use super::nearest::Nearest;
use super::points::{Points, Sum};
use crate::algorithms::perturbed::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `mdav`, an entry of the registry.
pub struct Mdav;

/// Where the algorithm is from.
pub const PAPER: Paper = Paper {
    authors: "Josep Domingo-Ferrer, Vicenç Torra",
    title: "Ordinal, continuous and heterogeneous k-anonymity through microaggregation",
    venue: "Data Mining and Knowledge Discovery",
    year: 2005,
};

static INFO: Info = Info {
    name: "mdav",
    summary: "publish groups of k near records by their means (maximum distance to average)",
    papers: &[PAPER],
    params: &[K, DIGITS],
    doc: include_str!("mdav.md"),
    capabilities: Capabilities {
        serves: &[Fact::Classes],
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for Mdav {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        _: &mut Draws,
    ) -> Result<Vec<Column>> {
        let groups = groups(&Points::of(&task.columns), size_of(params, task)?);
        Ok(aggregate::publish(params, &task.columns, &groups))
    }
    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        aggregate::fault(params, task, (&task.columns, after))
    }
}

/// The groups of MDAV.
pub fn groups(points: &Points, k: usize) -> Vec<Vec<u32>> {
    let mut index = Nearest::new(points);
    let mut sum = Sum::of_all(points);
    let mut groups = Vec::with_capacity(points.n() / k.max(1));
    let mut take = |index: &mut Nearest<'_>, sum: &mut Sum, group: Vec<u32>| {
        for point in &group {
            index.remove(*point);
            sum.take(points.get(*point));
        }
        groups.push(group);
    };
    while index.len() >= 3 * k {
        let Some(first) = index.farthest(&sum.mean()) else { break };
        // Both only read the index, and each takes about half of the time.
        let (group, other) =
            rayon::join(|| around(&index, points, first, k), || index.farthest(points.get(first)));
        let Some(other) = other else { break };
        take(&mut index, &mut sum, group);
        // It may be one of the first one's neighbours only where nearly all points are equal.
        let other = match index.has(other) {
            true => Some(other),
            false => index.farthest(points.get(first)),
        };
        let Some(other) = other else { break };
        let group = around(&index, points, other, k);
        take(&mut index, &mut sum, group);
    }
    if index.len() >= 2 * k
        && let Some(first) = index.farthest(&sum.mean())
    {
        let group = around(&index, points, first, k);
        take(&mut index, &mut sum, group);
    }
    let rest = index.rest();
    if !rest.is_empty() {
        groups.push(rest);
    }
    groups
}

/// A point, and the `k - 1` others that are nearest to it.
fn around(index: &Nearest<'_>, points: &Points, of: u32, k: usize) -> Vec<u32> {
    let mut near = index.nearest(points.get(of), k);
    // Where more than k points are equal it needn't be among them itself.
    near.retain(|point| *point != of);
    near.truncate(k - 1);
    near.insert(0, of);
    near
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::points::squared;
    use super::*;

    /// The algorithm as it is written in the literature: each step looks at all records.
    fn plain(points: &Points, k: usize) -> Vec<Vec<u32>> {
        let mut rest: Vec<u32> = (0..points.n() as u32).collect();
        let mut sum = Sum::of_all(points);
        let mut groups = Vec::new();
        let farthest = |rest: &[u32], from: &[f64]| {
            let mut best = rest[0];
            for point in rest {
                if squared(points.get(*point), from) > squared(points.get(best), from) {
                    best = *point;
                }
            }
            best
        };
        let mut take = |rest: &mut Vec<u32>, sum: &mut Sum, of: u32| {
            rest.retain(|point| *point != of);
            let mut near = rest.clone();
            near.sort_by(|a, b| {
                let (a, b) = (points.get(*a), points.get(*b));
                squared(a, points.get(of)).total_cmp(&squared(b, points.get(of)))
            });
            near.truncate(k - 1);
            rest.retain(|point| !near.contains(point));
            near.insert(0, of);
            near.iter().for_each(|point| sum.take(points.get(*point)));
            groups.push(near);
        };
        while rest.len() >= 3 * k {
            let first = farthest(&rest, &sum.mean());
            let other = farthest(&rest, points.get(first));
            take(&mut rest, &mut sum, first);
            let is_left = rest.contains(&other);
            let other = if is_left { other } else { farthest(&rest, points.get(first)) };
            take(&mut rest, &mut sum, other);
        }
        if rest.len() >= 2 * k {
            let first = farthest(&rest, &sum.mean());
            take(&mut rest, &mut sum, first);
        }
        if !rest.is_empty() {
            groups.push(rest);
        }
        groups
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_index_gives_the_groups_of_plain_mdav(
            at in prop::collection::vec(-1000.0f64..1000.0, 40..900),
            d in 1usize..6,
            k in 2usize..7,
        ) {
            let n = at.len() / d;
            let points = Points { d, at: at[..n * d].to_vec() };
            prop_assert_eq!(groups(&points, k), plain(&points, k));
        }

        #[test]
        fn ties_are_broken_as_by_a_scan(
            at in prop::collection::vec(0i32..4, 20..500),
            k in 2usize..5,
        ) {
            let n = at.len() / 2;
            let at = at[..n * 2].iter().map(|x| f64::from(*x)).collect();
            let points = Points { d: 2, at };
            prop_assert_eq!(groups(&points, k), plain(&points, k));
        }
    }
}
