//! How far apart two tracks of the same interval are.

use crate::data::plane::Plane;
use crate::data::synchronous::Synchronous;

/// A distance between tracks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distance {
    /// The mean of the distances at each tick.
    Euclid,
    /// The edit distance on real sequences: how many positions must be inserted, deleted or
    /// replaced until the others match within a tolerance, as a share of all, times the tolerance
    /// so that it is a length.
    Edr(f64),
}

impl Distance {
    /// The words that a user writes.
    pub const NAMES: [&'static str; 2] = ["euclid", "edr"];

    /// How far apart two tracks are.
    pub fn between(self, plane: Plane, a: &Synchronous, b: &Synchronous) -> f64 {
        match self {
            Distance::Euclid => {
                let pairs = a.positions.iter().zip(&b.positions);
                let sum: f64 = pairs.map(|(a, b)| plane.distance(*a, *b)).sum();
                sum / a.positions.len().max(1) as f64
            }
            Distance::Edr(tolerance) => {
                let longest = a.positions.len().max(b.positions.len()).max(1);
                edr(plane, a, b, tolerance) as f64 / longest as f64 * tolerance
            }
        }
    }
}

/// The edit distance on real sequences (Chen, Özsu, Oria 2005): how many edits make one track
/// match the other within a tolerance in each coordinate.
pub fn edr(plane: Plane, a: &Synchronous, b: &Synchronous, tolerance: f64) -> usize {
    let mut row: Vec<usize> = (0..=b.positions.len()).collect();
    for (i, one) in a.positions.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.positions.iter().enumerate() {
            let (per_x, per_y) = plane.scale(one.y);
            let matches = ((one.x - other.x) * per_x).abs() <= tolerance
                && ((one.y - other.y) * per_y).abs() <= tolerance;
            let replaced = diagonal + usize::from(!matches);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.positions.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::plane::Position;

    fn track(xs: &[f64]) -> Synchronous {
        let positions = xs.iter().map(|x| Position { x: *x, y: 0.0 }).collect();
        Synchronous { start: 0, positions }
    }

    #[test]
    fn tracks_are_as_far_apart_as_their_positions() {
        let (a, b) = (track(&[0.0, 10.0]), track(&[3.0, 11.0]));
        assert_eq!(Distance::Euclid.between(Plane::Flat, &a, &b), 2.0);
        assert_eq!(edr(Plane::Flat, &a, &b, 1.0), 1);
        // A detour of one position is one edit, however far it is.
        let (a, b) = (track(&[0.0, 1.0, 2.0]), track(&[0.0, 900.0, 1.0, 2.0]));
        assert_eq!(edr(Plane::Flat, &a, &b, 0.5), 1);
        assert_eq!(edr(Plane::Flat, &a, &track(&[]), 0.5), 3);
        assert_eq!(Distance::Edr(0.5).between(Plane::Flat, &a, &b), 0.125);
    }
}
