//! Tracks as points of many dimensions, such that squared distances of points are those of tracks,
//! and groups of points.

use rayon::prelude::*;
use sfumato_core::Result;

use crate::algorithms::moving::MovingTask;
use crate::data::plane::{Plane, mean};
use crate::data::tracks::{Fix, along};

/// At how many places along their ways tracks are compared.
const SAMPLES: usize = 16;

/// The way that all tracks go, over the time that it takes them; 1 where nobody moves.
pub fn mean_speed(plane: Plane, tracks: &[&[Fix]]) -> f64 {
    let (mut way, mut time) = (0.0, 0.0);
    for pair in tracks.iter().flat_map(|track| track.windows(2)) {
        way += plane.distance(pair[0].position, pair[1].position);
        time += pair[1].time - pair[0].time;
    }
    if way > 0.0 && time > 0.0 { way / time } else { 1.0 }
}

/// A point for each track. Degrees are measured at the mean latitude of all tracks.
pub fn points_of(plane: Plane, tracks: &[&[Fix]], speed: f64) -> Vec<Vec<f64>> {
    let centre = mean(tracks.iter().flat_map(|track| track.iter()).map(|fix| fix.position));
    let (per_x, per_y) = plane.scale(centre.y);
    let share = 1.0 / (SAMPLES as f64).sqrt();
    let point = |track: &&[Fix]| {
        let sample = |at: usize| {
            let fix = along(track, (at as f64 + 0.5) / SAMPLES as f64);
            let x = (fix.position.x - centre.x) * per_x;
            let y = (fix.position.y - centre.y) * per_y;
            [x * share, y * share, fix.time * speed * share]
        };
        (0..SAMPLES).flat_map(sample).collect()
    };
    tracks.par_iter().map(point).collect()
}

fn squares(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Which points have fewer than k - 1 others within a radius that aren't left out for the same
/// reason.
pub fn without_neighbours(
    task: &MovingTask<'_>,
    points: &[Vec<f64>],
    k: usize,
    radius: f64,
) -> Result<Vec<bool>> {
    let most = radius * radius;
    let is_near =
        |one: usize, other: usize| one != other && squares(&points[one], &points[other]) <= most;
    let all = 0..points.len();
    task.check_stopped()?;
    let mut near: Vec<usize> = all
        .clone()
        .into_par_iter()
        .map(|one| all.clone().filter(|other| is_near(one, *other)).count())
        .collect();
    let mut is_alone: Vec<bool> = near.iter().map(|near| near + 1 < k).collect();
    let mut gone: Vec<usize> = all.clone().filter(|one| is_alone[*one]).collect();
    while let Some(one) = gone.pop() {
        task.check_stopped()?;
        for other in all.clone().filter(|other| is_near(one, *other)) {
            near[other] -= 1;
            if near[other] + 1 < k && !is_alone[other] {
                is_alone[other] = true;
                gone.push(other);
            }
        }
    }
    Ok(is_alone)
}

/// The parts of points such that from each to every other of its part there is a way over others
/// with steps no longer than a radius, and none to those of other parts.
pub fn joined(task: &MovingTask<'_>, points: &[Vec<f64>], radius: f64) -> Result<Vec<Vec<usize>>> {
    let most = radius * radius;
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    while let Some(first) = left.pop() {
        let (mut part, mut at) = (vec![first], 0);
        while let Some(one) = part.get(at).copied() {
            task.check_stopped()?;
            left.retain(|other| {
                let is_near = squares(&points[one], &points[*other]) <= most;
                if is_near {
                    part.push(*other);
                }
                !is_near
            });
            at += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    Ok(parts)
}

/// Groups of k points, the last of up to 2k - 1: the farthest from the mean of those that are left
/// with its nearest, then the farthest from it with its own (MDAV).
pub fn groups_of(task: &MovingTask<'_>, points: &[Vec<f64>], k: usize) -> Result<Vec<Vec<usize>>> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    while left.len() >= 2 * k {
        task.check_stopped()?;
        let centre = mean_point(points, &left);
        let first = take(points, &mut left, &centre, k, &mut groups);
        if let Some(first) = first.filter(|_| left.len() >= 2 * k) {
            take(points, &mut left, &points[first], k, &mut groups);
        }
    }
    if !left.is_empty() {
        groups.push(left);
    }
    Ok(groups)
}

/// Make a group of the point that is farthest from another, and its nearest.
fn take(
    points: &[Vec<f64>],
    left: &mut Vec<usize>,
    from: &[f64],
    k: usize,
    groups: &mut Vec<Vec<usize>>,
) -> Option<usize> {
    let farthest = left.iter().map(|at| (squares(&points[*at], from), *at));
    let (_, first) = farthest.reduce(|one, other| if other.0 > one.0 { other } else { one })?;
    let others = left.iter().filter(|at| **at != first);
    let mut near: Vec<(f64, usize)> =
        others.map(|at| (squares(&points[*at], &points[first]), *at)).collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    near.truncate(k - 1);
    let members: Vec<usize> =
        std::iter::once(first).chain(near.into_iter().map(|(_, at)| at)).collect();
    left.retain(|at| !members.contains(at));
    groups.push(members);
    Some(first)
}

fn mean_point(points: &[Vec<f64>], of: &[usize]) -> Vec<f64> {
    let mut sum = vec![0.0; points.first().map_or(0, Vec::len)];
    for at in of {
        sum.iter_mut().zip(&points[*at]).for_each(|(sum, number)| *sum += number);
    }
    sum.iter_mut().for_each(|sum| *sum /= of.len().max(1) as f64);
    sum
}
