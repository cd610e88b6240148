//! Linear models at the nodes, and subtrees cut off where a model isn't worse.

use super::Tree;
use super::linear::{Line, estimated};
use crate::Matrix;

/// Fit a model at every node, of the columns that are tested or used below it, and cut off the
/// subtrees that aren't estimated to be better than their node's model.
pub(super) fn simplify(tree: &mut Tree, x: &Matrix, y: &[f64]) {
    let n = tree.nodes.len();
    let mut errors = vec![0.0; n];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n];
    // Children lie behind their parents.
    for at in (0..n).rev() {
        let left = tree.nodes[at].left;
        let mut columns = Vec::new();
        if left > 0 {
            columns = [&below[left][..], &below[left + 1], &[tree.nodes[at].column]].concat();
            columns.sort_unstable();
            columns.dedup();
            tree.nodes[at].line = Line::fit(x, y, &tree.nodes[at].rows, &columns);
        }
        let node = &tree.nodes[at];
        let size = node.rows.len();
        let squares: f64 = node
            .rows
            .iter()
            .map(|row| (node.line.at(x, *row as usize) - y[*row as usize]).powi(2))
            .sum();
        errors[at] = estimated(squares / size as f64, size, node.line.coefficients());
        below[at] = node.line.columns();
        if left > 0 {
            let share = |child: usize| tree.nodes[child].rows.len() as f64 / size as f64;
            let of_tree = share(left) * errors[left] + share(left + 1) * errors[left + 1];
            // What rounding and the ridge leave of an exact model must not keep a split that
            // explains nothing.
            if errors[at] <= of_tree + 1e-8 * scale(y) {
                tree.nodes[at].left = 0;
            } else {
                errors[at] = of_tree;
                below[at] = columns;
            }
        }
    }
}

fn scale(y: &[f64]) -> f64 {
    y.iter().fold(0.0, |most, y| most.max(y.abs()))
}
