//! Draws sparse matrices: a dot for every entry, as one self-contained SVG file.

use crate::escape::shorten;
use crate::explore::draw::Drawing;

/// A matrix of zeros and ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The title of the matrix.
    pub title: String,
    /// The text below the matrix.
    pub caption: String,
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The row and the column of every one.
    pub dots: Vec<(u32, u32)>,
}

const WIDTH: f64 = 1080.0;
/// The width of a panel, and the space above and below its matrix.
const PANEL: f64 = 528.0;
const HEAD: f64 = 30.0;
const FOOT: f64 = 34.0;
const TOP: f64 = 62.0;
const SIDE: f64 = PANEL - 24.0;

/// Draw all matrices, two in a row, each in a square.
pub fn draw_matrices(title: &str, description: &str, matrices: &[Matrix]) -> String {
    let lines = matrices.len().div_ceil(2).max(1);
    let height = HEAD + SIDE + FOOT;
    let mut drawing = Drawing::open(WIDTH, TOP + height * lines as f64, title, description);
    drawing.text("title", (24.0, 32.0), title);
    drawing.text("soft", (24.0, 52.0), &shorten(description, 160));
    for (place, matrix) in matrices.iter().enumerate() {
        let (x, y) = (PANEL * (place % 2) as f64 + 24.0, TOP + height * (place / 2) as f64);
        drawing.text("bold", (x, y + 20.0), &shorten(&matrix.title, 70));
        drawing.rect("card", (x, y + HEAD, SIDE, SIDE), 1.0);
        drawing.begin(&matrix.caption);
        let scale = (SIDE / f64::from(matrix.columns.max(1)), SIDE / f64::from(matrix.rows.max(1)));
        drawing.dots("s0", (x, y + HEAD), scale, &strokes(&matrix.dots));
        drawing.end();
        drawing.text("soft", (x, y + HEAD + SIDE + 18.0), &shorten(&matrix.caption, 76));
    }
    drawing.close()
}

/// A path that strokes every entry: strokes along a row, with moves relative to the last one, which
/// is shortest.
fn strokes(dots: &[(u32, u32)]) -> String {
    let mut dots = dots.to_vec();
    dots.sort_unstable();
    dots.dedup();
    let mut path = String::from("M0 .5");
    let (mut x, mut y) = (0, 0);
    let mut place = 0;
    while place < dots.len() {
        let (row, column) = dots[place];
        let mut end = place + 1;
        while end < dots.len() && dots[end] == (row, column + (end - place) as u32) {
            end += 1;
        }
        let length = (end - place) as i64;
        let (dx, dy) = (i64::from(column) - x, i64::from(row) - y);
        path += &format!("m{dx} {dy}h{length}");
        (x, y) = (i64::from(column) + length, i64::from(row));
        place = end;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_stroked() {
        assert_eq!(strokes(&[(0, 2), (0, 1), (3, 0), (0, 5), (0, 5)]), "M0 .5m1 0h2m2 0h1m-6 3h1");
        assert_eq!(strokes(&[]), "M0 .5");
    }

    #[test]
    fn pictures_stand_alone() {
        let matrix = |dots: Vec<(u32, u32)>| Matrix {
            title: "a < b".into(),
            caption: "bandwidth 3".into(),
            rows: 4,
            columns: 4,
            dots,
        };
        let svg = draw_matrices(
            "three",
            "of them",
            &[matrix(vec![(0, 0)]), matrix(vec![]), matrix(vec![])],
        );
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<path ").count(), 3);
        assert!(svg.contains("a &lt; b") && svg.contains("m0 0h1"));
        assert!(draw_matrices("none", "", &[]).ends_with("</svg>\n"));
    }
}
