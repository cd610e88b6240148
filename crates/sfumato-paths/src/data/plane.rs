//! Where positions are, and how far apart: on a plane in any unit, or in degrees on the earth.
//!
//! Distances in degrees are measured in metres on a sphere with the largest radius of curvature
//! that the earth has anywhere: every other formula finds positions to be closer, so that a promise
//! about distances holds by all of them. Positions must not lie on both sides of the 180th
//! meridian.

/// A position: x and y, or longitude and latitude.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Position {
    /// The x, or the longitude in degrees.
    pub x: f64,
    /// The y, or the latitude in degrees.
    pub y: f64,
}

/// The largest radius of curvature of the earth (WGS 84, at the poles), in metres.
const RADIUS: f64 = 6_399_593.626;
/// How many digits after the point degrees are published with: a centimetre.
const DIGITS: usize = 7;

/// What the numbers of positions mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// Numbers of any unit.
    Flat,
    /// Degrees.
    Degrees,
}

impl Plane {
    /// How much a unit of x and of y is near a position.
    pub fn scale(self, near_y: f64) -> (f64, f64) {
        match self {
            Plane::Flat => (1.0, 1.0),
            Plane::Degrees => {
                let degree = RADIUS.to_radians();
                (degree * near_y.to_radians().cos().max(0.0), degree)
            }
        }
    }

    /// How far apart two positions are.
    pub fn distance(self, a: Position, b: Position) -> f64 {
        // The parallel nearer to the equator is the longer one.
        let near_y = if a.y.abs() < b.y.abs() { a.y } else { b.y };
        let (per_x, per_y) = self.scale(near_y);
        ((a.x - b.x) * per_x).hypot((a.y - b.y) * per_y)
    }

    /// A position on the way from a centre to another, at most so far from the centre.
    pub fn within(self, centre: Position, position: Position, radius: f64) -> Position {
        let distance = self.distance(centre, position);
        if distance <= radius {
            return position;
        }
        let part = radius / distance;
        Position {
            x: centre.x + (position.x - centre.x) * part,
            y: centre.y + (position.y - centre.y) * part,
        }
    }

    /// How much distances grow at most by rounding two positions to what is published, and by
    /// measuring from another place than the centre between them.
    pub fn slack(self, distance: f64) -> f64 {
        match self {
            Plane::Flat => 0.0,
            Plane::Degrees => 0.05 + distance * 1e-4,
        }
    }

    /// A coordinate as it is published.
    pub fn spell(self, coordinate: f64) -> String {
        match self {
            Plane::Flat => format!("{coordinate}"),
            Plane::Degrees => format!("{coordinate:.DIGITS$}"),
        }
    }

    /// A coordinate as it is read again after it was published.
    pub fn rounded(self, coordinate: f64) -> f64 {
        const UNITS: f64 = 1e7;
        match self {
            Plane::Flat => coordinate,
            // Both are the number that is nearest to the decimal.
            Plane::Degrees => (coordinate * UNITS).round() / UNITS,
        }
    }

    /// Whether a coordinate can be one: `is_y` says which.
    pub fn is_valid(self, coordinate: f64, is_y: bool) -> bool {
        let most = if is_y { 90.0 } else { 180.0 };
        coordinate.is_finite() && (self == Plane::Flat || coordinate.abs() <= most)
    }

    /// The cell of a grid that a position is in, by its column and row. Cells of one row have the
    /// same width in degrees, such that they are nowhere narrower than they should be.
    pub fn cell(self, position: Position, width: f64) -> (i64, i64) {
        let (_, per_y) = self.scale(0.0);
        let row = (position.y * per_y / width).floor();
        // The edge of the row that is nearer to the pole is the shorter one.
        let edges = [row * width / per_y, (row + 1.0) * width / per_y];
        let far = if edges[0].abs() > edges[1].abs() { edges[0] } else { edges[1] };
        let (per_x, _) = self.scale(far);
        let column = if per_x > 0.0 { (position.x * per_x / width).floor() } else { 0.0 };
        (column as i64, row as i64)
    }
}

/// The mean of positions.
pub fn mean(positions: impl Iterator<Item = Position>) -> Position {
    let (mut sum, mut n) = (Position::default(), 0.0);
    for position in positions {
        sum = Position { x: sum.x + position.x, y: sum.y + position.y };
        n += 1.0;
    }
    Position { x: sum.x / n, y: sum.y / n }
}

/// A line of positions as whole numbers of one unit in both directions, for a map.
pub fn drawn_line(plane: Plane, positions: &mut dyn Iterator<Item = Position>) -> Vec<(i64, i64)> {
    // Mercator: shapes stay as they are.
    let place = |at: Position| match plane {
        Plane::Flat => (at.x * 10.0, at.y * 10.0),
        Plane::Degrees => {
            let north = at.y.clamp(-85.0, 85.0).to_radians();
            ((at.x) * 1e6, north.tan().asinh().to_degrees() * 1e6)
        }
    };
    let mut line: Vec<(i64, i64)> =
        positions.map(place).map(|(x, y)| (x.round() as i64, y.round() as i64)).collect();
    line.dedup();
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_never_less_than_they_are() {
        let at = |x, y| Position { x, y };
        assert_eq!(Plane::Flat.distance(at(0.0, 0.0), at(3.0, 4.0)), 5.0);
        // A degree of latitude is 110,574 to 111,694 m, one of longitude at 60 degrees 55,800 m.
        let north = Plane::Degrees.distance(at(10.0, 59.5), at(10.0, 60.5));
        assert!((111_412.0..112_000.0).contains(&north), "{north}");
        let east = Plane::Degrees.distance(at(10.0, 60.0), at(11.0, 60.0));
        assert!((55_800.0..56_000.0).contains(&east), "{east}");
        let near = Plane::Degrees.within(at(10.0, 60.0), at(11.0, 60.5), 100.0);
        let found = Plane::Degrees.distance(at(10.0, 60.0), near);
        assert!((found - 100.0).abs() < 0.1, "{found}");
    }

    #[test]
    fn a_rounded_coordinate_is_the_one_that_is_read_again() {
        for n in -400..400 {
            let x = f64::from(n) * 0.448_273_918_273_645_1;
            let read: f64 = Plane::Degrees.spell(x).parse().unwrap();
            assert_eq!(Plane::Degrees.rounded(x), read);
        }
    }

    #[test]
    fn cells_are_squares_of_at_least_their_width() {
        let at = |x, y| Position { x, y };
        assert_eq!(Plane::Flat.cell(at(-0.5, 12.0), 10.0), (-1, 1));
        let start = at(116.3, 39.98);
        let cell = Plane::Degrees.cell(start, 500.0);
        let mut x = start.x;
        let step = 1e-5;
        // The width of the next cell, by walking through it.
        let (mut entered, mut left) = (None, None);
        while left.is_none() {
            x += step;
            let column = Plane::Degrees.cell(at(x, start.y), 500.0).0;
            if column == cell.0 + 1 && entered.is_none() {
                entered = Some(x);
            }
            left = (column == cell.0 + 2).then_some(x);
        }
        let width = Plane::Degrees.distance(at(entered.unwrap(), start.y), at(x, start.y));
        assert!((499.0..505.0).contains(&width), "{width}");
    }
}
