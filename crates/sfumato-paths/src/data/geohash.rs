//! Geohashes: names of cells of the earth, each letter a cell within the one before.

use super::plane::Position;

const LETTERS: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";

/// The geohash of a position in degrees, with so many letters.
pub fn geohash(position: Position, letters: usize) -> String {
    let (mut x, mut y) = ((-180.0, 180.0), (-90.0, 90.0));
    let mut is_x = true;
    let mut text = String::with_capacity(letters);
    for _ in 0..letters {
        let mut number = 0;
        for _ in 0..5 {
            let (range, at) = if is_x { (&mut x, position.x) } else { (&mut y, position.y) };
            let middle: f64 = (range.0 + range.1) / 2.0;
            let is_upper = at >= middle;
            number = number * 2 + usize::from(is_upper);
            *(if is_upper { &mut range.0 } else { &mut range.1 }) = middle;
            is_x = !is_x;
        }
        text.push(LETTERS[number] as char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geohashes_are_those_of_the_format() {
        let at = |x, y| Position { x, y };
        assert_eq!(geohash(at(10.40744, 57.64911), 11), "u4pruydqqvj");
        assert_eq!(geohash(at(-5.6, 42.6), 5), "ezs42");
        assert_eq!(geohash(at(-180.0, -90.0), 3), "000");
        assert_eq!(geohash(at(180.0, 90.0), 3), "zzz");
    }
}
