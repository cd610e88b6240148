//! Regions: boxes with sides along the axes, in which somebody is at a time.

use super::plane::{Plane, Position};

/// A box from one corner to the other, both included. A point is a box of one corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// The corner with the smallest coordinates.
    pub from: Position,
    /// The corner with the largest coordinates.
    pub to: Position,
}

impl Region {
    /// The box of one position.
    pub fn point(position: Position) -> Region {
        Region { from: position, to: position }
    }
    /// Whether it is a single position.
    pub fn is_point(&self) -> bool {
        self.from == self.to
    }
    /// The smallest box around positions. `None` without any.
    pub fn around(positions: impl Iterator<Item = Position>) -> Option<Region> {
        positions.map(Region::point).reduce(|a, b| Region {
            from: Position { x: a.from.x.min(b.from.x), y: a.from.y.min(b.from.y) },
            to: Position { x: a.to.x.max(b.to.x), y: a.to.y.max(b.to.y) },
        })
    }
    /// Whether a position is in it.
    pub fn has(&self, position: Position) -> bool {
        (self.from.x..=self.to.x).contains(&position.x)
            && (self.from.y..=self.to.y).contains(&position.y)
    }
    /// The box with its sides moved outwards to multiples of a number, so that they are nobody's
    /// coordinates.
    pub fn snapped(&self, plane: Plane, to: f64) -> Region {
        let down = |number: f64| plane.rounded((number / to).floor() * to);
        let up = |number: f64| plane.rounded((number / to).ceil() * to);
        // Rounding must not cut anybody off.
        Region {
            from: Position {
                x: down(self.from.x).min(self.from.x),
                y: down(self.from.y).min(self.from.y),
            },
            to: Position { x: up(self.to.x).max(self.to.x), y: up(self.to.y).max(self.to.y) },
        }
    }
    /// How many cells of a grid it meets: at least one.
    pub fn cells(&self, plane: Plane, width: f64) -> f64 {
        let first = plane.cell(self.from, width);
        // Columns are counted in the row of the first corner, where rows have columns of their own.
        let last_column = plane.cell(Position { x: self.to.x, y: self.from.y }, width).0;
        let last_row = plane.cell(self.to, width).1;
        ((last_column - first.0) as f64 + 1.0) * ((last_row - first.1) as f64 + 1.0)
    }
}

/// A region at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionFix {
    /// The time.
    pub time: f64,
    /// The region.
    pub region: Region,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_hold_what_they_are_made_around() {
        let at = |x: f64, y: f64| Position { x, y };
        let region = Region::around([at(2.0, 1.0), at(2.0, 2.0)].into_iter()).unwrap();
        assert!(region.has(at(2.0, 1.5)) && !region.has(at(2.1, 1.5)));
        // Cells count with both ends, as in the book: two here, and four there.
        assert_eq!(region.cells(Plane::Flat, 1.0), 2.0);
        let other = Region::around([at(6.0, 6.0), at(7.0, 7.0)].into_iter()).unwrap();
        assert_eq!(other.cells(Plane::Flat, 1.0), 4.0);
        let snapped = other.snapped(Plane::Flat, 5.0);
        assert_eq!((snapped.from, snapped.to), (at(5.0, 5.0), at(10.0, 10.0)));
        let near = Region::point(at(116.301_234_5, 39.98)).snapped(Plane::Degrees, 0.01);
        assert!(near.has(at(116.301_234_5, 39.98)) && (near.to.x - 116.31).abs() < 1e-9);
    }
}
