//! Logistic regression: the library's, on standardized features.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{
    LogisticRegression as Library, LogisticRegressionParameters as Settings,
};

use super::fitted::ClassModel;
use super::linear::{LinearClasses, Link, Weights};
use super::standardize::Standardizer;
use super::{ClassTask, Constant, Goal, Learner, library};

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
Minimizes `-log likelihood + ridge / 2 * |w|^2` (intercepts are free) with the library's \
limited-memory BFGS. Features have mean 0 and
deviation 1; constant columns are dropped.

**Scores** are probabilities of the classes. A class without training rows has probability 0.

**Cost** rows x columns x classes per iteration, some tens of iterations.
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
        let x =
            DenseMatrix::new(n, n_columns, standardizer.columns(task.x), true).map_err(library)?;
        let settings = Settings::default().with_alpha(task.params.number("ridge"));
        let fitted = Library::fit(&x, &task.y.to_vec(), settings).map_err(library)?;
        let (coefficients, intercepts) = (fitted.coefficients(), fitted.intercept());
        let weights = |place: usize| Weights {
            intercept: *intercepts.get((place, 0)),
            of_columns: (0..n_columns).map(|column| *coefficients.get((place, column))).collect(),
        };
        let classes = fitted.classes().iter().map(|class| *class as usize);
        let weights = if let [first, second] = classes.clone().collect::<Vec<_>>()[..] {
            // The library has one sum for two classes: that of the second against 0.
            let none = Weights { intercept: 0.0, of_columns: vec![0.0; n_columns] };
            vec![(first, none), (second, weights(0))]
        } else {
            classes.enumerate().map(|(place, class)| (class, weights(place))).collect()
        };
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
