//! C4.5's pruning: a subtree becomes a leaf if the leaf's errors, seen pessimistically, aren't more
//! than the subtree's.

use statrs::distribution::{ContinuousCDF, Normal};

use super::{Node, Tree};

/// Cut a tree back. `confidence` is the share of cases in which the true error may be above what is
/// assumed; the smaller, the smaller the tree.
pub(crate) fn prune(tree: &mut Tree, confidence: f64) {
    let z = Normal::standard().inverse_cdf(1.0 - confidence);
    let mut errors = vec![0.0; tree.nodes.len()];
    // Children lie behind their parents.
    for node in (0..tree.nodes.len()).rev() {
        let counts = tree.counts(node);
        let n = f64::from(counts.iter().sum::<u32>());
        let wrong = n - f64::from(counts.iter().copied().max().unwrap_or(0));
        let as_leaf = wrong + extra_errors(n, wrong, confidence, z);
        errors[node] = as_leaf;
        if !tree.nodes[node].is_leaf() {
            let left = tree.nodes[node].left as usize;
            let as_tree = errors[left] + errors[left + 1];
            // A tenth of a row in favour of the simpler tree, as in C4.5.
            if as_leaf <= as_tree + 0.1 {
                tree.nodes[node] = Node::LEAF;
            } else {
                errors[node] = as_tree;
            }
        }
    }
}

/// How many more rows would be wrong if the true share of errors were at the upper end of its
/// confidence interval: exact for no error, Wilson's bound with continuity correction from one on,
/// a straight line in between.
fn extra_errors(n: f64, wrong: f64, confidence: f64, z: f64) -> f64 {
    if n <= 0.0 {
        return 0.0;
    }
    if wrong < 1.0 {
        let none = n * (1.0 - confidence.powf(1.0 / n));
        if wrong <= 0.0 {
            return none;
        }
        return none + wrong * (extra_errors(n, 1.0, confidence, z) - none);
    }
    if wrong + 0.5 >= n {
        return (n - wrong).max(0.0);
    }
    let share = (wrong + 0.5) / n;
    let square = z * z;
    let root = (share / n - share * share / n + square / (4.0 * n * n)).max(0.0).sqrt();
    let upper = (share + square / (2.0 * n) + z * root) / (1.0 + square / n);
    upper * n - wrong
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, Ranks, Rules, grow};
    use super::*;
    use crate::random::RandomStream;
    use crate::testing::noisy_classes;

    #[test]
    fn the_example_of_c45() {
        // Quinlan's book: U25%(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.75.
        let z = Normal::standard().inverse_cdf(0.75);
        for (n, rate) in [(6.0, 0.206), (9.0, 0.143), (1.0, 0.75)] {
            assert!((extra_errors(n, 0.0, 0.25, z) / n - rate).abs() < 5e-4);
        }
        // U25%(1, 16) = 0.157: six, nine and one row as leaves of a subtree cost 3.273, one leaf
        // costs 2.512.
        assert!(((1.0 + extra_errors(16.0, 1.0, 0.25, z)) / 16.0 - 0.157).abs() < 5e-3);
        assert_eq!(extra_errors(0.0, 0.0, 0.25, z), 0.0);
        assert_eq!(extra_errors(3.0, 2.9, 0.25, z), 0.10000000000000009);
    }

    #[test]
    fn lower_confidence_cuts_more_and_noise_is_cut_away() {
        let rules =
            Rules { choice: Choice::Gain, min_leaf: 1, max_depth: 100, n_drawn: usize::MAX };
        let (x, mut y) = noisy_classes(600, 6, 2, 3);
        let mut random = RandomStream::new(4);
        y.iter_mut().filter(|_| random.below(5) == 0).for_each(|class| *class = 1 - *class);
        let whole =
            grow(&Ranks::new(&x), &y, 2, (0..600).collect(), rules, &mut RandomStream::new(1));
        let leaves: Vec<usize> = [0.5, 0.25, 0.05, 0.001]
            .into_iter()
            .map(|confidence| {
                let mut tree = whole.clone();
                prune(&mut tree, confidence);
                tree.n_leaves()
            })
            .collect();
        assert!(leaves.is_sorted_by(|a, b| a >= b), "{leaves:?}");
        assert!(
            leaves[1] < whole.n_leaves() && leaves[3] * 4 < whole.n_leaves(),
            "{leaves:?}, {}",
            whole.n_leaves()
        );
        assert!(leaves[3] > 2);
    }
}
