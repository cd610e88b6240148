//! A table of finite numbers, which learners and clusterers take. It is stored by columns, and has
//! no missing cells.

use sfumato_core::{Error, Result};

/// Largest absolute value of a cell: squares of larger ones could leave the range of `f64`.
pub const LARGEST: f64 = 1e150;

/// Rows and columns of finite numbers, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    n_rows: usize,
    n_columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// Make a table from columns of `n_rows` cells each. An error if lengths differ or a cell isn't
    /// finite and within [`LARGEST`].
    pub fn from_columns(n_rows: usize, columns: &[Vec<f64>]) -> Result<Self> {
        if let Some(place) = columns.iter().position(|column| column.len() != n_rows) {
            let found = columns[place].len();
            return Err(Error::internal(format!("column {place} has {found} cells, not {n_rows}")));
        }
        Self::new(n_rows, columns.len(), columns.concat())
    }

    /// Make a table from rows of equally many cells, which is easier to write in tests and small
    /// examples.
    pub fn from_rows(rows: &[Vec<f64>]) -> Result<Self> {
        let n_columns = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != n_columns) {
            return Err(Error::internal("rows of a matrix differ in length"));
        }
        let values = (0..n_columns).flat_map(|j| rows.iter().map(move |row| row[j])).collect();
        Self::new(rows.len(), n_columns, values)
    }

    /// Make a table from values that are stored column by column.
    pub fn new(n_rows: usize, n_columns: usize, values: Vec<f64>) -> Result<Self> {
        if n_rows.checked_mul(n_columns) != Some(values.len()) {
            return Err(Error::internal(format!(
                "{} cells are not {n_rows} x {n_columns}",
                values.len()
            )));
        }
        if let Some(place) = values.iter().position(|value| !is_allowed(*value)) {
            let (row, column) = (place % n_rows, place / n_rows);
            return Err(Error::input(format!(
                "the feature in row {row}, column {column} is not a number between -1e150 and 1e150"
            )));
        }
        Ok(Matrix { n_rows, n_columns, values })
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The cells of a column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.n_rows..(column + 1) * self.n_rows]
    }

    /// One cell.
    #[inline]
    pub fn value(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.n_rows + row]
    }

    /// All cells, column by column.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All cells row by row, for loops over whole rows.
    pub fn to_rows(&self) -> Vec<f64> {
        let mut rows = vec![0.0; self.values.len()];
        for j in 0..self.n_columns {
            for (i, value) in self.column(j).iter().enumerate() {
                rows[i * self.n_columns + j] = *value;
            }
        }
        rows
    }

    /// Some rows, in the order given; a row may be taken twice.
    pub fn take(&self, rows: &[u32]) -> Matrix {
        let pick = |j| rows.iter().map(move |row| self.value(*row as usize, j));
        let values = (0..self.n_columns).flat_map(pick).collect();
        Matrix { n_rows: rows.len(), n_columns: self.n_columns, values }
    }

    /// Each column moved and scaled to mean 0 and standard deviation 1; a constant column becomes
    /// 0. For clusterers, where the unit of a column must not decide how much it counts.
    pub fn standardized(&self) -> Matrix {
        let mut values = Vec::with_capacity(self.values.len());
        for j in 0..self.n_columns {
            let (mean, deviation) = mean_and_deviation(self.column(j));
            let scale = if deviation > 0.0 { 1.0 / deviation } else { 0.0 };
            values.extend(self.column(j).iter().map(|value| (value - mean) * scale));
        }
        Matrix { n_rows: self.n_rows, n_columns: self.n_columns, values }
    }
}

/// Whether a number may be a cell or a target. A NaN lies in no range.
pub(crate) fn is_allowed(value: f64) -> bool {
    (-LARGEST..=LARGEST).contains(&value)
}

/// Mean and standard deviation (divided by n) of a column. The deviation is 0 exactly if all cells
/// are equal, and where the spread is lost in the rounding of the mean.
pub(crate) fn mean_and_deviation(column: &[f64]) -> (f64, f64) {
    let n = column.len() as f64;
    let Some(first) = column.first() else { return (0.0, 0.0) };
    if column.iter().all(|value| value == first) {
        return (*first, 0.0);
    }
    let mean = column.iter().map(|value| value / n).sum::<f64>();
    let variance = column.iter().map(|value| (value - mean) * ((value - mean) / n)).sum::<f64>();
    let deviation = variance.sqrt();
    if deviation.is_finite() && deviation > mean.abs() * 1e-13 {
        (mean, deviation)
    } else {
        (mean, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_columns_and_values_agree() {
        let m = Matrix::from_rows(&[vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]]).unwrap();
        assert_eq!((m.n_rows(), m.n_columns()), (3, 2));
        assert_eq!(m.column(1), [2.0, 4.0, 6.0]);
        assert_eq!(m.value(2, 0), 5.0);
        assert_eq!(m.values(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        assert_eq!(m.to_rows(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(
            m,
            Matrix::from_columns(3, &[vec![1.0, 3.0, 5.0], vec![2.0, 4.0, 6.0]]).unwrap()
        );
        assert_eq!(m.take(&[2, 0, 2]).to_rows(), [5.0, 6.0, 1.0, 2.0, 5.0, 6.0]);
        assert_eq!(Matrix::from_columns(7, &[]).unwrap().n_rows(), 7);
    }

    #[test]
    fn refuses_wrong_shapes_and_cells() {
        assert!(Matrix::from_rows(&[vec![1.0], vec![]]).is_err());
        assert!(Matrix::from_columns(2, &[vec![1.0]]).is_err());
        assert!(Matrix::new(2, 2, vec![1.0]).is_err());
        for cell in [f64::NAN, f64::INFINITY, 1e151] {
            let error = Matrix::from_rows(&[vec![0.0, 0.0], vec![0.0, cell]]).unwrap_err();
            assert!(error.message.contains("row 1, column 1"), "{error}");
        }
    }

    #[test]
    fn standardized_columns_have_mean_0_and_deviation_1() {
        let m = Matrix::from_columns(
            4,
            &[vec![1.0, 2.0, 3.0, 6.0], vec![0.1; 4], vec![-1e150, 1e150, 0.0, 0.0]],
        )
        .unwrap()
        .standardized();
        for j in [0, 2] {
            let (mean, deviation) = mean_and_deviation(m.column(j));
            assert!(mean.abs() < 1e-12 && (deviation - 1.0).abs() < 1e-12);
        }
        assert_eq!(m.column(1), [0.0; 4]);
    }
}
