//! The results of an experiment.

use serde::Serialize;
use sfumato_core::{Error, Result};
use sfumato_learn::compare::paired_t_test;
use sfumato_learn::score::Spread;
use sfumato_report::matrix::Matrix;

use crate::claims::Claim;
use crate::figure::{DEFAULT_SEED, FigureInfo, Settings, Size};

/// A mean with its spread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Number {
    /// The mean.
    pub mean: f64,
    /// The standard deviation over trials or folds; 0 where there was one.
    pub sd: f64,
}

impl Number {
    /// The cell of some values; `None` if there are none.
    pub fn of(values: &[f64]) -> Cell {
        Spread::of(values).map(|spread| Number { mean: spread.mean, sd: spread.sd })
    }

    /// A number without spread.
    pub fn exact(mean: f64) -> Cell {
        Some(Number { mean, sd: 0.0 })
    }
}

/// A cell of a table; `None` where nothing was measured.
pub type Cell = Option<Number>;

/// How a table is drawn: rows along the axis, a series for each column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Plot {
    /// The values aren't drawn at all.
    None,
    /// The values are drawn as lines.
    Lines,
    /// The values are drawn as lines on logarithmic axes. The labels of the rows must be numbers.
    LogLog,
    /// The values are drawn as bars in groups.
    Bars,
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is about: a function, a k.
    pub label: String,
    /// A cell for each column.
    pub cells: Vec<Cell>,
}

/// Numbers that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// What the rows are: `k`, `function`.
    pub rows_are: String,
    /// What the numbers are: `accuracy, %`.
    pub measure: String,
    /// What is compared.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Digits behind the point.
    pub digits: usize,
    /// How it is drawn.
    pub plot: Plot,
}

impl Table {
    /// A table without rows, drawn as lines.
    pub fn new(title: &str, rows_are: &str, measure: &str, columns: &[&str]) -> Self {
        Table {
            title: title.into(),
            rows_are: rows_are.into(),
            measure: measure.into(),
            columns: columns.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
            digits: 1,
            plot: Plot::Lines,
        }
    }

    /// Drawn otherwise.
    #[must_use]
    pub fn plotted(mut self, plot: Plot) -> Self {
        self.plot = plot;
        self
    }

    /// Set the number of digits.
    #[must_use]
    pub fn digits(mut self, digits: usize) -> Self {
        self.digits = digits;
        self
    }

    /// Add a row.
    pub fn push(&mut self, label: impl ToString, cells: Vec<Cell>) {
        self.rows.push(Row { label: label.to_string(), cells });
    }

    /// The means of a column, row by row.
    pub fn means(&self, column: usize) -> Vec<f64> {
        self.rows.iter().filter_map(|row| Some(row.cells.get(column).copied()??.mean)).collect()
    }
}

/// The one-tailed p of a paired t-test that the first is higher; 1 where there are no pairs.
pub fn p_higher(first: &[f64], second: &[f64]) -> f64 {
    paired_t_test(first, second).map_or(1.0, |test| test.p_first_higher)
}

/// The result of a figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FigureResult {
    /// The name of the figure.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// What the paper says.
    pub paper: String,
    /// The data that were used.
    pub data: String,
    /// How large the experiment was: trials, folds, records.
    pub scale: String,
    /// Why it wasn't run, if it wasn't.
    pub skipped: Option<String>,
    /// The seeds that claims were measured with, in order; the rest is of the first.
    pub seeds: Vec<u64>,
    /// The numbers.
    pub tables: Vec<Table>,
    /// Pictures of matrices, drawn where no table is.
    #[serde(skip)]
    pub matrices: Vec<Matrix>,
    /// The paper's claims.
    pub claims: Vec<Claim>,
    /// Where it differs, and why.
    pub notes: Vec<String>,
}

impl FigureResult {
    /// A result without any table yet.
    pub fn new(info: &FigureInfo, scale: impl Into<String>) -> Self {
        FigureResult {
            name: info.name.into(),
            caption: info.caption.into(),
            paper: info.paper.into(),
            data: info.data.into(),
            scale: scale.into(),
            skipped: None,
            seeds: Vec::new(),
            tables: Vec::new(),
            matrices: Vec::new(),
            claims: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Add what another seed found about the same claims; everything else stays that of the first.
    pub fn add_seed(&mut self, other: &FigureResult) -> Result<()> {
        let same = self.claims.len() == other.claims.len()
            && self.claims.iter().zip(&other.claims).all(|(own, other)| own.is_same(other));
        if !same {
            return Err(Error::internal(format!("{}: seeds differ in their claims", self.name)));
        }
        self.claims.iter_mut().zip(&other.claims).for_each(|(own, other)| own.add(other));
        self.seeds.extend(&other.seeds);
        Ok(())
    }

    /// Add what was found by looking at the full run with the default seed: it is true of that run
    /// and needn't be of others.
    pub fn note_of_full_run(&mut self, settings: &Settings<'_>, note: &str) {
        if settings.size == Size::Full && settings.seed == DEFAULT_SEED {
            self.notes.push(note.to_string());
        }
    }

    /// Whether there is anything to be drawn.
    pub fn is_drawn(&self) -> bool {
        !self.matrices.is_empty() || self.tables.iter().any(|table| table.plot != Plot::None)
    }

    /// A figure that wasn't run.
    pub fn skipped(info: &FigureInfo, why: String) -> Self {
        FigureResult { skipped: Some(why), ..FigureResult::new(info, "") }
    }
}
