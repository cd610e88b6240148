//! Tracks that aren't true or don't protect: the verifier must see through each. Only tests tell
//! them.

use sfumato_engine::lie::{Lie, Subject};

use super::decide::Decided;
use crate::data::plane::Plane;
use crate::data::read::Loaded;
use crate::data::synchronous::{Synchronous, Ticks, synchronize};

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, Decided>> {
    vec![
        Lie {
            name: "every track is published where it was",
            subject: Subject::Privacy,
            tell: |loaded, decided| {
                let own = own_tracks(loaded, decided);
                let mut is_other = false;
                for (track, own) in decided.moved.tracks.iter_mut().zip(&own) {
                    if let Some(track) = track {
                        let part = own.part(track.start, track.end());
                        is_other |= part != *track;
                        *track = part;
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
                let own = own_tracks(loaded, decided);
                let farthest = decided.moved.farthest;
                let tracks = &decided.moved.tracks;
                let Some(at) = tracks.iter().position(Option::is_some) else { return false };
                let (start, end) = tracks[at].as_ref().map_or((0, 0), |t| (t.start, t.end()));
                let mine = own[at].part(start, end);
                let is_far = |other: &&Synchronous| {
                    let mut pairs = mine.positions.iter().zip(&other.positions);
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

/// The tracks as they were, on the clock of the decision.
fn own_tracks(loaded: &Loaded, decided: &Decided) -> Vec<Synchronous> {
    let every = match &decided.ticks {
        Ticks::Every(every) => Some(*every),
        Ticks::Listed(_) => None,
    };
    loaded.tracks.as_ref().map_or(Vec::new(), |data| synchronize(data, every).1)
}
