//! A regression tree: the library's, its size chosen on rows held back.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};
use sfumato_core::{Error, Result};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_regressor::{
    DecisionTreeRegressor, DecisionTreeRegressorParameters,
};

use super::fitted::NumberModel;
use super::{Goal, Learner, NumberTask, library};
use crate::Matrix;
use crate::random::RandomStream;

/// The entry of the registry.
pub struct RegressionTree;

static INFO: Info = Info {
    name: "regression-tree",
    summary: "a tree of means, its leaf size chosen on held-out rows",
    papers: &[Paper {
        authors: "L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone",
        title: "Classification and Regression Trees",
        venue: "Wadsworth",
        year: 1984,
    }],
    params: &[
        ParamSpec::optional(
            "min_leaf",
            ParamKind::List,
            "fewest rows of a leaf; of several sizes the best on held-out rows is taken; [4, 16, \
                64, 256] if not given",
        ),
        ParamSpec::with_default(
            "held_out",
            ParamKind::Number { min: 0.01, above: false, max: 0.9 },
            "0.25",
            "share of the training rows held out to choose the size",
        ),
    ],
    doc: "\
Splits at the threshold that lowers the squared error most; a leaf predicts the mean of its rows. \
A tree that may grow freely
learns the noise: some of the training rows (drawn by the seed) are held out, a tree of each leaf \
size is grown on the others, and the
size with the smallest squared error on the held-out rows is used for a tree on all rows. Of equal \
sizes the larger is taken. With
one size, or fewer than 8 rows, nothing is held out (fewer than 8 rows: the largest size).

**Cost** a few trees; 45,000 rows of 18 columns take about a second.
",
    ..Info::DEFAULT
};

/// Leaf sizes tried where the user names none.
const SIZES: [usize; 4] = [4, 16, 64, 256];

impl Learner for RegressionTree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Numbers
    }
    fn train_numbers(&self, task: &NumberTask<'_>) -> Result<Box<dyn NumberModel>> {
        let mut sizes =
            task.params.list("min_leaf").map_or(Ok(SIZES.to_vec()), |words| sizes(&words))?;
        // Larger leaves first: a later one must be better to win.
        sizes.sort_unstable_by_key(|size| std::cmp::Reverse(*size));
        let n = task.y.len();
        let mut best = sizes[0];
        if sizes.len() > 1 && n >= 8 {
            let mut order = RandomStream::new(task.seed).order(n);
            let n_held_out = ((n as f64 * task.params.number("held_out")) as usize).clamp(1, n - 1);
            let rest = order.split_off(n_held_out);
            let targets =
                |rows: &[u32]| rows.iter().map(|row| task.y[*row as usize]).collect::<Vec<f64>>();
            let (x, y) = (task.x.take(&rest), targets(&rest));
            let (test, truth) = (task.x.take(&order), targets(&order));
            let mut least = f64::INFINITY;
            for size in &sizes {
                let errors = grow(&x, &y, *size)?.predict(&test)?;
                let error: f64 = errors.iter().zip(&truth).map(|(a, b)| (a - b) * (a - b)).sum();
                if error < least {
                    (least, best) = (error, *size);
                }
            }
        }
        Ok(Box::new(grow(task.x, task.y, best)?))
    }
}

fn sizes(words: &[String]) -> Result<Vec<usize>> {
    let size = |word: &String| word.parse().ok().filter(|size| (1..=1_000_000).contains(size));
    let sizes: Option<Vec<usize>> = words.iter().map(size).collect();
    sizes.filter(|sizes| !sizes.is_empty()).ok_or_else(|| {
        Error::params(
            "regression-tree: min_leaf must be a list of whole numbers between 1 and 1000000",
        )
    })
}

type Library = DecisionTreeRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;

struct Model {
    tree: Library,
    scale: f64,
}

fn dense(x: &Matrix) -> Result<DenseMatrix<f64>> {
    DenseMatrix::new(x.n_rows(), x.n_columns(), x.values().to_vec(), true).map_err(library)
}

fn grow(x: &Matrix, y: &[f64], min_leaf: usize) -> Result<Model> {
    // Squares of scaled targets stay in range and keep their digits.
    let scale = y.iter().fold(0.0f64, |most, y| most.max(y.abs())).max(f64::MIN_POSITIVE);
    let targets: Vec<f64> = y.iter().map(|y| y / scale).collect();
    let settings = DecisionTreeRegressorParameters::default()
        .with_min_samples_leaf(min_leaf)
        .with_min_samples_split(2 * min_leaf);
    let tree = Library::fit(&dense(x)?, &targets, settings).map_err(library)?;
    Ok(Model { tree, scale })
}

impl NumberModel for Model {
    fn predict(&self, x: &Matrix) -> Result<Vec<f64>> {
        if x.n_rows() == 0 {
            return Ok(Vec::new());
        }
        let mut predicted: Vec<f64> = self.tree.predict(&dense(x)?).map_err(library)?;
        predicted.iter_mut().for_each(|y| *y *= self.scale);
        Ok(predicted)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;
    use crate::testing::noisy_numbers;

    fn error(text: &str, noise_only: bool) -> f64 {
        let ((x, mut y), (test, mut truth)) = (noisy_numbers(800, 4, 1), noisy_numbers(800, 4, 2));
        if noise_only {
            RandomStream::new(3).shuffle(&mut y);
            RandomStream::new(4).shuffle(&mut truth);
        }
        let fitted = RegressionTree.fit_numbers(&params(&RegressionTree, text), &x, &y, 7).unwrap();
        let predicted = fitted.predict(&test).unwrap();
        predicted.iter().zip(&truth).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / 800.0
    }

    #[test]
    fn the_size_fits_the_noise() {
        // In pure noise the largest leaves win, in a clear signal smaller ones.
        assert_eq!(error("", true), error("min_leaf=256", true));
        assert!(error("", false) < error("min_leaf=256", false));
        assert!(error("", true) < error("min_leaf=1", true));
    }

    #[test]
    fn sizes_are_checked() {
        for text in ["min_leaf=[]", "min_leaf=[0]", "min_leaf=[4, many]"] {
            let (x, y) = noisy_numbers(20, 2, 1);
            assert!(RegressionTree.fit_numbers(&params(&RegressionTree, text), &x, &y, 7).is_err());
        }
    }
}
