//! Clustering without outliers: for a radius, centres that are far apart and cover all records, and
//! a flow that gives each enough records. The smallest radius for which that works is found by
//! bisection.

use rayon::prelude::*;
use sfumato_core::Result;

use super::crowd::{Crowd, Gathered};
use super::flow::Network;
use crate::algorithms::shared::progress::Progress;

/// The largest number of distinct records for which all distances are candidates for the radius.
const EXACT: usize = 1500;
/// The factor between candidates for the radius if there are more records.
const STEP: f64 = 1.01;

/// Cluster all members. The radius is at most twice the smallest possible if distances are a metric
/// (and times `STEP` for large crowds).
pub fn gather<'a>(
    crowd: Crowd<'a>,
    r: usize,
    reaches: &[f64],
    progress: &mut Progress<'_>,
) -> Result<Gathered<'a>> {
    // A record and its r - 1 companions in the best clustering are no further than two radii apart.
    let least = reaches.iter().copied().fold(0.0, f64::max) / 2.0;
    if !least.is_finite() || crowd.len() < 2 {
        return Ok(Gathered {
            clusters: vec![crowd],
            outliers: Vec::new(),
            radius: f64::INFINITY,
            bound: f64::INFINITY,
        });
    }
    let candidates = candidates(&crowd, least);
    // Above the best radius all candidates work, so that the first that does behind one that
    // doesn't is not above it.
    let (mut fails, mut works) = (0, candidates.len());
    let mut best = None;
    while fails < works {
        let middle = (fails + works) / 2;
        match attempt(&crowd, r, candidates[middle]) {
            Some(dealt) => {
                best = Some((candidates[middle], dealt));
                works = middle;
            }
            None => fails = middle + 1,
        }
        progress.reach(0)?;
    }
    let Some((radius, dealt)) = best else {
        // The last candidate has everybody within reach of everybody; only prices that aren't
        // distances come here.
        return Ok(Gathered {
            clusters: vec![crowd],
            outliers: Vec::new(),
            radius: f64::INFINITY,
            bound: f64::INFINITY,
        });
    };
    Ok(Gathered {
        clusters: dealt.clusters.into_iter().map(|parts| crowd.some(parts.into_iter())).collect(),
        outliers: Vec::new(),
        radius: dealt.radius,
        bound: 2.0 * radius,
    })
}

/// Radii to try, ascending, from the least possible. With the last, every record is within reach.
fn candidates(crowd: &Crowd<'_>, least: f64) -> Vec<f64> {
    let n = crowd.len();
    let far = |member: usize| {
        let distances = (0..n).map(|other| crowd.distance(member, other, f64::INFINITY));
        distances.fold(0.0, f64::max)
    };
    if n <= EXACT {
        let distances = (0..n).into_par_iter().flat_map_iter(|a| {
            (a..n)
                .map(move |b| crowd.distance(a, b, f64::INFINITY))
                .filter(|&distance| distance >= least)
        });
        let mut all: Vec<f64> = distances.collect();
        all.par_sort_unstable_by(f64::total_cmp);
        all.dedup();
        return all;
    }
    // From any record, everybody is within the largest distance from it, and each other within
    // twice that.
    let most = 2.0 * far(0);
    let first = if least > 0.0 { least } else { most / 10_000.0 };
    let mut all = if least > 0.0 { Vec::new() } else { vec![0.0] };
    let mut radius = first;
    while radius < most {
        all.push(radius);
        radius *= STEP;
    }
    all.push(most);
    all
}

/// The rows of each centre, as `(member, from, to)`.
struct Dealt {
    clusters: Vec<Vec<(usize, usize, usize)>>,
    radius: f64,
}

/// Try a radius.
fn attempt(crowd: &Crowd<'_>, r: usize, radius: f64) -> Option<Dealt> {
    let mut near: Vec<Vec<(u32, f64)>> = Vec::new();
    let mut nearest: Vec<(f64, usize)> = vec![(f64::INFINITY, usize::MAX); crowd.len()];
    for member in 0..crowd.len() {
        if nearest[member].1 != usize::MAX {
            continue;
        }
        // Centres of distinct clusters need r rows each.
        if (near.len() + 1) * r > crowd.weight() {
            return None;
        }
        let centre = near.len();
        let within = crowd.within(member, 2.0 * radius);
        for &(other, distance) in &within {
            let best = &mut nearest[other as usize];
            if distance < best.0 {
                *best = (distance, centre);
            }
        }
        near.push(within);
        // Prices that aren't distances may put a record out of its own reach.
        if nearest[member].1 == usize::MAX {
            return None;
        }
    }
    let mut taken = vec![0usize; crowd.len()];
    let mut dealt = Dealt { clusters: vec![Vec::new(); near.len()], radius: 0.0 };
    if !enough_nearest(crowd, r, near.len(), &nearest) {
        flow(crowd, r, &near, &mut taken, &mut dealt)?;
    }
    for (member, &(distance, centre)) in nearest.iter().enumerate() {
        if taken[member] < crowd.weight_of(member) {
            dealt.clusters[centre].push((member, taken[member], crowd.weight_of(member)));
            dealt.radius = dealt.radius.max(distance);
        }
    }
    Some(dealt)
}

/// Whether every centre has r rows if each record goes to its nearest, so that no record needs to
/// be moved.
fn enough_nearest(crowd: &Crowd<'_>, r: usize, n_centres: usize, nearest: &[(f64, usize)]) -> bool {
    let mut rows = vec![0usize; n_centres];
    nearest
        .iter()
        .enumerate()
        .for_each(|(member, &(_, centre))| rows[centre] += crowd.weight_of(member));
    rows.iter().all(|&rows| rows >= r)
}

/// Give each centre r rows within its reach. `None` if that isn't possible.
fn flow(
    crowd: &Crowd<'_>,
    r: usize,
    near: &[Vec<(u32, f64)>],
    taken: &mut [usize],
    dealt: &mut Dealt,
) -> Option<()> {
    let (source, sink) = (0, 1);
    let centre_node = |centre: usize| 2 + centre;
    let member_node = |member: usize| 2 + near.len() + member;
    let mut network = Network::new(2 + near.len() + crowd.len());
    let mut edges = Vec::new();
    for (centre, within) in near.iter().enumerate() {
        network.add(source, centre_node(centre), r as u32);
        let mut within = within.clone();
        // The edge that was added last is tried first: the nearest.
        within.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (member, distance) in within {
            let most = crowd.weight_of(member as usize).min(r) as u32;
            let edge = network.add(centre_node(centre), member_node(member as usize), most);
            edges.push((edge, centre, member as usize, distance));
        }
    }
    for member in 0..crowd.len() {
        network.add(member_node(member), sink, crowd.weight_of(member) as u32);
    }
    if network.run(source, sink) < (near.len() * r) as u64 {
        return None;
    }
    for (edge, centre, member, distance) in edges {
        let rows = network.flow(edge) as usize;
        if rows > 0 {
            dealt.clusters[centre].push((member, taken[member], taken[member] + rows));
            dealt.radius = dealt.radius.max(distance);
            taken[member] += rows;
        }
    }
    Some(())
}
