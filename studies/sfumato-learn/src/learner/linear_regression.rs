//! Linear regression: the library's ridge regression, on standardized features.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::ridge_regression::{RidgeRegression, RidgeRegressionParameters};

use super::fitted::NumberModel;
use super::linear::{LinearNumber, Weights};
use super::standardize::Standardizer;
use super::{Goal, Learner, NumberTask, library};

/// The entry of the registry.
pub struct LinearRegression;

static INFO: Info = Info {
    name: "linear-regression",
    summary: "least squares with a small ridge",
    papers: &[Paper {
        authors: "A. E. Hoerl, R. W. Kennard",
        title: "Ridge Regression: Biased Estimation for Nonorthogonal Problems",
        venue: "Technometrics",
        year: 1970,
    }],
    params: &[ParamSpec::with_default(
        "ridge",
        ParamKind::Number { min: 0.0, above: true, max: 1e9 },
        "0.001",
        "penalty on squared weights; keeps columns that repeat each other solvable",
    )],
    doc: "\
Minimizes `sum of squared errors + ridge * |w|^2` (the intercept is free) by the library's \
Cholesky decomposition. Features have mean 0
and deviation 1; constant columns are dropped; the target is centred and scaled, so that the ridge \
means the same for any unit.

**Few rows**: the library wants more rows than columns. Rows are repeated and the ridge multiplied \
as often, which has the same solution.

**Cost** rows x columns squared.
",
    ..Info::DEFAULT
};

impl Learner for LinearRegression {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Numbers
    }
    fn train_numbers(&self, task: &NumberTask<'_>) -> Result<Box<dyn NumberModel>> {
        let standardizer = Standardizer::fit(task.x);
        let (n, n_columns) = (task.y.len(), standardizer.n_columns());
        let (mean, deviation) = crate::matrix::mean_and_deviation(task.y);
        let mut weights = Weights { intercept: mean, of_columns: vec![0.0; n_columns] };
        if n_columns > 0 {
            let times = n_columns / n + 1;
            let columns = standardizer.columns(task.x);
            let repeated: Vec<f64> =
                columns.chunks_exact(n).flat_map(|column| column.repeat(times)).collect();
            let x = DenseMatrix::new(n * times, n_columns, repeated, true).map_err(library)?;
            let targets: Vec<f64> = task.y.iter().map(|y| (y - mean) / deviation).collect();
            let settings = RidgeRegressionParameters::default()
                .with_normalize(false)
                .with_alpha(task.params.number("ridge") * times as f64);
            let fitted =
                RidgeRegression::fit(&x, &targets.repeat(times), settings).map_err(library)?;
            let coefficients = fitted.coefficients();
            weights.of_columns =
                (0..n_columns).map(|j| coefficients.get((j, 0)) * deviation).collect();
        }
        Ok(Box::new(LinearNumber { standardizer, weights }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;
    use crate::Matrix;
    use crate::testing::noisy_numbers;

    #[test]
    fn recovers_exact_coefficients_whatever_the_units() {
        let (x, _) = noisy_numbers(50, 3, 1);
        let y: Vec<f64> =
            (0..50).map(|i| 1e6 * (4.0 + 2.0 * x.value(i, 0) - 7.0 * x.value(i, 2))).collect();
        let params = params(&LinearRegression, "ridge=1e-9");
        let fitted = LinearRegression.fit_numbers(&params, &x, &y, 0).unwrap();
        for (predicted, y) in fitted.predict(&x).unwrap().iter().zip(&y) {
            assert!((predicted - y).abs() < 1e-3);
        }
    }

    #[test]
    fn fewer_rows_than_columns_and_repeated_columns_are_solved() {
        let x = Matrix::from_rows(&[
            vec![1.0, 1.0, 5.0, 0.0],
            vec![2.0, 2.0, 5.0, 1.0],
            vec![3.0, 3.0, 5.0, 0.0],
        ])
        .unwrap();
        let y = [1.0, 5.0, 2.0];
        let params = params(&LinearRegression, "ridge=1e-6");
        let fitted = LinearRegression.fit_numbers(&params, &x, &y, 0).unwrap();
        for (predicted, y) in fitted.predict(&x).unwrap().iter().zip(&y) {
            assert!((predicted - y).abs() < 1e-3, "{predicted} {y}");
        }
    }
}
