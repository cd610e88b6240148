//! A table of texts in memory, before anything is known about its columns.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_io::{ReadOptions, read, select_all};

use super::random::RandomStream;

/// Named columns and rows of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The columns.
    pub names: Vec<String>,
    /// The rows, a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Read a file; one without a header gets the names given.
    pub fn read(path: &Path, names: Option<&[&str]>) -> Result<Self> {
        let options = ReadOptions { header: Some(names.is_none()), ..ReadOptions::default() };
        let raw = read(&path.display().to_string(), &options, &mut select_all, &Unobserved)?;
        let text = |row: usize, column: &sfumato_core::column::RawColumn| {
            column.values.get(column.codes.get(row)).trim().to_string()
        };
        let rows =
            (0..raw.n_rows).map(|row| raw.columns.iter().map(|column| text(row, column)).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        let names = match names {
            Some(names) if names.len() != raw.header.len() => {
                return Err(Error::input(format!("there should be {} columns", names.len()))
                    .in_file(path.display().to_string()));
            }
            Some(names) => names.iter().map(ToString::to_string).collect(),
            None => raw.header.clone(),
        };
        Ok(Sheet { names, rows })
    }

    /// Parse CSV text without quotes.
    pub fn parse(text: &str) -> Self {
        let cells = |line: &str| line.split(',').map(str::to_string).collect::<Vec<String>>();
        let mut lines = text.lines().map(cells);
        Sheet { names: lines.next().unwrap_or_default(), rows: lines.collect() }
    }

    /// Only some columns, in the order given.
    pub fn columns(&self, names: &[&str]) -> Result<Self> {
        let places = names.iter().map(|name| self.place(name)).collect::<Result<Vec<usize>>>()?;
        let rows =
            self.rows.iter().map(|row| places.iter().map(|place| row[*place].clone()).collect());
        Ok(Sheet { names: names.iter().map(ToString::to_string).collect(), rows: rows.collect() })
    }

    /// Only rows in which no cell is empty or `?`.
    #[must_use]
    pub fn complete(mut self) -> Self {
        self.rows.retain(|row| row.iter().all(|cell| !cell.is_empty() && cell != "?"));
        self
    }

    /// At most `n` rows at random, in the order they had.
    #[must_use]
    pub fn sample(mut self, n: usize, seed: u64) -> Self {
        if n >= self.rows.len() {
            return self;
        }
        let mut chosen = RandomStream::new(seed).order(self.rows.len());
        chosen.truncate(n);
        chosen.sort_unstable();
        self.rows = chosen.into_iter().map(|row| std::mem::take(&mut self.rows[row])).collect();
        self
    }

    /// The rows of another sheet below.
    #[must_use]
    pub fn stack(mut self, other: Self) -> Self {
        self.rows.extend(other.rows);
        self
    }

    /// A column more.
    pub fn push(&mut self, name: &str, cells: Vec<String>) {
        self.names.push(name.to_string());
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }

    /// Change every cell of a column.
    pub fn change(&mut self, name: &str, change: impl Fn(&str) -> String) -> Result<()> {
        let place = self.place(name)?;
        self.rows.iter_mut().for_each(|row| row[place] = change(&row[place]));
        Ok(())
    }

    /// The texts of a column.
    pub fn texts(&self, name: &str) -> Result<Vec<&str>> {
        let place = self.place(name)?;
        Ok(self.rows.iter().map(|row| row[place].as_str()).collect())
    }

    /// The numbers of a column.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>> {
        let number = |text: &str| {
            text.parse::<f64>()
                .map_err(|_| Error::input(format!("a cell of column '{name}' isn't a number")))
        };
        self.texts(name)?.into_iter().map(number).collect()
    }

    fn place(&self, name: &str) -> Result<usize> {
        let place = self.names.iter().position(|own| own == name);
        place.ok_or_else(|| Error::input(format!("there is no column '{name}'")))
    }
}
