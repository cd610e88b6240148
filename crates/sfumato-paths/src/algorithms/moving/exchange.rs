//! Makes groups of tracks tighter: tracks change to other groups, and pairs of them change places,
//! as long as the sum of squared distances from the means of groups falls. No group gets smaller
//! than k.

use sfumato_core::Result;

use super::MovingTask;
use crate::data::synchronous::Synchronous;

/// How often all tracks are looked at, at most.
const PASSES: usize = 20;
/// How many groups a track may change to: those with the nearest means.
const NEAR: usize = 8;
/// Less than this share of a track's squared distance is what rounding leaves.
const ROUNDING: f64 = 1e-9;

/// Let tracks, as points of which squared distances matter, change groups. `groups` has numbers of
/// `points`, each once.
pub fn exchange(
    task: &MovingTask<'_>,
    points: &[Vec<f64>],
    groups: &mut [Vec<usize>],
    k: usize,
) -> Result<()> {
    let mut now = Grouping::of(points, groups);
    for _ in 0..PASSES {
        let mut changed = false;
        for track in 0..points.len() {
            task.check_stopped()?;
            if let Some(change) = now.best(track, groups, k) {
                now.apply(track, change, groups);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Tracks of one interval as points of many dimensions: squared distances are sums over ticks.
/// Degrees are measured at the mean latitude of all tracks, which are near each other.
pub fn points_of(task: &MovingTask<'_>, tracks: &[&Synchronous]) -> Vec<Vec<f64>> {
    let all = || tracks.iter().flat_map(|track| &track.positions);
    let centre = crate::data::plane::mean(all().copied());
    let (per_x, per_y) = task.plane.scale(centre.y);
    let point = |track: &&Synchronous| {
        let positions = track.positions.iter();
        positions.flat_map(|at| [(at.x - centre.x) * per_x, (at.y - centre.y) * per_y]).collect()
    };
    tracks.iter().map(point).collect()
}

/// What a track may do.
#[derive(Clone, Copy)]
enum Change {
    /// Change to another group.
    Move(usize),
    /// Change places with another track.
    Swap(usize),
}

/// Which group each track is in, and the sum of each group.
struct Grouping<'a> {
    points: &'a [Vec<f64>],
    of: Vec<usize>,
    sums: Vec<Vec<f64>>,
}

impl<'a> Grouping<'a> {
    fn of(points: &'a [Vec<f64>], groups: &[Vec<usize>]) -> Grouping<'a> {
        let ticks = points.first().map_or(0, Vec::len);
        let mut of = vec![0; points.len()];
        let mut sums = vec![vec![0.0; ticks]; groups.len()];
        for (group, members) in groups.iter().enumerate() {
            for member in members {
                of[*member] = group;
                add(&mut sums[group], &points[*member], 1.0);
            }
        }
        Grouping { points, of, sums }
    }

    /// The squared distance of a track from the mean of a group of `n`.
    fn squares_from(&self, track: usize, group: usize, n: usize) -> f64 {
        let pairs = self.points[track].iter().zip(&self.sums[group]);
        pairs.map(|(own, sum)| (own - sum / n as f64).powi(2)).sum()
    }

    /// The change of one track that makes the sum of squares fall most, if one does.
    fn best(&self, track: usize, groups: &[Vec<usize>], k: usize) -> Option<Change> {
        let own = self.of[track];
        let mut near: Vec<(f64, usize)> = (0..groups.len())
            .filter(|group| *group != own)
            .map(|group| (self.squares_from(track, group, groups[group].len()), group))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(NEAR);
        let n_own = groups[own].len();
        let leaving = self.squares_from(track, own, n_own);
        let mut best = (-ROUNDING * leaving, None);
        for (distance, group) in near {
            let n = groups[group].len() as f64;
            if n_own > k {
                let shrunk = n_own as f64 / (n_own as f64 - 1.0);
                let rise = n / (n + 1.0) * distance - shrunk * leaving;
                if rise < best.0 {
                    best = (rise, Some(Change::Move(group)));
                }
            }
            for other in &groups[group] {
                let rise = self.of_swap(track, *other, (n_own as f64, n));
                if rise < best.0 {
                    best = (rise, Some(Change::Swap(*other)));
                }
            }
        }
        best.1
    }

    /// How much the sum of squares rises if two tracks change places.
    fn of_swap(&self, one: usize, other: usize, (n_one, n_other): (f64, f64)) -> f64 {
        let sums = self.sums[self.of[one]].iter().zip(&self.sums[self.of[other]]);
        let (mut by_one, mut by_other, mut squares) = (0.0, 0.0, 0.0);
        for ((a, b), (of_one, of_other)) in
            self.points[one].iter().zip(&self.points[other]).zip(sums)
        {
            let step = b - a;
            by_one += of_one * step;
            by_other += of_other * step;
            squares += step * step;
        }
        (2.0 * by_other - squares) / n_other - (2.0 * by_one + squares) / n_one
    }

    fn apply(&mut self, track: usize, change: Change, groups: &mut [Vec<usize>]) {
        let own = self.of[track];
        match change {
            Change::Move(group) => self.put(track, own, group, groups),
            Change::Swap(other) => {
                let group = self.of[other];
                self.put(track, own, group, groups);
                self.put(other, group, own, groups);
            }
        }
    }

    fn put(&mut self, track: usize, from: usize, to: usize, groups: &mut [Vec<usize>]) {
        groups[from].retain(|member| *member != track);
        groups[to].push(track);
        self.of[track] = to;
        add(&mut self.sums[from], &self.points[track], -1.0);
        add(&mut self.sums[to], &self.points[track], 1.0);
    }
}

fn add(sum: &mut [f64], point: &[f64], sign: f64) {
    sum.iter_mut().zip(point).for_each(|(sum, number)| *sum += sign * number);
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;
    use crate::data::plane::{Plane, Position};
    use crate::models::AskedTracks;

    fn squares(points: &[Vec<f64>], groups: &[Vec<usize>]) -> f64 {
        let of_group = |members: &Vec<usize>| {
            let n = members.len() as f64;
            let mean = |tick: usize| members.iter().map(|at| points[*at][tick]).sum::<f64>() / n;
            let means: Vec<f64> = (0..points[0].len()).map(mean).collect();
            let of = |at: &usize| {
                points[*at].iter().zip(&means).map(|(own, mean)| (own - mean).powi(2)).sum::<f64>()
            };
            members.iter().map(of).sum::<f64>()
        };
        groups.iter().map(of_group).sum()
    }

    /// The smallest sum of squares of any partition into groups of at least k.
    fn least(points: &[Vec<f64>], k: usize) -> f64 {
        fn go(at: usize, points: &[Vec<f64>], k: usize, groups: &mut Vec<Vec<usize>>) -> f64 {
            if at == points.len() {
                let is_fine = groups.iter().all(|group| group.len() >= k);
                return if is_fine { squares(points, groups) } else { f64::INFINITY };
            }
            let mut best = f64::INFINITY;
            for group in 0..groups.len() {
                groups[group].push(at);
                best = best.min(go(at + 1, points, k, groups));
                groups[group].pop();
            }
            groups.push(vec![at]);
            best = best.min(go(at + 1, points, k, groups));
            groups.pop();
            best
        }
        go(0, points, k, &mut Vec::new())
    }

    #[test]
    fn groups_get_tighter_and_stay_large_enough() {
        let mut seed = 3u64;
        let mut below = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % bound
        };
        let (mut tighter, mut optimal) = (0, 0);
        for _ in 0..100 {
            let (n, k) = (6 + below(3) as usize, 2 + below(2) as usize);
            let tracks: Vec<Synchronous> = (0..n)
                .map(|_| {
                    let mut at = || Position { x: below(50) as f64, y: below(50) as f64 };
                    Synchronous { start: 0, positions: vec![at(), at()] }
                })
                .collect();
            let tracks: Vec<&Synchronous> = tracks.iter().collect();
            let task = MovingTask {
                tracks: &[],
                fixes: &[],
                plane: Plane::Flat,
                asked: AskedTracks { k: k as u64, delta: 0.0 },
                trash: 0,
                seed: Some(1),
                observer: &Unobserved,
            };
            // One after the other; the last group has what is left.
            let n_groups = n / k;
            let mut groups: Vec<Vec<usize>> = vec![Vec::new(); n_groups];
            (0..n).for_each(|at| groups[(at / k).min(n_groups - 1)].push(at));
            let points = points_of(&task, &tracks);
            let before = squares(&points, &groups);
            exchange(&task, &points, &mut groups, k).unwrap();
            let mut all: Vec<usize> = groups.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
            assert!(groups.iter().all(|group| group.len() >= k));
            let (after, best) = (squares(&points, &groups), least(&points, k));
            assert!(after <= before + 1e-6 && after >= best - 1e-6, "{before} {after} {best}");
            tighter += u32::from(after < before - 1e-6);
            optimal += u32::from(after < best + 1e-6);
        }
        assert!(tighter > 80 && optimal > 30, "{tighter} {optimal}");
    }
}
