//! Gathers clusters greedily, with any search for neighbours.

use sfumato_core::Result;
use sfumato_core::column::Code;

use crate::algorithms::bottom_up::clusters::Cluster;
use crate::algorithms::bottom_up::neighbours::Neighbours;
use crate::algorithms::bottom_up::points::{Common, Points, total};
use crate::traits::SetTask;
use sfumato_kernels::seeded::Seeded;

/// Put all records into clusters of at least k records.
pub fn clusters<C: Code>(
    points: &Points<'_, C>,
    near: &mut dyn Neighbours<C>,
    task: &SetTask<'_>,
) -> Result<Vec<Cluster>> {
    let mut copies = points.copies.to_vec();
    let mut left: u64 = copies.iter().map(|copies| u64::from(*copies)).sum();
    let k = task.k.max(1);
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut common = Common::new(points.utilities.len());
    let mut from = if points.len() > 0 { Seeded::new(task.seed).below(points.len()) } else { 0 };
    while left >= k && left > 0 {
        task.check_cancelled()?;
        let Some(first) = near.distant(points, from) else { break };
        from = first;
        // Copies of the first record cost nothing: if they are enough, all of them are one cluster.
        let mut cluster = Cluster::default();
        cluster.add(first, copies[first]);
        copies[first] = 0;
        near.remove(first);
        common.begin(points.set(first), points.utilities);
        if cluster.size < k {
            near.begin(points, first, &common);
        }
        while cluster.size < k {
            let Some(point) = near.nearest(points, &common) else { break };
            let taken = u64::from(copies[point]).min(k - cluster.size) as u32;
            cluster.add(point, taken);
            common.shrink(points.set(point));
            copies[point] -= taken;
            if copies[point] == 0 {
                near.remove(point);
            }
        }
        left -= cluster.size;
        cluster.items.clone_from(&common.items);
        clusters.push(cluster);
    }
    deal_out(points, &copies, &mut clusters);
    Ok(clusters)
}

/// Let the remaining records join the clusters for which this costs least.
fn deal_out<C: Code>(points: &Points<'_, C>, copies: &[u32], clusters: &mut [Cluster]) {
    let worth = |items: &[u32]| total(items.iter().map(|item| points.utilities[*item as usize]));
    let mut own = Common::new(points.utilities.len());
    for (point, copies) in copies.iter().enumerate().filter(|(_, copies)| **copies > 0) {
        own.begin(points.set(point), points.utilities);
        let gain = |cluster: &Cluster| {
            let kept = total(cluster.items.iter().map(|item| own.value(*item)));
            (cluster.size + u64::from(*copies)) as f64 * kept
                - cluster.size as f64 * worth(&cluster.items)
        };
        let gains = clusters.iter().enumerate().map(|(i, cluster)| (gain(cluster), i));
        let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, i)) = best {
            let cluster = &mut clusters[i];
            cluster.add(point, *copies);
            cluster.items.retain(|item| own.has(*item));
        }
    }
}
