//! Hexagons of H3: names of cells of the earth that are nearly of one size everywhere.

use h3o::{LatLng, Resolution};

use super::plane::Position;

/// The hexagon of a position in degrees, by its number in hexadecimal digits.
pub fn hexagon(position: Position, resolution: u8) -> String {
    // What is no place on the earth was refused when it was read.
    let place = LatLng::new(position.y, position.x).expect("coordinates are finite");
    let resolution = Resolution::try_from(resolution).expect("the layout allows 0 to 15");
    place.to_cell(resolution).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexagons_are_those_of_the_format() {
        // The example of the documentation of H3: latToCell 37.3615593, -122.0553238.
        let place = Position { x: -122.0553238, y: 37.3615593 };
        assert_eq!(hexagon(place, 5), "85283473fffffff");
        assert_eq!(hexagon(place, 7), "87283472bffffff");
        assert_ne!(hexagon(Position { x: 180.0, y: 90.0 }, 0), hexagon(place, 0));
    }
}
