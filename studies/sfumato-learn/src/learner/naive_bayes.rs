//! Naive Bayes over supervised bins: our discretizer, the library's counts.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::naive_bayes::categorical::{CategoricalNB, CategoricalNBParameters};

use super::fitted::ClassModel;
use super::linear::softmax;
use super::{ClassTask, Discretizer, Goal, Learner, library};
use crate::Matrix;

/// The entry of the registry.
pub struct NaiveBayes;

static INFO: Info = Info {
    name: "naive-bayes",
    summary: "naive Bayes; columns are cut into bins that tell the classes apart",
    papers: &[
        Paper {
            authors: "U. M. Fayyad, K. B. Irani",
            title: "Multi-Interval Discretization of Continuous-Valued Attributes for \
                Classification Learning",
            venue: "IJCAI",
            year: 1993,
        },
        Paper {
            authors: "J. Dougherty, R. Kohavi, M. Sahami",
            title: "Supervised and Unsupervised Discretization of Continuous Features",
            venue: "ICML",
            year: 1995,
        },
    ],
    params: &[ParamSpec::with_default(
        "smoothing",
        ParamKind::Number { min: 0.0, above: true, max: 1e6 },
        "1",
        "rows added to each bin of each class",
    )],
    doc: "\
Each column is cut into bins by the criterion of Fayyad and Irani on the training rows. Bins are \
taken to be independent
given the class; their shares per class are smoothed, the shares of the classes are not. A column \
that says nothing about the class has one
bin and doesn't count.

**Scores** are probabilities of the classes. A class without training rows has probability 0.

**Test values** between or beyond the training's fall into the bin whose thresholds enclose them.

**Cost** sorting each column, then rows x columns.
",
    ..Info::DEFAULT
};

impl Learner for NaiveBayes {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Classes
    }
    fn train_classes(&self, task: &ClassTask<'_>) -> Result<Box<dyn ClassModel>> {
        let discretizer = Discretizer::fit(task.x, task.y, task.n_classes);
        let alpha = task.params.number("smoothing");
        let counts = fit(&discretizer, task, alpha)?;
        let n = task.y.len() as f64;
        // The library knows the classes up to the largest that occurs.
        let mut priors: Vec<f64> =
            counts.class_count().iter().map(|count| (*count as f64 / n).ln()).collect();
        priors.resize(task.n_classes, f64::NEG_INFINITY);
        priors.iter_mut().for_each(|prior| *prior = prior.max(f64::MIN));
        let logs = counts.feature_log_prob().clone();
        Ok(Box::new(Model { discretizer, priors, logs }))
    }
}

type Library = CategoricalNB<u32, DenseMatrix<u32>, Vec<u32>>;

fn fit(discretizer: &Discretizer, task: &ClassTask<'_>, alpha: f64) -> Result<Library> {
    let (n, columns) = (task.x.n_rows(), task.x.n_columns());
    let bins = DenseMatrix::new(n, columns, discretizer.bins(task.x), true).map_err(library)?;
    CategoricalNB::fit(
        &bins,
        &task.y.to_vec(),
        CategoricalNBParameters::default().with_alpha(alpha),
    )
    .map_err(library)
}

struct Model {
    discretizer: Discretizer,
    /// Logarithm of each class's share, the lowest number for a class that doesn't occur.
    priors: Vec<f64>,
    /// Logarithms of shares by column, class and bin.
    logs: Vec<Vec<Vec<f64>>>,
}

impl ClassModel for Model {
    fn scores(&self, x: &Matrix) -> Result<Vec<f64>> {
        let mut scores = self.priors.repeat(x.n_rows());
        for (j, by_class) in self.logs.iter().enumerate() {
            for (row, value) in scores.chunks_exact_mut(self.priors.len()).zip(x.column(j)) {
                let bin = self.discretizer.bin(j, *value) as usize;
                for (score, logs) in row.iter_mut().zip(by_class) {
                    // Every bin holds training rows, so the library has a number for each.
                    *score = (*score + logs.get(bin).copied().unwrap_or(0.0)).max(f64::MIN);
                }
            }
        }
        scores.chunks_exact_mut(self.priors.len()).for_each(softmax);
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;
    use crate::testing::noisy_classes;

    #[test]
    fn predicts_what_the_library_predicts() {
        let (x, y) = noisy_classes(500, 5, 3, 4);
        let (test, _) = noisy_classes(300, 5, 3, 5);
        let params = params(&NaiveBayes, "smoothing=0.5");
        let ours = NaiveBayes.fit_classes(&params, &x, &y, 3, 0).unwrap().predict(&test).unwrap();
        let discretizer = Discretizer::fit(&x, &y, 3);
        let theirs = fit(
            &discretizer,
            &ClassTask { params: &params, x: &x, y: &y, n_classes: 3, seed: 0 },
            0.5,
        )
        .unwrap();
        let bins = DenseMatrix::new(300, 5, discretizer.bins(&test), true).unwrap();
        assert_eq!(ours, theirs.predict(&bins).unwrap());
    }

    #[test]
    fn a_class_that_never_occurs_has_no_probability() {
        let x = Matrix::from_columns(6, &[vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0]]).unwrap();
        let fitted = NaiveBayes
            .fit_classes(&params(&NaiveBayes, ""), &x, &[0, 0, 0, 2, 2, 2], 4, 0)
            .unwrap();
        let scores = fitted.scores(&x).unwrap();
        assert_eq!((scores.row(0)[1], scores.row(0)[3]), (0.0, 0.0));
        // Two bins, three rows of a class: 4/5 against 1/5.
        assert!((scores.row(0)[0] - 0.8).abs() < 1e-12 && (scores.row(5)[2] - 0.8).abs() < 1e-12);
    }
}
