//! Clustering with outliers: records that no dense ball of the smallest possible radius covers are
//! left out.

use rayon::prelude::*;
use sfumato_core::Result;

use super::crowd::{Crowd, Gathered};
use crate::algorithms::shared::progress::Progress;

/// Cluster all members except a limited number of rows. The radius is at most three times the
/// smallest possible with that many outliers, if distances are a metric.
pub fn gather<'a>(
    crowd: Crowd<'a>,
    r: usize,
    reaches: &[f64],
    max_outliers: u64,
    progress: &mut Progress<'_>,
) -> Result<Gathered<'a>> {
    let n = crowd.len();
    // A record can be in a cluster of a radius if a record within that radius has r rows within it.
    let covered = |member: usize| {
        (0..n).fold(f64::INFINITY, |best, centre| match reaches[centre] < best {
            true => best.min(crowd.distance(member, centre, best).max(reaches[centre])),
            false => best,
        })
    };
    let covered: Vec<f64> = (0..n).into_par_iter().map(covered).collect();
    progress.reach(0)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| covered[b].total_cmp(&covered[a]));
    let mut left_out = 0;
    let mut radius = f64::INFINITY;
    for member in order {
        radius = covered[member];
        left_out += crowd.weight_of(member) as u64;
        if left_out > max_outliers {
            break;
        }
    }
    if !radius.is_finite() {
        return Ok(Gathered { clusters: vec![crowd], outliers: Vec::new(), radius, bound: radius });
    }

    // Disjoint balls of r free rows or more, the densest first.
    let mut centres: Vec<usize> = (0..n).filter(|&member| reaches[member] <= radius).collect();
    centres.sort_by(|&a, &b| reaches[a].total_cmp(&reaches[b]).then(a.cmp(&b)));
    let mut cluster_of: Vec<Option<usize>> = vec![None; n];
    let mut chosen: Vec<usize> = Vec::new();
    let mut largest: f64 = 0.0;
    for centre in centres {
        if cluster_of[centre].is_some() {
            continue;
        }
        let mut free = crowd.within(centre, radius);
        free.retain(|(member, _)| cluster_of[*member as usize].is_none());
        if free.iter().map(|(member, _)| crowd.weight_of(*member as usize)).sum::<usize>() >= r {
            for (member, distance) in free {
                cluster_of[member as usize] = Some(chosen.len());
                largest = largest.max(distance);
            }
            chosen.push(centre);
        }
        progress.reach(0)?;
    }

    // A record that is covered and free is near a ball that lost rows to a cluster: that cluster's
    // centre is within three radii.
    let rest: Vec<usize> = (0..n)
        .filter(|&member| cluster_of[member].is_none() && covered[member] <= radius)
        .collect();
    let nearest = |&member: &usize| {
        chosen.iter().enumerate().fold((f64::INFINITY, 0), |best, (cluster, &centre)| {
            let distance = crowd.distance(member, centre, best.0);
            if distance < best.0 { (distance, cluster) } else { best }
        })
    };
    let nearest: Vec<(f64, usize)> = rest.par_iter().map(nearest).collect();
    for (member, (distance, cluster)) in rest.into_iter().zip(nearest) {
        cluster_of[member] = Some(cluster);
        largest = largest.max(distance);
    }
    let whole = |member: usize| (member, 0, crowd.weight_of(member));
    let mut parts: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new(); chosen.len()];
    let mut outliers = Vec::new();
    for (member, cluster) in cluster_of.iter().enumerate() {
        match cluster {
            Some(cluster) => parts[*cluster].push(whole(member)),
            None => outliers.extend(crowd.some([whole(member)].into_iter()).rows()),
        }
    }
    let clusters = parts.into_iter().map(|parts| crowd.some(parts.into_iter())).collect();
    Ok(Gathered { clusters, outliers, radius: largest, bound: 3.0 * radius })
}
