//! What an algorithm minimizes: a metric split into the contributions of classes, so that a search
//! can price its next step without measuring the whole release again.

use crate::dataset::{Column, Table};
use crate::recoding::{Recoding, SUPPRESSED, Value};
use crate::traits::View;

/// The price of one cell, by quasi column and published value.
type CellPrice<'a> = Box<dyn Fn(usize, Value) -> f64 + Send + Sync + 'a>;
/// The price of a class by its number of records, in addition to its cells.
type ClassPrice = Box<dyn Fn(u64) -> f64 + Send + Sync>;

/// How the prices of a record's cells are combined into the price of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// The prices are added.
    Sum,
    /// The prices are multiplied.
    Product,
}

/// A price list. The release costs the sum over its classes of `records * join(cells) +
/// class(records) + outsiders`, and a suppressed record costs `suppressed`. Lower is better,
/// whatever the metric's own direction; the value is the metric's up to a factor and a constant of
/// the table.
pub struct Objective<'a> {
    /// The metric it comes from.
    pub metric: &'static str,
    cell: CellPrice<'a>,
    join: Join,
    class: Option<ClassPrice>,
    /// The price of a record whose target isn't the most frequent one of its class.
    pub outsider: f64,
    /// The price of a suppressed record.
    pub suppressed: f64,
}

impl<'a> Objective<'a> {
    /// An objective with a price for cells. Suppressed records cost what their suppressed cells do.
    pub fn of_cells(
        metric: &'static str,
        join: Join,
        n_quasi: usize,
        cell: impl Fn(usize, Value) -> f64 + Send + Sync + 'a,
    ) -> Self {
        let suppressed = join.all((0..n_quasi).map(|quasi| cell(quasi, Value::Any)));
        Objective { metric, cell: Box::new(cell), join, class: None, outsider: 0.0, suppressed }
    }

    /// An objective with a price for classes, by their number of records, and one for suppressed
    /// records.
    pub fn of_classes(
        metric: &'static str,
        class: impl Fn(u64) -> f64 + Send + Sync + 'static,
        suppressed: f64,
    ) -> Self {
        Objective {
            metric,
            cell: Box::new(|_, _| 0.0),
            join: Join::Sum,
            class: Some(Box::new(class)),
            outsider: 0.0,
            suppressed,
        }
    }

    /// An objective with a price for records whose target isn't the most frequent one of their
    /// class.
    pub fn of_targets(metric: &'static str, outsider: f64, suppressed: f64) -> Self {
        let cell: CellPrice<'a> = Box::new(|_, _| 0.0);
        Objective { metric, cell, join: Join::Sum, class: None, outsider, suppressed }
    }

    /// The normalized certainty penalty with the weights of columns, which is minimized unless a
    /// job asks for another metric. All records in one class that covers everything cost at most 1
    /// each.
    pub fn ncp(table: &'a Table) -> Self {
        let quasi: Vec<&'a Column> = table.quasi();
        let weights: Vec<f64> = quasi.iter().map(|column| column.weight.max(0.0)).collect();
        let total: f64 = weights.iter().sum();
        let shares: Vec<f64> = match total > 0.0 && total.is_finite() {
            true => weights.iter().map(|weight| weight / total).collect(),
            false => vec![1.0 / quasi.len().max(1) as f64; quasi.len()],
        };
        let n_quasi = quasi.len();
        Objective::of_cells("ncp", Join::Sum, n_quasi, move |i, value| {
            shares[i] * value.ncp(quasi[i])
        })
    }

    /// The price of a cell.
    pub fn cell(&self, quasi: usize, value: Value) -> f64 {
        (self.cell)(quasi, value)
    }
    /// How the prices of cells are combined.
    pub fn join(&self) -> Join {
        self.join
    }
    /// The price of a class in addition to its cells and outsiders.
    pub fn class(&self, rows: u64) -> f64 {
        self.class.as_ref().map_or(0.0, |class| class(rows))
    }
    /// Whether cells cost nothing, so that only the grouping of records counts.
    pub fn ignores_cells(&self) -> bool {
        self.class.is_some() || self.outsider > 0.0
    }

    /// The price of a whole recoding, computed record by record: for tests and for a last
    /// comparison, not for a search.
    pub fn total(&self, table: &Table, recoding: &dyn Recoding) -> f64 {
        let view = View::new(table, recoding, None);
        let mut total = view.suppressed as f64 * self.suppressed;
        for (class, &rows) in view.class_sizes.iter().enumerate().filter(|(_, rows)| **rows > 0) {
            let cells = (0..recoding.n_columns())
                .map(|quasi| self.cell(quasi, recoding.value(class as u32, quasi)));
            total += rows as f64 * self.join.all(cells) + self.class(rows);
        }
        if let (Some(target), true) = (view.target(), self.outsider > 0.0) {
            let mut counts: crate::FastMap<(u32, u32), u64> = crate::FastMap::default();
            for (row, &class) in recoding
                .class_of_row()
                .iter()
                .enumerate()
                .filter(|(_, class)| **class != SUPPRESSED)
            {
                *counts.entry((class, target.codes.get(row))).or_default() += 1;
            }
            let mut most = vec![0u64; view.class_sizes.len()];
            counts
                .iter()
                .for_each(|((class, _), n)| most[*class as usize] = most[*class as usize].max(*n));
            let outsiders: u64 =
                view.class_sizes.iter().zip(most).map(|(rows, most)| rows - most).sum();
            total += self.outsider * outsiders as f64;
        }
        total
    }
}

impl Join {
    /// The price of a record from the prices of its cells.
    #[inline]
    pub fn all(self, cells: impl Iterator<Item = f64>) -> f64 {
        match self {
            Join::Sum => cells.sum(),
            Join::Product => cells.product(),
        }
    }
}

/// How long an algorithm may search, measured in work and not in time, so that the same effort
/// gives the same release on a slow machine.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// The first good answer.
    Low,
    /// A short search: about a second for thirty thousand records.
    #[default]
    Normal,
    /// A long search, until little more can be gained: a minute for thirty thousand records.
    High,
}

impl Effort {
    /// All efforts, from low to high.
    pub const ALL: [Effort; 3] = [Effort::Low, Effort::Normal, Effort::High];

    /// The name of the effort in a job.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Low => "low",
            Effort::Normal => "normal",
            Effort::High => "high",
        }
    }
}
