//! A model tree: a tree whose leaves are linear models. `grow` splits, `linear` fits the models,
//! `simplify` cuts the tree back.

mod grow;
mod linear;
mod simplify;

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};

use self::linear::Line;
use super::fitted::NumberModel;
use super::{Goal, Learner, NumberTask};
use crate::Matrix;

/// The entry of the registry.
pub struct ModelTree;

static INFO: Info = Info {
    name: "model-tree",
    summary: "M5: a tree whose leaves are linear models",
    papers: &[Paper {
        authors: "J. R. Quinlan",
        title: "Learning with Continuous Classes",
        venue: "Australian Joint Conference on Artificial Intelligence",
        year: 1992,
    }],
    params: &[
        ParamSpec::with_default(
            "min_leaf",
            ParamKind::Integer { min: 2, max: 1_000_000 },
            "4",
            "fewest rows of a leaf",
        ),
        ParamSpec::with_default(
            "smoothing",
            ParamKind::Number { min: 0.0, above: false, max: 1e9 },
            "15",
            "how many rows the model of a parent counts for in the prediction of a child; 0 for \\
                none",
        ),
    ],
    doc: "\
Splits at the threshold that lowers the standard deviation most, until it is below a twentieth of \\
that of all rows. Every node gets
a linear model of the columns that are tested below it; columns go as long as the estimated error \\
falls, which is the root of the mean
squared residual times (n + v) / (n - v) for n rows and v coefficients (the paper takes the mean \\
absolute residual). Where the model of a
node is estimated to be no worse than the subtree, the subtree goes. A prediction goes up from \
its \\
leaf and is mixed at every node with
that of the node's own model: (n p + 15 q) / (n + 15).

**Cost** rows x log rows x columns for each level of the tree.
",
    ..Info::DEFAULT
};

impl Learner for ModelTree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Numbers
    }
    fn train_numbers(&self, task: &NumberTask<'_>) -> Result<Box<dyn NumberModel>> {
        let min_leaf = task.params.integer("min_leaf").unsigned_abs() as usize;
        let mut tree = grow::grow(task.x, task.y, min_leaf);
        simplify::simplify(&mut tree, task.x, task.y);
        tree.smoothing = task.params.number("smoothing");
        Ok(Box::new(tree))
    }
}

/// A node. Children lie behind their parents, two and two; the root is nobody's child, so that 0
/// says there are none.
struct Node {
    left: usize,
    column: usize,
    threshold: f64,
    /// The training rows.
    rows: Vec<u32>,
    line: Line,
}

/// A tree.
struct Tree {
    nodes: Vec<Node>,
    smoothing: f64,
}

impl Tree {
    fn predict_row(&self, x: &Matrix, row: usize) -> f64 {
        let mut path = vec![0];
        loop {
            let node = &self.nodes[path[path.len() - 1]];
            if node.left == 0 {
                break;
            }
            let goes_right = x.value(row, node.column) > node.threshold;
            path.push(node.left + usize::from(goes_right));
        }
        let leaf = &self.nodes[path[path.len() - 1]];
        let mut predicted = leaf.line.at(x, row);
        for pair in path.windows(2).rev() {
            let n = self.nodes[pair[1]].rows.len() as f64;
            let above = self.nodes[pair[0]].line.at(x, row);
            predicted = (n * predicted + self.smoothing * above) / (n + self.smoothing);
        }
        predicted
    }
}

impl NumberModel for Tree {
    fn predict(&self, x: &Matrix) -> Result<Vec<f64>> {
        Ok((0..x.n_rows()).map(|row| self.predict_row(x, row)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;
    use crate::random::RandomStream;
    use crate::testing::noisy_numbers;

    /// Two lines that meet at 0.5 in a jump.
    fn pieces(n: usize, seed: u64) -> (Matrix, Vec<f64>) {
        let mut random = RandomStream::new(seed);
        let xs: Vec<f64> = (0..n).map(|_| random.below(1_000_000) as f64 / 1e6).collect();
        let y = |x: &f64| if *x <= 0.5 { 3.0 * x } else { 10.0 - 4.0 * x };
        let targets = xs.iter().map(y).collect();
        (Matrix::from_columns(n, &[xs]).unwrap(), targets)
    }

    fn mae(name: &dyn Learner, text: &str, n: usize) -> f64 {
        let ((x, y), (test, truth)) = (pieces(n, 1), pieces(n, 2));
        let fitted = name.fit_numbers(&params(name, text), &x, &y, 7).unwrap();
        crate::score::mae(&truth, &fitted.predict(&test).unwrap()).unwrap()
    }

    #[test]
    fn pieces_of_lines_are_found_where_means_are_steps() {
        let tree = mae(&ModelTree, "smoothing=0", 400);
        let means = mae(&super::super::regression_tree::RegressionTree, "", 400);
        let line = mae(&super::super::linear_regression::LinearRegression, "", 400);
        assert!(tree < 0.5 * means && tree < 0.1 * line, "{tree} {means} {line}");
    }

    #[test]
    fn one_line_needs_no_split_and_noise_no_column() {
        let (x, _) = noisy_numbers(200, 3, 1);
        let y: Vec<f64> = (0..200).map(|i| 4.0 + 2.0 * x.value(i, 0) - x.value(i, 2)).collect();
        let mut tree = grow::grow(&x, &y, 4);
        assert!(tree.nodes.len() > 10);
        simplify::simplify(&mut tree, &x, &y);
        assert_eq!(tree.nodes[0].left, 0);
        assert_eq!(tree.nodes[0].line.columns(), [0, 2]);
        let fitted = ModelTree.fit_numbers(&params(&ModelTree, ""), &x, &y, 0).unwrap();
        for (predicted, y) in fitted.predict(&x).unwrap().iter().zip(&y) {
            assert!((predicted - y).abs() < 1e-6, "{predicted} {y}");
        }
    }

    #[test]
    fn smoothing_mixes_with_the_parent() {
        let line = |intercept| Line::constant(intercept);
        let node = |left, rows: usize, intercept| Node {
            left,
            column: 0,
            threshold: 0.0,
            rows: vec![0; rows],
            line: line(intercept),
        };
        let nodes = vec![node(1, 10, 8.0), node(0, 5, 2.0), node(0, 5, 4.0)];
        let tree = Tree { nodes, smoothing: 15.0 };
        let x = Matrix::from_columns(2, &[vec![-1.0, 1.0]]).unwrap();
        let expected = [(5.0 * 2.0 + 15.0 * 8.0) / 20.0, (5.0 * 4.0 + 15.0 * 8.0) / 20.0];
        assert_eq!(tree.predict(&x).unwrap(), expected);
    }
}
