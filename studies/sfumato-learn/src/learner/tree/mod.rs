//! Trees of classes, our own: the library's looks at every row of the table in every node and knows
//! only the winner of a leaf, not the shares of its classes. One tree serves `decision-tree` and
//! `random-forest`.
//!
//! [`Ranks`] numbers the values of each column, [`cut`] finds the best threshold of a column,
//! [`grow`] makes the tree, [`prune`] cuts it back.

mod cut;
mod grow;
mod prune;

pub(super) use grow::{Choice, Rules, grow};
pub(super) use prune::prune;

use crate::Matrix;

/// For each column the different values in order, and for each row the number of its value.
/// Thresholds are searched over these numbers: exact, and integers sort and count fast.
pub(super) struct Ranks {
    values: Vec<Vec<f64>>,
    codes: Vec<Vec<u32>>,
}

impl Ranks {
    /// Number the values of each column.
    pub fn new(x: &Matrix) -> Self {
        let mut values = Vec::with_capacity(x.n_columns());
        let mut codes = Vec::with_capacity(x.n_columns());
        for j in 0..x.n_columns() {
            let column = x.column(j);
            let mut order: Vec<u32> = (0..column.len() as u32).collect();
            order.sort_unstable_by(|a, b| column[*a as usize].total_cmp(&column[*b as usize]));
            let (mut different, mut ranks) = (Vec::new(), vec![0; column.len()]);
            for row in order {
                let value = column[row as usize];
                // Compared with ==, so that 0 and -0 are one value.
                if different.last().is_none_or(|last| *last != value) {
                    different.push(value);
                }
                ranks[row as usize] = different.len() as u32 - 1;
            }
            values.push(different);
            codes.push(ranks);
        }
        Ranks { values, codes }
    }

    /// The threshold between two neighbouring values of a node: halfway, unless rounding would move
    /// it onto the upper one.
    fn threshold(&self, column: usize, below: u32, above: u32) -> f64 {
        let (below, above) =
            (self.values[column][below as usize], self.values[column][above as usize]);
        let middle = below + (above - below) / 2.0;
        if middle < above { middle } else { below }
    }
}

/// A node: rows whose value in `column` is at most `threshold` go to `left`, the others to the node
/// behind it. A leaf has no `left`; the root is nobody's child, so 0 says so.
#[derive(Debug, Clone, Copy)]
struct Node {
    column: u32,
    left: u32,
    threshold: f64,
}

impl Node {
    const LEAF: Node = Node { column: 0, left: 0, threshold: 0.0 };

    fn is_leaf(&self) -> bool {
        self.left == 0
    }
}

/// A tree. Children lie behind their parents, two and two.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    n_classes: usize,
    nodes: Vec<Node>,
    /// Training rows of each class at each node, node by node.
    counts: Vec<u32>,
}

impl Tree {
    fn counts(&self, node: usize) -> &[u32] {
        &self.counts[node * self.n_classes..(node + 1) * self.n_classes]
    }

    /// The number of leaves that can be reached.
    #[cfg(test)]
    pub fn n_leaves(&self) -> usize {
        let (mut leaves, mut todo) = (0, vec![0]);
        while let Some(node) = todo.pop() {
            match self.nodes[node].left as usize {
                0 => leaves += 1,
                left => todo.extend([left, left + 1]),
            }
        }
        leaves
    }

    fn leaf_of(&self, x: &Matrix, row: usize) -> usize {
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if node.is_leaf() {
                return at;
            }
            let goes_right = x.value(row, node.column as usize) > node.threshold;
            at = node.left as usize + usize::from(goes_right);
        }
    }

    /// Add the shares of the classes in the leaf of each row to `shares`, row by row.
    pub fn add_shares(&self, x: &Matrix, shares: &mut [f64]) {
        for (row, shares) in shares.chunks_exact_mut(self.n_classes).enumerate() {
            let counts = self.counts(self.leaf_of(x, row));
            let total: u32 = counts.iter().sum();
            for (share, count) in shares.iter_mut().zip(counts) {
                *share += f64::from(*count) / f64::from(total.max(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_the_different_values() {
        let x = Matrix::from_columns(4, &[vec![2.5, -1.0, 2.5, 7.0], vec![0.0, -0.0, 0.0, 0.0]])
            .unwrap();
        let ranks = Ranks::new(&x);
        assert_eq!(ranks.values[0], [-1.0, 2.5, 7.0]);
        assert_eq!(ranks.codes, [vec![1, 0, 1, 2], vec![0; 4]]);
        assert_eq!(ranks.threshold(0, 0, 2), 3.0);
    }

    #[test]
    fn a_threshold_separates_even_neighbouring_floats() {
        let (below, above) = (1.0, 1.0 + f64::EPSILON);
        let ranks = Ranks::new(&Matrix::from_columns(2, &[vec![above, below]]).unwrap());
        let threshold = ranks.threshold(0, 0, 1);
        assert!(below <= threshold && threshold < above);
    }
}
