//! Growing a tree from rows: which column a node is split on, and when it is not split. Nothing is
//! cut back here.

use super::cut::{Cut, Cutter};
use super::{Node, Ranks, Tree};
use crate::random::RandomStream;

/// How the column of a node is chosen among those that have a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The largest gain.
    Gain,
    /// As C4.5 does: each gain is lowered by the cost of naming its threshold, and among the
    /// columns that gain at least the average the largest gain per bit of split information wins.
    /// Its smallest side of a split is a tenth of the mean rows per class, within the smallest leaf
    /// and 25.
    GainRatio,
}

/// How to grow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// How a column is chosen.
    pub choice: Choice,
    /// Fewest rows of a leaf.
    pub min_leaf: u32,
    /// Most splits from the root to a leaf.
    pub max_depth: u32,
    /// How many columns a node draws; if none of them gains, it goes on drawing.
    pub n_drawn: usize,
}

/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Grow a tree on rows, which may repeat.
pub(crate) fn grow(
    ranks: &Ranks,
    classes: &[u32],
    n_classes: usize,
    mut rows: Vec<u32>,
    rules: Rules,
    random: &mut RandomStream,
) -> Tree {
    let mut cutter = Cutter::new(n_classes, rows.len());
    let mut tree = Tree { n_classes, nodes: Vec::new(), counts: Vec::new() };
    let mut columns: Vec<usize> = (0..ranks.codes.len()).collect();
    add(&mut tree, classes, &rows);
    let mut todo = vec![(0, 0, rows.len(), 0)];
    while let Some((node, start, end, depth)) = todo.pop() {
        let rows = &mut rows[start..end];
        if depth >= rules.max_depth {
            continue;
        }
        let counts = tree.counts(node);
        let Some((column, cut)) =
            choose(ranks, classes, rows, counts, rules, &mut columns, &mut cutter, random)
        else {
            continue;
        };
        let middle = partition(rows, &ranks.codes[column], cut.below);
        let left = tree.nodes.len();
        tree.nodes[node] = Node {
            column: column as u32,
            left: left as u32,
            threshold: ranks.threshold(column, cut.below, cut.above),
        };
        add(&mut tree, classes, &rows[..middle]);
        add(&mut tree, classes, &rows[middle..]);
        todo.push((left + 1, start + middle, end, depth + 1));
        todo.push((left, start, start + middle, depth + 1));
    }
    tree
}

fn add(tree: &mut Tree, classes: &[u32], rows: &[u32]) {
    let at = tree.counts.len();
    tree.counts.resize(at + tree.n_classes, 0);
    for row in rows {
        tree.counts[at + classes[*row as usize] as usize] += 1;
    }
    tree.nodes.push(Node::LEAF);
}

/// Rows with ranks up to `below` to the front; says how many.
fn partition(rows: &mut [u32], codes: &[u32], below: u32) -> usize {
    let mut front = 0;
    for place in 0..rows.len() {
        if codes[rows[place] as usize] <= below {
            rows.swap(front, place);
            front += 1;
        }
    }
    front
}

