//! An unfinished solution: clusters, and records without a cluster.

use sfumato_core::column::Code;

use crate::algorithms::bottom_up::clusters::Cluster;
use crate::algorithms::bottom_up::points::{Points, total};
use sfumato_kernels::seeded::Seeded;

/// The number that stands for no cluster.
pub const NONE: u32 = u32::MAX;

/// Clusters, and the cluster of each point. All copies of a point are in the same cluster.
#[derive(Debug, Clone)]
pub struct State {
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The utility of each cluster's common items.
    pub worth: Vec<f64>,
    /// The cluster of each point.
    pub of_point: Vec<u32>,
}

impl State {
    /// A solution without clusters.
    pub fn empty<C: Code>(points: &Points<'_, C>) -> Self {
        State { clusters: Vec::new(), worth: Vec::new(), of_point: vec![NONE; points.len()] }
    }

    /// The total utility of the published records.
    pub fn utility(&self) -> f64 {
        self.clusters
            .iter()
            .zip(&self.worth)
            .map(|(cluster, worth)| cluster.size as f64 * worth)
            .sum()
    }

    /// Make a new cluster of a point.
    fn found<C: Code>(&mut self, points: &Points<'_, C>, point: usize) {
        let mut cluster = Cluster::default();
        cluster.add(point, points.copies[point]);
        cluster.items = points.set(point).iter().map(|item| item.widen()).collect();
        self.of_point[point] = self.clusters.len() as u32;
        self.worth.push(points.worth[point]);
        self.clusters.push(cluster);
    }

    /// Add a point to a cluster.
    pub fn join<C: Code>(&mut self, points: &Points<'_, C>, point: usize, into: u32) {
        let cluster = &mut self.clusters[into as usize];
        let mut own = points.set(point).iter().map(|item| item.widen()).peekable();
        cluster.items.retain(|item| {
            while own.next_if(|next| next < item).is_some() {}
            own.next_if_eq(item).is_some()
        });
        cluster.add(point, points.copies[point]);
        self.worth[into as usize] =
            total(cluster.items.iter().map(|item| points.utilities[*item as usize]));
        self.of_point[point] = into;
    }

    /// Dissolve a share of the clusters, beginning with those whose records lose most on average.
    pub fn break_up<C: Code>(&mut self, points: &Points<'_, C>, share: f64) {
        let loss = |i: usize| {
            let members = self.clusters[i].members.iter();
            let own: f64 = members
                .map(|(point, copies)| points.worth[*point as usize] * f64::from(*copies))
                .sum();
            own / self.clusters[i].size as f64 - self.worth[i]
        };
        let losses: Vec<f64> = (0..self.clusters.len()).map(loss).collect();
        let mut order: Vec<usize> = (0..losses.len()).collect();
        order.sort_by(|a, b| losses[*b].total_cmp(&losses[*a]).then(a.cmp(b)));
        let mut broken = vec![false; order.len()];
        order.iter().take((share * losses.len() as f64) as usize).for_each(|i| broken[*i] = true);
        self.keep(|i, _| !broken[i]);
    }

    /// Dissolve clusters that are too small.
    pub fn break_small(&mut self, k: u64) {
        self.keep(|_, cluster| cluster.size >= k);
    }

    fn keep(&mut self, stays: impl Fn(usize, &Cluster) -> bool) {
        let old =
            std::mem::take(&mut self.clusters).into_iter().zip(std::mem::take(&mut self.worth));
        for (i, (cluster, worth)) in old.enumerate() {
            let number = if stays(i, &cluster) { self.clusters.len() as u32 } else { NONE };
            cluster.members.iter().for_each(|(point, _)| self.of_point[*point as usize] = number);
            if number != NONE {
                self.clusters.push(cluster);
                self.worth.push(worth);
            }
        }
    }

    /// Make new clusters of random points without a cluster, until there are as many as k records
    /// each allow.
    pub fn seed<C: Code>(&mut self, points: &Points<'_, C>, k: u64, random: &mut Seeded) {
        let n: u64 = points.copies.iter().map(|copies| u64::from(*copies)).sum();
        let wanted = (n / k.max(1)) as usize;
        let mut free: Vec<usize> =
            (0..points.len()).filter(|point| self.of_point[*point] == NONE).collect();
        random.shuffle(&mut free);
        for point in free.into_iter().take(wanted.saturating_sub(self.clusters.len())) {
            self.found(points, point);
        }
    }

    /// If no cluster is large enough, put all records into one.
    pub fn gather_all<C: Code>(&mut self, points: &Points<'_, C>) {
        for point in 0..points.len() {
            match point {
                0 => self.found(points, point),
                _ => self.join(points, point, 0),
            }
        }
    }
}
