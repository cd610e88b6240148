//! Stay points: parts of a track that don't leave a place for long, and the places at which
//! somebody stays longest.

use super::plane::{Plane, Position, mean};
use super::tracks::Fix;

/// What a stay is.
pub struct Stays {
    /// What coordinates mean.
    pub plane: Plane,
    /// How far somebody moves at most from where the stay began.
    pub radius: f64,
    /// How long it lasts at least.
    pub long: f64,
}

/// A stay: where, and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stay {
    /// The mean of the positions.
    pub place: Position,
    /// The time from the first position to the last.
    pub long: f64,
}

impl Stays {
    /// The stays of a track, one after the other.
    pub fn of(&self, track: &[Fix]) -> Vec<Stay> {
        let mut found = Vec::new();
        let mut first = 0;
        while first < track.len() {
            let is_near =
                |fix: &Fix| self.plane.distance(fix.position, track[first].position) <= self.radius;
            let n = track[first..].iter().take_while(|fix| is_near(fix)).count();
            let part = &track[first..first + n];
            let long = part.last().map_or(0.0, |last| last.time - part[0].time);
            if long >= self.long {
                found.push(Stay { place: mean(part.iter().map(|fix| fix.position)), long });
                first += n;
            } else {
                first += 1;
            }
        }
        found
    }
}

/// The places at which a track stays longest, at most so many, the longest first. Stays within the
/// radius of each other are one place.
pub fn anchors(stays: &Stays, track: &[Fix], n: usize) -> Vec<Position> {
    let mut places: Vec<Stay> = Vec::new();
    for stay in stays.of(track) {
        let near = places
            .iter_mut()
            .find(|place| stays.plane.distance(place.place, stay.place) <= stays.radius);
        match near {
            // Longer stays weigh more.
            Some(place) => {
                let part = stay.long / (stay.long + place.long).max(f64::MIN_POSITIVE);
                place.place.x += (stay.place.x - place.place.x) * part;
                place.place.y += (stay.place.y - place.place.y) * part;
                place.long += stay.long;
            }
            None => places.push(stay),
        }
    }
    places.sort_by(|a, b| b.long.total_cmp(&a.long));
    places.into_iter().take(n).map(|stay| stay.place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_stays_somewhere_long_enough_is_found_there() {
        let fix = |time: f64, x: f64| Fix { time, position: Position { x, y: 0.0 } };
        let track = [
            // An hour at home, a way, two hours at work, home again.
            vec![fix(0.0, 0.0), fix(1800.0, 5.0), fix(3600.0, 1.0)],
            vec![fix(3700.0, 500.0), fix(3800.0, 1000.0)],
            vec![fix(3900.0, 2000.0), fix(7500.0, 2010.0), fix(11_100.0, 2005.0)],
            vec![fix(11_300.0, 900.0), fix(11_500.0, 3.0), fix(15_500.0, 3.0)],
        ]
        .concat();
        let stays = Stays { plane: Plane::Flat, radius: 50.0, long: 1800.0 };
        let found = stays.of(&track);
        assert_eq!(
            found.iter().map(|stay| stay.long).collect::<Vec<_>>(),
            [3600.0, 7200.0, 4000.0]
        );
        let places = anchors(&stays, &track, 2);
        assert!(places[0].x < 5.0 && (places[1].x - 2005.0).abs() < 1.0, "{places:?}");
        assert!(anchors(&stays, &track[..1], 2).is_empty());
    }
}