#[allow(clippy::too_many_arguments)]
fn choose(
    ranks: &Ranks,
    classes: &[u32],
    rows: &[u32],
    counts: &[u32],
    rules: Rules,
    columns: &mut [usize],
    cutter: &mut Cutter,
    random: &mut RandomStream,
) -> Option<(usize, Cut)> {
    let n = rows.len() as u32;
    let is_pure = counts.contains(&n);
    if is_pure || n < rules.min_leaf.saturating_mul(2) {
        return None;
    }
    let min_leaf = match rules.choice {
        Choice::Gain => rules.min_leaf,
        Choice::GainRatio => {
            (n / (10 * counts.len() as u32)).clamp(rules.min_leaf, rules.min_leaf.max(25))
        }
    };
    let draws = rules.n_drawn < columns.len();
    let mut found: Vec<(usize, Cut)> = Vec::new();
    for place in 0..columns.len() {
        if draws {
            if place >= rules.n_drawn && !found.is_empty() {
                break;
            }
            columns.swap(place, place + random.below(columns.len() - place));
        }
        let column = columns[place];
        let Some(mut cut) = cutter.best(&ranks.codes[column], classes, rows, counts, min_leaf)
        else {
            continue;
        };
        if rules.choice == Choice::GainRatio {
            cut.gain -= f64::from(cut.candidates).log2() / f64::from(n);
        }
        if cut.gain > LEAST_GAIN {
            found.push((column, cut));
        }
    }
    let worth: Box<dyn Fn(&Cut) -> f64> = match rules.choice {
        Choice::Gain => Box::new(|cut| cut.gain),
        Choice::GainRatio => {
            let average = found.iter().map(|(_, cut)| cut.gain).sum::<f64>() / found.len() as f64;
            let bits = |part: f64| -part * part.log2();
            Box::new(move |cut| {
                let left = f64::from(cut.n_left) / f64::from(n);
                // The tolerance lets a single column reach the average of itself.
                if cut.gain < average - LEAST_GAIN {
                    f64::MIN
                } else {
                    cut.gain / (bits(left) + bits(1.0 - left))
                }
            })
        }
    };
    // Of equal columns the first in the table, not the first drawn.
    found.sort_unstable_by_key(|(column, _)| *column);
    let mut best: Option<(f64, (usize, Cut))> = None;
    for entry in found {
        let worth = worth(&entry.1);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, entry));
        }
    }
    best.map(|(_, entry)| entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::noisy_classes;
    use smartcore::linalg::basic::matrix::DenseMatrix;
    use smartcore::tree::decision_tree_classifier::{
        DecisionTreeClassifier, DecisionTreeClassifierParameters, SplitCriterion,
    };

    fn rules(choice: Choice, min_leaf: u32) -> Rules {
        Rules { choice, min_leaf, max_depth: 1000, n_drawn: usize::MAX }
    }

    #[test]
    fn grows_the_library_tree() {
        let (x, y) = noisy_classes(400, 5, 2, 11);
        let (test, _) = noisy_classes(400, 5, 2, 12);
        let rows = (0..400).collect();
        let tree =
            grow(&Ranks::new(&x), &y, 2, rows, rules(Choice::Gain, 1), &mut RandomStream::new(1));
        let values = x.values().to_vec();
        let theirs = DecisionTreeClassifier::fit(
            &DenseMatrix::new(400, 5, values, true).unwrap(),
            &y,
            DecisionTreeClassifierParameters::default().with_criterion(SplitCriterion::Entropy),
        )
        .unwrap();
        for x in [&x, &test] {
            let theirs: Vec<u32> = theirs
                .predict(&DenseMatrix::new(400, 5, x.values().to_vec(), true).unwrap())
                .unwrap();
            let mut shares = vec![0.0; 800];
            tree.add_shares(x, &mut shares);
            let ours = shares.chunks(2).map(|pair| u32::from(pair[1] > pair[0]));
            let alike = ours.zip(theirs).filter(|(a, b)| a == b).count();
            // Equally good splits may be chosen differently.
            assert!(alike >= 380, "{alike}");
        }
    }

    #[test]
    fn leaves_keep_their_size_and_hold_all_rows() {
        let (x, y) = noisy_classes(300, 4, 3, 5);
        for choice in [Choice::Gain, Choice::GainRatio] {
            let tree = grow(
                &Ranks::new(&x),
                &y,
                3,
                (0..300).collect(),
                rules(choice, 7),
                &mut RandomStream::new(1),
            );
            let leaves: Vec<u32> = (0..tree.nodes.len())
                .filter(|node| tree.nodes[*node].is_leaf())
                .map(|node| tree.counts(node).iter().sum())
                .collect();
            assert_eq!(leaves.iter().sum::<u32>(), 300);
            assert_eq!(leaves.len(), tree.n_leaves());
            assert!(leaves.len() > 1 && leaves.iter().all(|n| *n >= 7));
        }
    }

    #[test]
    fn depth_is_bounded() {
        let (x, y) = noisy_classes(300, 4, 2, 5);
        let rules = Rules { max_depth: 2, ..rules(Choice::Gain, 1) };
        assert!(
            grow(&Ranks::new(&x), &y, 2, (0..300).collect(), rules, &mut RandomStream::new(1))
                .n_leaves()
                <= 4
        );
    }
}
