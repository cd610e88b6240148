//! Aligned microaggregation: tracks needn't be there at the same times to be published alike. They
//! are paired position by position from their beginnings to their ends, and a group is published as
//! the mean of its positions and of its times.

mod points;

use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use super::exchange::exchange;
use super::{Moment, MovedTracks, MovingAlgorithm, MovingTask};
use crate::data::plane::{Position, mean};
use crate::data::synchronous::Synchronous;
use crate::data::tracks::{Fix, along};
use points::{groups_of, joined, mean_speed, points_of, without_neighbours};

/// The algorithm.
pub struct AlignedMicroaggregation;

static INFO: Info = Info {
    name: "aligned-microaggregation",
    summary: "pair positions of tracks by their number, and publish groups of at least k near ones \
              as the mean of their positions and times; nothing is cut off",
    papers: &[Paper {
        authors: "J. Domingo-Ferrer, R. Trujillo-Rasua",
        title: "Microaggregation- and permutation-based anonymization of movement data",
        venue: "Information Sciences",
        year: 2012,
    }],
    params: &[
        ParamSpec::optional(
            "speed",
            ParamKind::Number { min: 0.0, above: false, max: 1e9 },
            "how far a position counts as off for each second, or unit of time, that it is \
             published earlier or later; the mean speed of all tracks if not said",
        ),
        ParamSpec::optional(
            "radius",
            ParamKind::Number { min: 0.0, above: true, max: 1e12 },
            "a track with fewer than k - 1 others within this distance is left out, and tracks \
             that no chain of steps of this length joins are never together; without it nobody is \
             left out",
        ),
        ParamSpec::with_default(
            "exchange",
            ParamKind::Flag,
            "true",
            "whether tracks change groups at the end, as long as the sum of squared distances from \
             the means falls",
        ),
    ],
    doc: "\
`never-walk-alone` and `track-microaggregation` put only those together that begin and end at the \
same tick: what is outside is cut off, and who has no k - 1 others is left out. Here tracks of all \
times may be together. The first position of one is paired with the first of the other, the last \
with the last, and those between by their share of all positions; the distance of two tracks is \
the \
root of the mean square over such pairs, to which the difference in time adds the way that is gone \
in it at `speed`. Groups are made as MDAV makes them for numbers, and tracks change groups and \
places as long as the sum of squared distances from the means falls.

A group is published as one track, as often as it has members: it has as many positions as they \
have on average, each the mean of those that are paired, at the mean of their times. \
`k-delta-anonymity` holds for every delta, 0 included. Nothing is cut off at the ends, and nobody \
is left out unless `radius` is said; in exchange **times are moved, too**: the report says how far \
on average and at most, and `time-shift` measures it. A larger `speed` moves times less and \
positions more.

With `every=..` in the layout positions on that clock are paired, without it those that were \
measured. Time grows with the square of the number of tracks.
",
    capabilities: Capabilities {
        serves: &[Fact::Tracks],
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl MovingAlgorithm for AlignedMicroaggregation {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn keeps_clock(&self) -> bool {
        false
    }
    fn anonymize(&self, params: &Params, task: &MovingTask<'_>) -> Result<MovedTracks> {
        task.observer.begin("anonymize", 0, Unit::Rows);
        let k = usize::try_from(task.asked.k).unwrap_or(usize::MAX).max(1);
        let mut taken: Vec<u32> = (0..)
            .zip(task.fixes)
            .filter(|(_, fixes)| !fixes.is_empty())
            .map(|(at, _)| at)
            .collect();
        let tracks = |taken: &[u32]| -> Vec<&[Fix]> {
            taken.iter().map(|track| &task.fixes[*track as usize][..]).collect()
        };
        let own = tracks(&taken);
        let speed = params.optional_number("speed").unwrap_or_else(|| mean_speed(task.plane, &own));
        let mut points = points_of(task.plane, &own, speed);
        let radius = params.optional_number("radius");
        if let Some(radius) = radius {
            let is_alone = without_neighbours(task, &points, k, radius)?;
            let mut at = 0..;
            points.retain(|_| at.next().is_some_and(|at: usize| !is_alone[at]));
            let mut at = 0..;
            taken.retain(|_| at.next().is_some_and(|at: usize| !is_alone[at]));
        }
        let left_out = task.fixes.len() - taken.len();
        if left_out > task.trash {
            let why = match radius {
                None => "have no position at a tick of the clock".to_string(),
                Some(_) => format!("have no {} others within the radius", k - 1),
            };
            return Err(Error::infeasible(format!(
                "{left_out} tracks {why}, and {} may be left out",
                task.trash
            ))
            .hint("say a larger radius or none, or allow more with --max-suppression"));
        }
        if taken.len() < k {
            return Err(Error::infeasible(format!("{} tracks are fewer than k", taken.len()))
                .hint("say a larger radius or none, or ask for a smaller k"));
        }
        // Those that no chain of near tracks joins are never together: each part has k at least,
        // since everybody in it has k - 1 others near.
        let parts = match radius {
            None => vec![(0..points.len()).collect()],
            Some(radius) => joined(task, &points, radius)?,
        };
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for part in parts {
            let own: Vec<Vec<f64>> = part.iter().map(|at| points[*at].clone()).collect();
            let mut found = groups_of(task, &own, k)?;
            if params.flag("exchange") {
                exchange(task, &own, &mut found, k)?;
            }
            let name = |group: Vec<usize>| group.into_iter().map(|at| taken[part[at]]).collect();
            groups.extend(found.into_iter().map(name));
        }
        task.observer.end();
        Ok(publish(task, groups, radius))
    }
}

/// Publish each group as its mean, in space and time.
fn publish(task: &MovingTask<'_>, groups: Vec<Vec<u32>>, radius: Option<f64>) -> MovedTracks {
    let n = task.fixes.len();
    let is_whole = |fix: &Fix| fix.time.fract() == 0.0;
    let unit = if task.fixes.iter().flatten().all(is_whole) { 1.0 } else { 1e6 };
    let mut moments: Vec<Vec<Moment>> = vec![Vec::new(); n];
    let mut moved = MovedTracks { tracks: vec![None; n], ..MovedTracks::of(groups, 1, radius) };
    for group in &moved.groups {
        let members: Vec<&[Fix]> =
            group.iter().map(|track| &task.fixes[*track as usize][..]).collect();
        let all: usize = members.iter().map(|track| track.len()).sum();
        let length = ((all as f64 / members.len() as f64).round() as usize).max(1);
        let mut positions: Vec<Position> = Vec::with_capacity(length);
        let mut last = f64::NEG_INFINITY;
        for at in 0..length {
            let part = if length > 1 { at as f64 / (length - 1) as f64 } else { 0.5 };
            let paired: Vec<Fix> = members.iter().map(|track| along(track, part)).collect();
            let sum: f64 = paired.iter().map(|fix| fix.time).sum();
            let time = (sum / paired.len() as f64 * unit).round() / unit;
            let is_last = at + 1 == length;
            // Two positions at one time would be read as one: of those that fall together by
            // rounding the first stays, but for the last of all.
            if time <= last && is_last && positions.len() > 1 {
                positions.pop();
                group.iter().for_each(|track| {
                    moments[*track as usize].pop();
                });
            } else if time <= last {
                continue;
            }
            last = time;
            let centre = mean(paired.iter().map(|fix| fix.position));
            positions.push(centre);
            for (track, own) in group.iter().zip(&paired) {
                moments[*track as usize].push(Moment { published: time, own: own.time });
                let far = task.plane.distance(own.position, centre);
                moved.farthest = moved.farthest.max(far);
                moved.latest = moved.latest.max((own.time - time).abs());
            }
        }
        for track in group {
            let positions = positions.clone();
            moved.tracks[*track as usize] = Some(Synchronous { start: 0, positions });
        }
    }
    moved.moments = Some(moments);
    moved
}

#[cfg(test)]
mod tests;
