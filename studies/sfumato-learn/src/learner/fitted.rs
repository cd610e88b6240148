//! The results of a learner: a classifier or a regressor, which check their input before the model
//! sees it.

use sfumato_core::{Error, Result};

use crate::Matrix;

/// A trained model of classes. Gets matrices with the columns it was trained on.
pub trait ClassModel: Send + Sync {
    /// A score per row and class, row by row: the larger, the likelier. Finite.
    fn scores(&self, x: &Matrix) -> Result<Vec<f64>>;
}

/// A trained model of a number. Gets matrices with the columns it was trained on.
pub trait NumberModel: Send + Sync {
    /// A number per row.
    fn predict(&self, x: &Matrix) -> Result<Vec<f64>>;
}

/// Scores of rows, a number per class: shares or probabilities, or decision values. Comparable
/// within a class over rows, which is what a curve needs, and within a row over classes, which is
/// what a prediction needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    n_classes: usize,
    values: Vec<f64>,
}

impl Scores {
    /// Make scores from values row by row.
    pub fn new(n_classes: usize, values: Vec<f64>) -> Result<Self> {
        if n_classes == 0 || !values.len().is_multiple_of(n_classes) {
            return Err(Error::internal(format!(
                "{} scores for {n_classes} classes",
                values.len()
            )));
        }
        Ok(Scores { n_classes, values })
    }
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.values.len() / self.n_classes
    }
    /// How many classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }
    /// The scores of a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_classes..(row + 1) * self.n_classes]
    }
    /// The scores of a class, a number per row.
    pub fn of_class(&self, class: usize) -> Vec<f64> {
        self.values.iter().skip(class).step_by(self.n_classes).copied().collect()
    }
    /// The class with the largest score in each row; of equal ones the first.
    pub fn best(&self) -> Vec<u32> {
        let best = |row: &[f64]| {
            (1..row.len()).fold(0, |best, c| if row[c] > row[best] { c } else { best })
        };
        self.values.chunks_exact(self.n_classes).map(|row| best(row) as u32).collect()
    }
}

/// A trained classifier.
pub struct Classifier {
    n_columns: usize,
    n_classes: usize,
    model: Box<dyn ClassModel>,
}

impl Classifier {
    pub(super) fn new(n_columns: usize, n_classes: usize, model: Box<dyn ClassModel>) -> Self {
        Classifier { n_columns, n_classes, model }
    }
    /// The class of each row: the one with the largest score, of equal ones the first.
    pub fn predict(&self, x: &Matrix) -> Result<Vec<u32>> {
        Ok(self.scores(x)?.best())
    }
    /// The scores of each row.
    pub fn scores(&self, x: &Matrix) -> Result<Scores> {
        check(self.n_columns, x)?;
        let values = self.model.scores(x)?;
        if values.len() != x.n_rows() * self.n_classes {
            return Err(Error::internal("a learner gave the wrong number of scores"));
        }
        Scores::new(self.n_classes, values)
    }
}

/// A trained regressor.
pub struct Regressor {
    n_columns: usize,
    model: Box<dyn NumberModel>,
}

impl Regressor {
    pub(super) fn new(n_columns: usize, model: Box<dyn NumberModel>) -> Self {
        Regressor { n_columns, model }
    }
    /// The number of each row.
    pub fn predict(&self, x: &Matrix) -> Result<Vec<f64>> {
        check(self.n_columns, x)?;
        self.model.predict(x)
    }
}

fn check(n_columns: usize, x: &Matrix) -> Result<()> {
    if x.n_columns() == n_columns {
        return Ok(());
    }
    Err(Error::internal(format!("trained on {n_columns} columns, asked about {}", x.n_columns())))
}

/// Says the same of every row.
pub(super) struct Constant(pub Vec<f64>);

impl ClassModel for Constant {
    fn scores(&self, x: &Matrix) -> Result<Vec<f64>> {
        Ok(self.0.repeat(x.n_rows()))
    }
}

impl NumberModel for Constant {
    fn predict(&self, x: &Matrix) -> Result<Vec<f64>> {
        Ok(self.0.repeat(x.n_rows()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_by_row_and_by_class() {
        let scores = Scores::new(3, vec![0.1, 0.8, 0.1, 0.4, 0.2, 0.4]).unwrap();
        assert_eq!((scores.n_rows(), scores.n_classes()), (2, 3));
        assert_eq!(scores.row(1), [0.4, 0.2, 0.4]);
        assert_eq!(scores.of_class(1), [0.8, 0.2]);
        assert_eq!(scores.best(), [1, 0]);
        assert!(Scores::new(2, vec![0.0; 3]).is_err());
        assert!(Scores::new(0, vec![]).is_err());
    }
}
