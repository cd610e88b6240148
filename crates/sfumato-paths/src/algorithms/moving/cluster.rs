//! The second phase of Never Walk Alone: groups around pivots that are far from each other.

use sfumato_core::Result;

use super::MovingTask;
use super::distance::Distance;
use crate::data::plane::mean;
use crate::data::synchronous::Synchronous;

/// The groups of one class of tracks, and which tracks are in none.
pub struct Clusters {
    /// The groups, each of at least k.
    pub groups: Vec<Vec<u32>>,
    /// The tracks that are too far from all pivots.
    pub outliers: Vec<u32>,
}

/// Group the tracks of a class, which have the same interval. Nobody is further than `radius` from
/// the pivot of the group.
pub fn cluster(
    task: &MovingTask<'_>,
    parts: &[Option<Synchronous>],
    class: &[u32],
    distance: Distance,
    radius: f64,
) -> Result<Clusters> {
    let tracks: Vec<&Synchronous> =
        class.iter().filter_map(|track| parts[*track as usize].as_ref()).collect();
    let k = usize::try_from(task.asked.k).unwrap_or(usize::MAX).max(1);
    let between = |a: usize, b: &Synchronous| distance.between(task.plane, tracks[a], b);
    let ticks = tracks.first().map_or(0, |track| track.positions.len());
    let centre = Synchronous {
        start: tracks.first().map_or(0, |track| track.start),
        positions: (0..ticks)
            .map(|tick| mean(tracks.iter().map(|track| track.positions[tick])))
            .collect(),
    };
    // Whether a track may still be a pivot, and in which group it is.
    let mut may_be_pivot = vec![true; tracks.len()];
    let mut group_of: Vec<Option<usize>> = vec![None; tracks.len()];
    let mut pivots: Vec<usize> = Vec::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut from: &Synchronous = &centre;
    loop {
        task.check_stopped()?;
        let free = (0..tracks.len()).filter(|at| may_be_pivot[*at] && group_of[*at].is_none());
        let farthest = free.map(|at| (between(at, from), at)).reduce(|one, other| {
            // Of several that are as far the first.
            if other.0 > one.0 { other } else { one }
        });
        let Some((_, pivot)) = farthest else { break };
        let mut near: Vec<(f64, usize)> = (0..tracks.len())
            .filter(|at| *at != pivot && group_of[*at].is_none())
            .map(|at| (between(at, tracks[pivot]), at))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(k - 1);
        may_be_pivot[pivot] = false;
        let is_near = near.last().is_none_or(|(distance, _)| *distance <= radius);
        if near.len() == k - 1 && is_near {
            let members: Vec<usize> =
                std::iter::once(pivot).chain(near.into_iter().map(|(_, at)| at)).collect();
            members.iter().for_each(|at| group_of[*at] = Some(groups.len()));
            groups.push(members);
            pivots.push(pivot);
            from = tracks[pivot];
        }
    }
    let mut outliers = Vec::new();
    for at in 0..tracks.len() {
        if group_of[at].is_some() {
            continue;
        }
        let nearest = pivots
            .iter()
            .enumerate()
            .map(|(group, pivot)| (between(at, tracks[*pivot]), group))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        match nearest {
            Some((distance, group)) if distance <= radius => groups[group].push(at),
            _ => outliers.push(class[at]),
        }
    }
    let name = |members: Vec<usize>| members.into_iter().map(|at| class[at]).collect();
    Ok(Clusters { groups: groups.into_iter().map(name).collect(), outliers })
}
