//! Growing: each node is split where that lowers the standard deviation most.

use super::linear::Line;
use super::{Node, Tree};
use crate::Matrix;

/// Nodes whose deviation is below this share of that of all rows aren't split.
const SMALL: f64 = 0.05;

/// The deviation of a sum, a sum of squares and a count.
fn deviation(sum: f64, squares: f64, n: f64) -> f64 {
    (squares / n - (sum / n) * (sum / n)).max(0.0).sqrt()
}

/// A full tree. Its models are the means of nodes.
pub(super) fn grow(x: &Matrix, y: &[f64], min_leaf: usize) -> Tree {
    let mean =
        |rows: &[u32]| rows.iter().fold(0.0, |sum, row| sum + y[*row as usize]) / rows.len() as f64;
    let node = |rows: Vec<u32>| Node {
        left: 0,
        column: 0,
        threshold: 0.0,
        line: Line::constant(mean(&rows)),
        rows,
    };
    let all: Vec<u32> = (0..y.len() as u32).collect();
    // Squares of what is near the mean keep their digits.
    let centre = mean(&all);
    let centred: Vec<f64> = y.iter().map(|y| y - centre).collect();
    let of = |rows: &[u32]| {
        let (sum, squares) = rows.iter().fold((0.0, 0.0), |(sum, squares), row| {
            let y = centred[*row as usize];
            (sum + y, squares + y * y)
        });
        deviation(sum, squares, rows.len() as f64)
    };
    let least = SMALL * of(&all);
    let mut nodes = vec![node(all)];
    let mut at = 0;
    while at < nodes.len() {
        let rows = &nodes[at].rows;
        if rows.len() >= 2 * min_leaf
            && of(rows) > least
            && let Some((column, threshold)) = best(x, &centred, rows, min_leaf)
        {
            let goes_right = |row: &&u32| x.value(**row as usize, column) > threshold;
            let (right, left): (Vec<u32>, Vec<u32>) = rows.iter().partition(goes_right);
            let behind = nodes.len();
            nodes.extend([node(left), node(right)]);
            (nodes[at].left, nodes[at].column, nodes[at].threshold) = (behind, column, threshold);
        }
        at += 1;
    }
    Tree { nodes, smoothing: 0.0 }
}

/// The column and threshold that lower the deviation most; of equal ones the first.
fn best(x: &Matrix, y: &[f64], rows: &[u32], min_leaf: usize) -> Option<(usize, f64)> {
    let n = rows.len() as f64;
    let mut found: Option<(f64, usize, f64)> = None;
    let mut order = rows.to_vec();
    for column in 0..x.n_columns() {
        let value = |row: u32| x.value(row as usize, column);
        order.sort_unstable_by(|a, b| value(*a).total_cmp(&value(*b)).then(a.cmp(b)));
        let total = order.iter().fold((0.0, 0.0), |(sum, squares), row| {
            let y = y[*row as usize];
            (sum + y, squares + y * y)
        });
        let (mut sum, mut squares) = (0.0, 0.0);
        for place in 1..order.len() {
            let before = y[order[place - 1] as usize];
            (sum, squares) = (sum + before, squares + before * before);
            let (low, high) = (value(order[place - 1]), value(order[place]));
            if place < min_leaf || order.len() - place < min_leaf || low >= high {
                continue;
            }
            let left = place as f64;
            let right = n - left;
            let spread = left * deviation(sum, squares, left)
                + right * deviation(total.0 - sum, total.1 - squares, right);
            if found.is_none_or(|(least, ..)| spread < least) {
                let middle = low + (high - low) / 2.0;
                found = Some((spread, column, if middle < high { middle } else { low }));
            }
        }
    }
    found.map(|(_, column, threshold)| (column, threshold))
}
