//! Clusters of records, and the set that each cluster is published as.

use sfumato_core::transactions::Builder;

use crate::data::{Collapsed, PublishedSets};

/// Records that are published alike.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    /// Points, with the number of their copies that are in the cluster.
    pub members: Vec<(u32, u32)>,
    /// The number of records in the cluster.
    pub size: u64,
    /// The items that all members have in common, ascending.
    pub items: Vec<u32>,
}

impl Cluster {
    /// Add copies of a point.
    pub fn add(&mut self, point: usize, copies: u32) {
        self.members.push((point as u32, copies));
        self.size += u64::from(copies);
    }
}

/// Publish each cluster as what its members have in common. Copies of a point go to its clusters in
/// the order of their records.
pub fn publish(collapsed: &Collapsed, clusters: &[Cluster]) -> PublishedSets {
    let mut of_point: Vec<Vec<(u32, u32)>> = vec![Vec::new(); collapsed.weights.len()];
    let mut sets = Builder::new(collapsed.sets.n_items());
    for (i, cluster) in clusters.iter().enumerate() {
        sets.push(&cluster.items);
        cluster
            .members
            .iter()
            .for_each(|(point, copies)| of_point[*point as usize].push((i as u32, *copies)));
    }
    of_point.iter_mut().for_each(|list| list.reverse());
    let next = |point: &u32| {
        let list = &mut of_point[*point as usize];
        let (cluster, copies) = list.last_mut().expect("all copies of a point are in clusters");
        let cluster = *cluster;
        *copies -= 1;
        if *copies == 0 {
            list.pop();
        }
        cluster
    };
    let of_record = collapsed.of_record.iter().map(next).collect();
    PublishedSets { of_record, sets: sets.finish(), witnesses: None }
}
