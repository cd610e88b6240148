//! What a clusterer sees: the quasi columns as numbers of comparable weight, of the original and of
//! a release alike.
//!
//! Numbers are moved and scaled to mean 0 and variance 1 by the rows that are clustered, so that
//! the unit doesn't matter; a recipient has no other rows to go by. A range has two ends, which
//! share the weight of the column. Words become the expected one-hot of their region's leaves as it
//! is: two random rows then differ by at most 2 in the square, which is what a scaled number does
//! on average.

use sfumato_core::Result;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::Recoding;
use sfumato_learn::Matrix;

use crate::evaluate::{Cells, Encoding, Extent, Features, MOST_LEAVES, published_cells};

/// The records of a table as they are.
pub fn matrix_of_original(table: &Table) -> Result<Matrix> {
    let cells = |column: &&Column| {
        let exact =
            (0..column.domain.len() as u32).map(|code| Extent::Codes { lo: code, hi: code + 1 });
        Cells {
            extents: exact.chain([Extent::Missing]).collect(),
            of_row: column.codes.iter().collect(),
        }
    };
    let quasi = table.quasi();
    let cells: Vec<Cells> = quasi.iter().map(cells).collect();
    matrix(&quasi, &cells)
}

/// The published records of a table, as a recoding publishes them: those of `kept`, in their order.
pub fn matrix_of_release(table: &Table, recoding: &dyn Recoding, kept: &[u32]) -> Result<Matrix> {
    matrix(&table.quasi(), &published_cells(table, recoding, kept))
}

fn matrix(quasi: &[&Column], cells: &[Cells]) -> Result<Matrix> {
    let n_rows = cells.first().map_or(0, Cells::n_rows);
    let mut columns = Vec::new();
    for (column, cells) in quasi.iter().zip(cells) {
        columns.extend(weighted(column, cells)?);
    }
    Matrix::from_columns(n_rows, &columns)
}

/// The numbers of one column.
fn weighted(column: &Column, cells: &Cells) -> Result<Vec<Vec<f64>>> {
    let nobody = Cells { extents: Vec::new(), of_row: Vec::new() };
    let (mut numbers, _) = Features::new([column], Encoding::OneHot).numbers(&[cells], &[&nobody]);
    let n = column.domain.len();
    let has_missing = column.codes.counts(n + 1)[n] > 0;
    if !column.domain.kind.is_ordered() && n <= MOST_LEAVES {
        // Of two leaves only one is written; alone it would count half.
        if numbers.len() == 1 && n == 2 {
            numbers[0].iter_mut().for_each(|x| *x *= std::f64::consts::SQRT_2);
        }
        return Ok(numbers);
    }
    let ends = numbers.len() - usize::from(has_missing);
    let scaled = Matrix::from_columns(cells.n_rows(), &numbers[..ends])?.standardized();
    let share = 1.0 / (ends.max(1) as f64).sqrt();
    for (place, number) in numbers[..ends].iter_mut().enumerate() {
        *number = scaled.column(place).iter().map(|x| x * share).collect();
    }
    Ok(numbers)
}
