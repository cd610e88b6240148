//! Tracks that aren't true or don't protect: the verifier must see through each. Only tests tell
//! them.

use sfumato_engine::lie::{Lie, Subject};

use super::aligned::position_at;
use super::decide::Decided;
use crate::algorithms::moving::Moment;
use crate::data::plane::{Plane, Position};
use crate::data::read::Loaded;
use crate::data::synchronous::{Synchronous, Ticks, synchronize};
use crate::data::tracks::Fix;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, Decided>> {
    vec![
        Lie {
            name: "every track is published where it was",
            subject: Subject::Privacy,
            tell: |loaded, decided| {
                let own = own_parts(loaded, decided);
                let mut is_other = false;
                for (track, own) in decided.moved.tracks.iter_mut().zip(own) {
                    if let (Some(track), Some(own)) = (track, own) {
                        is_other |= own != track.positions;
                        track.positions = own;
                    }
                }
                is_other
            },
        },
        Lie {
            name: "a position is somewhere else",
            subject: Subject::Cell,
            tell: |loaded, decided| {
                let Some(plane) = loaded.tracks.as_ref().map(|data| data.plane) else {
                    return false;
                };
                let track = decided.moved.tracks.iter_mut().flatten().next();
                let Some(position) = track.and_then(|track| track.positions.first_mut()) else {
                    return false;
                };
                // Further away than any was moved, and still on the earth.
                let far = decided.moved.farthest * 3.0 + 1000.0;
                let far = if plane == Plane::Degrees { (far / 1e5).min(30.0) } else { far };
                position.y += if position.y > 0.0 { -far } else { far };
                true
            },
        },
        Lie {
            name: "a record is published with the track of another",
            subject: Subject::Row,
            tell: |loaded, decided| {
                let Some(data) = &loaded.tracks else { return false };
                let own = own_parts(loaded, decided);
                let farthest = decided.moved.farthest;
                let tracks = &decided.moved.tracks;
                let Some(at) = tracks.iter().position(Option::is_some) else { return false };
                let (start, end) = tracks[at].as_ref().map_or((0, 0), |t| (t.start, t.end()));
                let Some(mine) = &own[at] else { return false };
                let is_far = |other: &&Synchronous| {
                    let mut pairs = mine.iter().zip(&other.positions);
                    (other.start, other.end()) == (start, end)
                        && pairs.any(|(a, b)| data.plane.distance(*a, *b) > 2.0 * farthest + 1.0)
                };
                let other = tracks.iter().flatten().find(is_far).cloned();
                let is_told = other.is_some();
                if is_told {
                    decided.moved.tracks[at] = other;
                }
                is_told
            },
        },
    ]
}

/// Where each published track was at the times that its positions stand for.
fn own_parts(loaded: &Loaded, decided: &Decided) -> Vec<Option<Vec<Position>>> {
    let Some(data) = &loaded.tracks else { return Vec::new() };
    if let Some(moments) = &decided.moved.moments {
        let at = |(own, moments): (&Vec<Fix>, &Vec<Moment>)| {
            let place = |moment: &Moment| position_at(own, moment.own);
            (!moments.is_empty()).then(|| moments.iter().map(place).collect())
        };
        return data.tracks.iter().zip(moments).map(at).collect();
    }
    let every = match &decided.ticks {
        Ticks::Every(every) => Some(*every),
        Ticks::Listed(_) => None,
    };
    let part = |(own, new): (Synchronous, &Option<Synchronous>)| {
        new.as_ref().map(|new| own.part(new.start, new.end()).positions)
    };
    synchronize(data, every).1.into_iter().zip(&decided.moved.tracks).map(part).collect()
}
