//! Greedy k-member clustering (Byun, Kamra, Bertino and Li): a cluster begins with the record
//! farthest from the start of the last one, and takes the record that costs least until it may be
//! published. The remaining records join the clusters for which this costs least.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::local;
use crate::algorithms::shared::points::{Points, grow, least};
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::Bounds;
use sfumato_kernels::seeded::Seeded;

/// The algorithm `k-member`, an entry of the registry.
pub struct KMember;

static INFO: Info = Info {
    name: "k-member",
    summary: "gathers clusters one by one: a far record, then always the record that costs least, \
        until the cluster may be published",
    papers: &[Paper {
        authors: "J.-W. Byun, A. Kamra, E. Bertino, N. Li",
        title: "Efficient k-anonymization using clustering techniques",
        venue: "DASFAA",
        year: 2007,
    }],
    params: &[],
    doc: include_str!("k_member.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for KMember {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        local::anonymize(self, task, |task, space, judge, progress| {
            let points = Points::new(task, space);
            points.check_size(INFO.name)?;
            clusters(&points, judge, task.seed, progress)
        })
    }
}

/// A cluster and the region around it.
struct Cluster {
    rows: Vec<u32>,
    region: Vec<Bounds>,
}

/// The records without a cluster.
struct Left<'a> {
    points: &'a Points<'a>,
    /// The points with rows left, in order.
    open: Vec<u32>,
    /// How many rows of each point were taken.
    taken: Vec<usize>,
    rows: usize,
}

impl Left<'_> {
    /// Take the next row of the point at a place. The place is removed with its last row.
    fn take(&mut self, place: usize) -> u32 {
        let point = self.open[place] as usize;
        let row = self.points.rows(point)[self.taken[point]];
        self.taken[point] += 1;
        self.rows -= 1;
        if self.taken[point] == self.points.weight(point) {
            self.open.remove(place);
        }
        row
    }
}

/// Clusters that may be published, and at most one more, with the records for which no cluster was
/// found.
fn clusters(
    points: &Points<'_>,
    judge: &Judge<'_>,
    seed: u64,
    progress: &mut Progress<'_>,
) -> Result<Vec<Vec<u32>>> {
    let n_rows: usize = (0..points.len()).map(|point| points.weight(point)).sum();
    let open: Vec<u32> = (0..points.len() as u32).collect();
    let mut left = Left { points, open, taken: vec![0; points.len()], rows: n_rows };
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut strays: Vec<u32> = Vec::new();
    let mut start = Seeded::new(seed).below(points.len());
    while left.rows >= judge.min_rows {
        let place = points.furthest(start, &left.open).unwrap_or(0);
        start = left.open[place] as usize;
        match gather(judge, &mut left, place, progress, n_rows)? {
            (cluster, true) => clusters.push(cluster),
            // Nothing is left, and it isn't enough: its records join the clusters that there are.
            (cluster, false) => strays = cluster.rows,
        }
    }
    while !left.open.is_empty() {
        strays.push(left.take(0));
    }
    if clusters.is_empty() {
        return Ok(vec![strays]);
    }
    let point_of_row = points.of_rows();
    for row in strays {
        let region = points.region(point_of_row[row as usize] as usize);
        let growth = |place: usize, _: f64| {
            let Cluster { rows, region: old } = &clusters[place];
            let size = rows.len() as f64;
            points.hull_price(old, region, f64::INFINITY) * (size + 1.0) - points.price(old) * size
        };
        let place = least(clusters.len(), None, growth).map_or(0, |(_, place)| place);
        clusters[place].rows.push(row);
        grow(&mut clusters[place].region, region);
        progress.reach(n_rows)?;
    }
    Ok(clusters.into_iter().map(|cluster| cluster.rows).collect())
}

/// Gather a cluster around the point at a place. Returns also whether it may be published: if not,
/// no records are left.
fn gather(
    judge: &Judge<'_>,
    left: &mut Left<'_>,
    place: usize,
    progress: &mut Progress<'_>,
    n_rows: usize,
) -> Result<(Cluster, bool)> {
    let points = left.points;
    let region = points.region(left.open[place] as usize).to_vec();
    let mut cluster = Cluster { rows: Vec::new(), region };
    let mut summary = judge.summary(&[]);
    let mut next = Some(place);
    while let Some(place) = next {
        let point = left.open[place];
        grow(&mut cluster.region, points.region(point as usize));
        // The other rows of the same record come next: they cost nothing more.
        while left.open.get(place) == Some(&point) {
            let row = left.take(place);
            cluster.rows.push(row);
            if !judge.by_rows() {
                summary.merge(&judge.summary(&[row]));
            }
            if cluster.rows.len() >= judge.min_rows && (judge.by_rows() || judge.allows(&summary)) {
                return Ok((cluster, true));
            }
        }
        progress.reach(n_rows - left.rows)?;
        next = least(left.open.len(), None, |other, bound| {
            points.hull_price(&cluster.region, points.region(left.open[other] as usize), bound)
        })
        .map(|(_, place)| place);
    }
    Ok((cluster, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::shared::testing::{Numbers, in_order};

    fn clusters_of(values: &[&[u32]], k: u64, seed: u64) -> Vec<Vec<u32>> {
        Numbers::new(values).with(k, 0, |task, space, judge, progress| {
            clusters(&Points::new(task, space), judge, seed, progress).expect("nobody stops it")
        })
    }

    #[test]
    fn two_heaps_are_two_clusters() {
        for seed in 0..5 {
            let found = clusters_of(&[&[1, 90, 2, 91, 0, 92]], 3, seed);
            assert_eq!(in_order(&found), [vec![0, 2, 4], vec![1, 3, 5]]);
        }
    }

    #[test]
    fn clusters_have_k_to_2k_less_one_records() {
        let values: Vec<u32> = (0..95u32).map(|i| i * i * 37 % 97).collect();
        let others: Vec<u32> = (0..95u32).map(|i| i * 61 % 89).collect();
        for k in [2, 3, 7, 10] {
            let found = clusters_of(&[&values, &others], k, k);
            let sizes: Vec<usize> = found.iter().map(Vec::len).filter(|&size| size > 0).collect();
            assert_eq!(sizes.iter().sum::<usize>(), 95);
            assert!(
                sizes.iter().all(|&size| (k as usize..2 * k as usize).contains(&size)),
                "{sizes:?}"
            );
        }
    }
}
