//! Logistic regression on standardized features. The library's takes every cell of columns that
//! are nearly everywhere the same, which is most of the time of an evaluation.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};

use super::fitted::ClassModel;
use super::linear::{LinearClasses, Link, Weights};
use super::softmax_fit::Fit;
use super::standardize::Standardizer;
use super::{ClassTask, Constant, Goal, Learner};

/// The entry of the registry.
pub struct LogisticRegression;

static INFO: Info = Info {
    name: "logistic-regression",
    summary: "logistic regression with a ridge, multinomial for more than two classes",
    papers: &[Paper {
        authors: "S. le Cessie, J. C. van Houwelingen",
        title: "Ridge Estimators in Logistic Regression",
        venue: "Applied Statistics",
        year: 1992,
    }],
    params: &[ParamSpec::with_default(
        "ridge",
        ParamKind::Number { min: 0.0, above: true, max: 1e9 },
        "1",
        "penalty on squared weights; keeps separable data finite",
    )],
    doc: "\
Minimizes `-log likelihood + ridge / 2 * |w|^2` (intercepts are free) with limited-memory BFGS. \
Features have mean 0 and
deviation 1; constant columns are dropped.

**Scores** are probabilities of the classes. A class without training rows has probability 0.

**Cost** cells that differ from what most rows have x classes per iteration, some tens of \
iterations.
",
    ..Info::DEFAULT
};

impl Learner for LogisticRegression {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Classes
    }
    fn train_classes(&self, task: &ClassTask<'_>) -> Result<Box<dyn ClassModel>> {
        let standardizer = Standardizer::fit(task.x);
        let (n, n_columns) = (task.y.len(), standardizer.n_columns());
        if n_columns == 0 {
            let share =
                |class| task.y.iter().filter(|y| **y as usize == class).count() as f64 / n as f64;
            return Ok(Box::new(Constant((0..task.n_classes).map(share).collect())));
        }
        // Classes without training rows have no weights.
        let mut present: Vec<usize> = task.y.iter().map(|class| *class as usize).collect();
        present.sort_unstable();
        present.dedup();
        if let [only] = present[..] {
            let share = |class| f64::from(u8::from(class == only));
            return Ok(Box::new(Constant((0..task.n_classes).map(share).collect())));
        }
        let place = |class: &u32| present.binary_search(&(*class as usize)).unwrap_or_default();
        let classes: Vec<usize> = task.y.iter().map(place).collect();
        let columns = standardizer.columns(task.x);
        let ridge = task.params.number("ridge");
        let fitted = Fit::new(&columns, &classes, present.len(), ridge).weights();
        let weights = |mut of_class: Vec<f64>| Weights {
            intercept: of_class.pop().unwrap_or_default(),
            of_columns: of_class,
        };
        let weights = present.into_iter().zip(fitted.into_iter().map(weights)).collect();
        Ok(Box::new(LinearClasses {
            standardizer,
            n_classes: task.n_classes,
            weights,
            link: Link::Softmax,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;
    use crate::Matrix;
    use crate::testing::noisy_classes;

    #[test]
    fn the_gradient_is_zero_at_the_solution() {
        for n_classes in [2u32, 3] {
            let (x, y) = noisy_classes(400, 3, n_classes, 1);
            let x = x.standardized();
            let n_classes = n_classes as usize;
            let params = params(&LogisticRegression, "ridge=1e-6");
            let scores = LogisticRegression
                .fit_classes(&params, &x, &y, n_classes, 0)
                .unwrap()
                .scores(&x)
                .unwrap();
            for class in 0..n_classes {
                let residual =
                    |i: usize| f64::from(u8::from(y[i] as usize == class)) - scores.row(i)[class];
                let gradient: f64 = (0..400).map(residual).sum();
                assert!(gradient.abs() < 1e-3, "{gradient}");
                for j in 0..3 {
                    let gradient: f64 = (0..400).map(|i| residual(i) * x.value(i, j)).sum();
                    assert!(gradient.abs() < 1e-3, "{gradient}");
                }
            }
        }
    }

    #[test]
    fn is_what_the_library_finds() {
        use smartcore::linalg::basic::arrays::Array as _;
        use smartcore::linalg::basic::matrix::DenseMatrix;
        use smartcore::linear::logistic_regression::{
            LogisticRegression as Library, LogisticRegressionParameters as Settings,
        };
        for n_classes in [2u32, 4] {
            let (x, y) = noisy_classes(300, 4, n_classes, 5);
            let x = x.standardized();
            let ours = LogisticRegression
                .fit_classes(&params(&LogisticRegression, ""), &x, &y, n_classes as usize, 0)
                .unwrap();
            let dense = DenseMatrix::new(300, 4, x.values().to_vec(), true).unwrap();
            let theirs = Library::fit(&dense, &y, Settings::default().with_alpha(1.0)).unwrap();
            assert_eq!(theirs.coefficients().shape().1, 4);
            let (ours, theirs) = (ours.predict(&x).unwrap(), theirs.predict(&dense).unwrap());
            let same = ours.iter().zip(&theirs).filter(|(a, b)| a == b).count();
            assert!(same >= 298, "{same} of 300");
        }
    }

    #[test]
    fn separable_and_collinear_data_stay_finite() {
        let column: Vec<f64> = (0..20).map(f64::from).collect();
        let y: Vec<u32> = (0..20).map(|i| u32::from(i >= 10)).collect();
        let x = Matrix::from_columns(20, &[column.clone(), column, vec![1.0; 20]]).unwrap();
        let fitted = LogisticRegression
            .fit_classes(&params(&LogisticRegression, "ridge=1e-6"), &x, &y, 2, 0)
            .unwrap();
        assert_eq!(fitted.predict(&x).unwrap(), y);
        assert!(fitted.scores(&x).unwrap().of_class(1).iter().all(|p| p.is_finite()));
    }
}
