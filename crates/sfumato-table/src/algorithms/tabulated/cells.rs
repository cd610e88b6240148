//! The cells of a table: all combinations of the values of some columns.

use sfumato_core::column::{Code, Codes};
use sfumato_core::dataset::{Column, Domain, Missing, Role, Table};
use sfumato_core::{Error, Result, with_codes};

/// The columns that span a table of cells.
pub struct Cells<'a> {
    /// The columns.
    pub columns: Vec<&'a Column>,
    /// The number of values of each; missing is one where it occurs.
    pub sizes: Vec<usize>,
}

/// No table has more cells.
pub const MOST_CELLS: usize = 1 << 22;
/// How many rows are gone through at a time, so that their cells stay near.
const BLOCK: usize = 4096;

impl<'a> Cells<'a> {
    /// The cells of all quasi columns.
    pub fn of(table: &'a Table) -> Result<Self> {
        let columns = table.quasi();
        let size = |column: &&Column| {
            let missing = column.domain.missing();
            let has_some =
                with_codes!(&column.codes, v => v.iter().any(|code| code.widen() == missing));
            missing as usize + usize::from(has_some)
        };
        let sizes: Vec<usize> = columns.iter().map(size).collect();
        let all = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size));
        match all {
            Some(all) if all <= MOST_CELLS && !columns.is_empty() => Ok(Cells { columns, sizes }),
            _ if columns.is_empty() => {
                Err(Error::params("a table of cells needs quasi columns that span it"))
            }
            _ => Err(Error::unsupported(format!(
                "the columns span more than {MOST_CELLS} cells, of which each is published"
            ))
            .hint("leave columns out, or round them first")),
        }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rows are in each cell; the last column changes fastest.
    pub fn counts(&self) -> Vec<i64> {
        let n = self.columns.first().map_or(0, |column| column.codes.len());
        let mut counts = vec![0i64; self.len()];
        let mut cells = [0u32; BLOCK];
        for begin in (0..n).step_by(BLOCK) {
            let cells = &mut cells[..BLOCK.min(n - begin)];
            cells.fill(0);
            for (column, size) in self.columns.iter().zip(&self.sizes) {
                add(&column.codes, begin, *size as u32, cells);
            }
            cells.iter().for_each(|cell| counts[*cell as usize] += 1);
        }
        counts
    }

    /// The cell of a row.
    pub fn cell(&self, row: usize) -> usize {
        let both = self.columns.iter().zip(&self.sizes);
        both.fold(0, |cell, (column, size)| cell * size + column.codes.get(row) as usize)
    }

    /// The values of a cell.
    pub fn values(&self, mut cell: usize) -> Vec<String> {
        let mut values = Vec::with_capacity(self.sizes.len());
        for (column, size) in self.columns.iter().zip(&self.sizes).rev() {
            values.push(label(column, (cell % size) as u32));
            cell /= size;
        }
        values.reverse();
        values
    }
}

/// The text of a code, missing ones included.
pub fn label(column: &Column, code: u32) -> String {
    match code == column.domain.missing() {
        true => column.missing_text.clone(),
        false => column.domain.label(code).into_owned(),
    }
}

fn add(codes: &Codes, begin: usize, size: u32, cells: &mut [u32]) {
    with_codes!(codes, v => {
        let block = &v[begin..begin + cells.len()];
        cells.iter_mut().zip(block).for_each(|(cell, code)| *cell = *cell * size + code.widen());
    });
}

/// A table of texts: a name and the texts of each column.
pub fn table(columns: Vec<(String, Vec<String>)>) -> Table {
    let n_rows = columns.first().map_or(0, |(_, texts)| texts.len());
    let column = |(name, texts): (String, Vec<String>)| {
        let mut distinct: Vec<&String> = texts.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        // Every text is one of the distinct ones.
        let code = |text: &String| distinct.binary_search(&text).map_or(0, |at| at as u32);
        let codes = Codes::from_iter(distinct.len() + 1, texts.iter().map(code));
        Column {
            name,
            role: Role::Quasi,
            codes,
            domain: Domain::of_texts(&distinct),
            hierarchy: None,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        }
    };
    Table { n_rows, columns: columns.into_iter().map(column).collect(), subject: None }
}

/// What differs between two tables of texts, if something does.
pub fn other(wanted: &Table, found: &Table) -> Option<String> {
    let texts = |column: &Column| -> Vec<String> {
        column.codes.iter().map(|code| label(column, code)).collect()
    };
    if wanted.columns.len() != found.columns.len() || wanted.n_rows != found.n_rows {
        return Some("the table has other rows or columns than it should".into());
    }
    let both = wanted.columns.iter().zip(&found.columns);
    both.filter(|(one, other)| one.name != other.name || texts(one) != texts(other))
        .map(|(one, _)| format!("column '{}' doesn't say what it should", one.name))
        .next()
}
