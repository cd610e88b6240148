//! Checks tracks whose times were moved: each published position stands for a moment of its own
//! track, from its first to its last, and is no further from it, in space and in time, than the
//! report says.

use super::groups::TOLERANCE;
use crate::algorithms::moving::{Moment, MovedTracks};
use crate::data::plane::{Plane, Position};
use crate::data::tracks::Fix;

/// How far the positions of a published track were moved, in space and in time.
pub struct Distances {
    /// In space, one after the other.
    pub moved: Vec<f64>,
    /// In time.
    pub shifted: Vec<f64>,
}

/// Compare a published track with its own. The error says what is wrong with it.
pub fn check(
    decided: &MovedTracks,
    moments: &[Moment],
    own: &[Fix],
    published: &[Fix],
    plane: Plane,
) -> Result<Distances, &'static str> {
    let (Some(first), Some(last)) = (own.first(), own.last()) else {
        return Err("is published and has no positions of its own");
    };
    if moments.len() != published.len() || moments.is_empty() {
        return Err("hasn't as many positions as were decided");
    }
    let is_same = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs() * 1e-6);
    let begins = moments.first().is_some_and(|moment| is_same(moment.own, first.time));
    let ends = moments.last().is_some_and(|moment| is_same(moment.own, last.time));
    // A single position is between the beginning and the end.
    if moments.len() > 1 && !(begins && ends) {
        return Err("doesn't stand for all of its own");
    }
    if moments.windows(2).any(|pair| pair[0].own > pair[1].own) {
        return Err("goes back in time");
    }
    let farthest = decided.farthest * (1.0 + TOLERANCE) + plane.slack(0.0) + TOLERANCE;
    let latest = decided.latest * (1.0 + TOLERANCE) + 1e-6;
    let mut found = Distances { moved: Vec::new(), shifted: Vec::new() };
    for (moment, fix) in moments.iter().zip(published) {
        if !is_same(moment.published, fix.time) {
            return Err("is at other times than were decided");
        }
        let moved = plane.distance(position_at(own, moment.own), fix.position);
        let shifted = (fix.time - moment.own).abs();
        if moved > farthest || shifted > latest {
            return Err("was moved further than the report says");
        }
        found.moved.push(moved);
        found.shifted.push(shifted);
    }
    Ok(found)
}

/// Where a track is at a time, on straight lines between its positions.
pub(super) fn position_at(track: &[Fix], time: f64) -> Position {
    let next = track.partition_point(|fix| fix.time < time).min(track.len() - 1);
    let (before, after) = (track[next.saturating_sub(1)], track[next]);
    let length = after.time - before.time;
    let part = if length > 0.0 { ((time - before.time) / length).clamp(0.0, 1.0) } else { 1.0 };
    let between = |a: f64, b: f64| a + (b - a) * part;
    Position {
        x: between(before.position.x, after.position.x),
        y: between(before.position.y, after.position.y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(time: f64, x: f64) -> Fix {
        Fix { time, position: Position { x, y: 0.0 } }
    }

    #[test]
    fn a_track_stands_for_all_of_its_own_and_no_further_than_said() {
        let own = [fix(0.0, 0.0), fix(10.0, 100.0), fix(20.0, 100.0)];
        let published = [fix(3.0, 4.0), fix(13.0, 104.0), fix(23.0, 96.0)];
        let moments = [(3.0, 0.0), (13.0, 10.0), (23.0, 20.0)]
            .map(|(published, own)| Moment { published, own });
        let said =
            MovedTracks { farthest: 4.0, latest: 3.0, ..MovedTracks::of(Vec::new(), 1, None) };
        let check = |said: &MovedTracks, moments: &[Moment], published: &[Fix]| {
            check(said, moments, &own, published, Plane::Flat).map(|found| found.moved)
        };
        assert_eq!(check(&said, &moments, &published), Ok(vec![4.0, 4.0, 4.0]));
        let closer = MovedTracks { farthest: 3.9, ..said.clone() };
        assert!(check(&closer, &moments, &published).is_err());
        let sooner = MovedTracks { latest: 2.9, ..said.clone() };
        assert!(check(&sooner, &moments, &published).is_err());
        // The end is missing, a time is another, or the way goes back.
        assert!(check(&said, &moments[..2], &published[..2]).is_err());
        let late = [published[0], fix(13.1, 104.0), published[2]];
        assert!(check(&said, &moments, &late).is_err());
        let mut back = moments;
        back[1].own = 25.0;
        assert!(check(&said, &back, &published).is_err());
        assert_eq!(position_at(&own, 5.0).x, 50.0);
    }
}
