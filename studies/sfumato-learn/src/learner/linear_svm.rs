//! A linear support vector machine, our own solver: the library's needs seconds for thousands of
//! rows.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};

use super::fitted::ClassModel;
use super::linear::{LinearClasses, Link, Weights};
use super::standardize::Standardizer;
use super::{ClassTask, Goal, Learner};
use crate::random::RandomStream;

/// The entry of the registry.
pub struct LinearSvm;

static INFO: Info = Info {
    name: "linear-svm",
    summary: "linear support vector machine on standardized features, one class against the rest",
    papers: &[Paper {
        authors: "C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan",
        title: "A Dual Coordinate Descent Method for Large-scale Linear SVM",
        venue: "ICML",
        year: 2008,
    }],
    params: &[
        ParamSpec::with_default(
            "c",
            ParamKind::Number { min: 0.0, above: true, max: 1e6 },
            "1",
            "cost of a row on the wrong side, against the width of the margin",
        ),
        ParamSpec::with_default(
            "passes",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "300",
            "most passes over the rows",
        ),
    ],
    doc: "\
Minimizes `|w|^2 / 2 + c * sum of hinge losses` by coordinate descent in the dual, in a random \
order per pass, until no row
violates its optimality by more than 0.01 or `passes` are done. The intercept is the weight of a \
column of ones, so it counts in `|w|` too.
Features have mean 0 and deviation 1; constant columns are dropped.

**Classes**: one machine for two, one for each against the rest for more.

**Scores** are signed distances in units of the margin, not probabilities.

**Differs from the usual SMO**: linear kernel only, which is what makes a pass cost rows x \
columns. The kept library's
solver needs 0.5 s for 1,000 rows of 18 columns, 17 s for 5,000 and would need a sample of larger \
data; this one takes all rows.
",
    ..Info::DEFAULT
};

impl Learner for LinearSvm {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Classes
    }
    fn train_classes(&self, task: &ClassTask<'_>) -> Result<Box<dyn ClassModel>> {
        let standardizer = Standardizer::fit(task.x);
        let rows = Rows::new(&standardizer.columns(task.x), task.y.len());
        let occurs: Vec<usize> = (0..task.n_classes)
            .filter(|class| task.y.iter().any(|y| *y as usize == *class))
            .collect();
        let train = |class: usize| {
            let signs: Vec<f64> =
                task.y.iter().map(|y| if *y as usize == class { 1.0 } else { -1.0 }).collect();
            solve(&rows, &signs, task.params.number("c"), task.params.integer("passes"), task.seed)
        };
        let weights = if let [first, second] = occurs[..] {
            let weights = train(second);
            let opposite = Weights {
                intercept: -weights.intercept,
                of_columns: weights.of_columns.iter().map(|weight| -weight).collect(),
            };
            vec![(first, opposite), (second, weights)]
        } else {
            occurs.into_iter().map(|class| (class, train(class))).collect()
        };
        Ok(Box::new(LinearClasses {
            standardizer,
            n_classes: task.n_classes,
            weights,
            link: Link::Margin,
        }))
    }
}

/// Standardized cells row by row, with a one behind each row for the intercept.
struct Rows {
    width: usize,
    cells: Vec<f64>,
}

impl Rows {
    fn new(columns: &[f64], n_rows: usize) -> Self {
        let width = columns.len() / n_rows + 1;
        let mut cells = vec![1.0; width * n_rows];
        for (place, cell) in columns.iter().enumerate() {
            cells[place % n_rows * width + place / n_rows] = *cell;
        }
        Rows { width, cells }
    }

    fn row(&self, row: u32) -> &[f64] {
        &self.cells[row as usize * self.width..(row as usize + 1) * self.width]
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Violations of the optimality conditions below this end the search.
const TOLERANCE: f64 = 0.01;

fn solve(rows: &Rows, signs: &[f64], c: f64, passes: i64, seed: u64) -> Weights {
    let mut random = RandomStream::new(seed);
    let mut order: Vec<u32> = (0..signs.len() as u32).collect();
    let norms: Vec<f64> = order.iter().map(|row| dot(rows.row(*row), rows.row(*row))).collect();
    let mut alphas = vec![0.0f64; signs.len()];
    let mut w = vec![0.0; rows.width];
    for _ in 0..passes {
        random.shuffle(&mut order);
        let mut worst = 0.0f64;
        for row in &order {
            let (i, cells) = (*row as usize, rows.row(*row));
            let gradient = signs[i] * dot(&w, cells) - 1.0;
            let violation = if alphas[i] <= 0.0 {
                gradient.min(0.0)
            } else if alphas[i] >= c {
                gradient.max(0.0)
            } else {
                gradient
            };
            worst = worst.max(violation.abs());
            if violation != 0.0 {
                let old = alphas[i];
                alphas[i] = (old - gradient / norms[i]).clamp(0.0, c);
                let step = (alphas[i] - old) * signs[i];
                w.iter_mut().zip(cells).for_each(|(w, cell)| *w += step * cell);
            }
        }
        if worst < TOLERANCE {
            break;
        }
    }
    let intercept = w.pop().unwrap_or(0.0);
    Weights { intercept, of_columns: w }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;
    use crate::Matrix;
    use crate::testing::noisy_classes;
    use smartcore::linalg::basic::matrix::DenseMatrix;
    use smartcore::svm::Kernels;
    use smartcore::svm::svc::{SVC, SVCParameters};

    #[test]
    fn two_rows_have_their_margin() {
        // Minimizing w^2 + b^2 with w - b >= 1 and w + b >= 1 gives w = 1, b = 0.
        let x = Matrix::from_columns(2, &[vec![-1.0, 1.0]]).unwrap();
        let scores = LinearSvm
            .fit_classes(&params(&LinearSvm, ""), &x, &[0, 1], 2, 0)
            .unwrap()
            .scores(&x)
            .unwrap();
        assert!((scores.row(0)[0] - 1.0).abs() < 0.02 && (scores.row(1)[1] - 1.0).abs() < 0.02);
    }

    #[test]
    fn agrees_with_the_library() {
        let (x, y) = noisy_classes(250, 4, 2, 1);
        let (test, _) = noisy_classes(500, 4, 2, 2);
        let ours = LinearSvm
            .fit_classes(&params(&LinearSvm, ""), &x, &y, 2, 0)
            .unwrap()
            .predict(&test)
            .unwrap();
        // Features are nearly standardized as they are.
        let dense =
            |x: &Matrix| DenseMatrix::new(x.n_rows(), 4, x.values().to_vec(), true).unwrap();
        let (train, test) = (dense(&x), dense(&test));
        let signs: Vec<i32> = y.iter().map(|y| *y as i32).collect();
        let settings = SVCParameters::default().with_kernel(Kernels::linear()).with_seed(Some(1));
        let theirs = SVC::fit(&train, &signs, &settings).unwrap().predict(&test).unwrap();
        let alike = ours.iter().zip(theirs).filter(|(a, b)| **a == *b as u32).count();
        assert!(alike >= 485, "{alike}");
    }
}
