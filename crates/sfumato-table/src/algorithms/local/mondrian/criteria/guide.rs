//! What a run knows about its workload: the criteria of its targets, its selections, and which
//! columns will be used at all.

use sfumato_core::column::Codes;
use sfumato_core::dataset::Table;
use sfumato_core::traits::Task;
use sfumato_core::workload::{Selection, Target, TargetKind, Workload};

use super::features;
use super::info_gain::InfoGain;
use super::squared_error::SquaredError;
use super::{Counts, Criterion};
use crate::algorithms::local::mondrian::store::{Slice, Store};

/// The criteria of a run.
pub struct Guide<'a> {
    /// The criterion of each target.
    pub steering: Vec<Steering>,
    /// The selections of records.
    pub selections: &'a [Selection],
    /// For each quasi column whether a projection names it; all of them without projections.
    pub projected: Vec<bool>,
    /// The gain per record below which the usual order of splits is used.
    pub min_gain: f64,
    /// Whether only gains that are more than chance count.
    pub significant: bool,
}

/// The criterion of one target.
pub struct Steering {
    /// The criterion itself.
    pub criterion: Box<dyn Criterion>,
    /// The place of its first column in what is moved with the rows.
    pub first: usize,
    /// The number of its columns.
    pub n_columns: usize,
    /// For each quasi column, whether models will use it.
    pub features: Vec<bool>,
}

impl Steering {
    /// The columns of the criterion in a block.
    pub fn own<'b, 's>(&self, payload: &'b [Slice<'s>]) -> &'b [Slice<'s>] {
        &payload[self.first..self.first + self.n_columns]
    }
}

impl<'a> Guide<'a> {
    /// Make a guide from the workload of a task, where `n_before` columns are moved with the rows
    /// already. `None` if the workload says nothing about splits.
    pub fn new(task: &Task<'a>, n_before: usize, min_gain: f64, significant: bool) -> Option<Self> {
        let workload: &'a Workload = task.workload.filter(|workload| workload.guides_splits())?;
        let (table, n_quasi) = (task.table, task.table.quasi().len());
        // Entropies are added as they are; beside errors, which have units, each counts by what it
        // was at first.
        let relative = workload.targets.iter().any(|target| target.kind == TargetKind::Numbers);
        let mut steering: Vec<Steering> = Vec::with_capacity(workload.targets.len());
        let mut first = n_before;
        for target in &workload.targets {
            let criterion = criterion(table, target, relative);
            let n_columns = criterion.columns().len();
            let features = (0..n_quasi).map(|quasi| target.uses_quasi(table, quasi)).collect();
            steering.push(Steering { criterion, first, n_columns, features });
            first += n_columns;
        }
        let named = |quasi: usize| {
            workload.projections.iter().any(|projection| projection.contains(&quasi))
        };
        let projected = match workload.projections.is_empty() {
            true => vec![true; n_quasi],
            false => (0..n_quasi).map(named).collect(),
        };
        Some(Guide { steering, selections: &workload.selections, projected, min_gain, significant })
    }

    /// The columns that the criteria read.
    pub fn columns(&self) -> impl Iterator<Item = &Codes> {
        self.steering.iter().flat_map(|steering| steering.criterion.columns())
    }
}

/// The criterion of a target, scaled to the gain per record: bits of entropy, or a share of the
/// initial impurity.
fn criterion(table: &Table, target: &Target, relative: bool) -> Box<dyn Criterion> {
    let column = &table.columns[target.column];
    let cells = features::cells(table, &target.other_features(table));
    match target.kind {
        TargetKind::Classes => {
            // Missing is a class where it occurs.
            let has_missing = column.codes.iter().any(|code| code == column.domain.missing());
            let n_classes = (column.domain.len() + usize::from(has_missing)).max(1);
            let (labels, n_cells) = match cells {
                None => (column.codes.clone(), 1),
                Some((cells, n_cells)) => {
                    let classes = cells.iter().zip(column.codes.iter());
                    let labels = classes.map(|(cell, class)| cell * n_classes as u32 + class);
                    (Codes::from_iter(n_cells * n_classes, labels), n_cells)
                }
            };
            let nats = target.weight / std::f64::consts::LN_2;
            let made = |scale| Box::new(InfoGain::new(labels.clone(), n_classes, n_cells, scale));
            match relative {
                false => made(nats),
                true => made(target.weight / at_first(made(1.0).as_ref(), table.n_rows)),
            }
        }
        TargetKind::Numbers => {
            let mut numbers: Vec<f64> = (0..column.domain.missing())
                .filter_map(|code| column.domain.number(code))
                .collect();
            let counts = column.codes.counts(column.domain.len() + 1);
            let n: f64 = counts[..numbers.len()].iter().map(|count| *count as f64).sum();
            let mean = numbers
                .iter()
                .zip(&counts)
                .map(|(x, count)| x * (*count as f64 / n.max(1.0)))
                .sum::<f64>();
            // Around the mean squares are small, and their sums exact enough.
            numbers.iter_mut().for_each(|x| *x -= mean);
            // A column that passes through may have several texts that mean missing: their codes
            // are behind the numbers'.
            numbers.resize(column.domain.len() + 1, f64::NAN);
            let cells = cells
                .map(|(cells, n_cells)| (Codes::from_iter(n_cells, cells.into_iter()), n_cells));
            let made = |scale| {
                Box::new(SquaredError::new(
                    column.codes.clone(),
                    numbers.clone(),
                    cells.clone(),
                    scale,
                ))
            };
            made(target.weight / at_first(made(1.0).as_ref(), table.n_rows))
        }
    }
}

/// The impurity of a target per record of the whole table; 1 if it is 0, to avoid a division by 0.
fn at_first(criterion: &dyn Criterion, n_rows: usize) -> f64 {
    let mut stores: Vec<Store> = criterion.columns().into_iter().map(Store::copy).collect();
    let own: Vec<Slice<'_>> = stores.iter_mut().map(Store::slice).collect();
    let impurity = criterion.whole(&own, 0..n_rows, &mut Counts::default()) / n_rows.max(1) as f64;
    if impurity > 0.0 && impurity.is_finite() { impurity } else { 1.0 }
}
