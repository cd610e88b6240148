//! The steps after the walk: cells are found, a lower bound gives a value to each row, the search
//! opens and closes cells by these values, and rows are exchanged one by one.

use rayon::prelude::*;

use super::bound;
use super::cells::{self, Cells};
use super::exchange::exchange;
use super::lattice::Lattice;
use super::records::Records;
use super::search::{Schedule, search};
use super::{Run, Work};
use crate::algorithms::shared::space::Space;

/// The temperatures, in prices of a class: `COLD`, at which the search ends and the exchange
/// begins, and `FROZEN`, at which the exchange ends.
pub const COLD: f64 = 0.02;
pub const FROZEN: f64 = 0.002;
/// How much a cell may lack to break even, in prices of a class, to be worth opening, and to be
/// kept as a cell that records may move to.
const WORTH_OPENING: f64 = 0.05;
const WORTH_KEEPING: f64 = 0.3;

/// The classes as lists of rows, and a lower bound of the price of every release by these regions.
pub struct Improved {
    /// The classes.
    pub clusters: Vec<Vec<u32>>,
    /// The bound, per row.
    pub bound: f64,
}

/// Improve the classes of a walk that placed every record.
pub fn improve(
    run: &Run<'_>,
    records: &Records,
    lattice: &Lattice<'_>,
    work: &Work,
    classes: Vec<Vec<u32>>,
) -> Improved {
    let n_rows = run.task.table.n_rows as f64;
    let k = run.judge.min_rows as u64;
    let cancelled = || run.is_over();
    let most_members = work.members.saturating_mul(records.len());
    let most_work = work.cells.saturating_mul(records.len() as u64);
    let (all, of_class) = cells::find(records, lattice, k, most_members, most_work, &classes);

    let mut paid = vec![0.0; records.len()];
    for (class, &cell) in classes.iter().zip(&of_class) {
        class.iter().for_each(|&record| paid[record as usize] = all.price[cell as usize]);
    }
    let upper: f64 =
        paid.iter().zip(&records.weight).map(|(paid, &weight)| paid * f64::from(weight)).sum();
    let class_price = (upper / n_rows * k as f64).max(f64::MIN_POSITIVE);
    let values = bound::find(records, &all, k, paid, upper, work.bound, &cancelled);
    let schedule = |steps: f64, hot: f64, cold: f64| Schedule {
        steps: (steps * n_rows / k as f64) as u64,
        hot: hot * class_price,
        cold: cold * class_price,
        seed: run.task.seed,
    };

    let choice = Choice::new(records, &all, k, &values.value, class_price, &of_class);
    let hot = schedule(work.steps, work.hot, COLD);
    let clusters = search(records, &choice, k as usize, &classes, &hot, &cancelled);
    drop(choice);
    let cold = schedule(work.exchanges, COLD, FROZEN);
    let exchanged =
        exchange(records, run.space, &all, k as usize, clusters.clone(), &cold, &cancelled);
    let clusters = cheaper(run.space, exchanged, clusters);
    let bound = values.bound.max(bound::by_record(records, &all)) / n_rows;
    Improved { clusters, bound }
}

/// The total cost of classes.
pub fn price(space: &Space<'_>, clusters: &[Vec<u32>]) -> f64 {
    clusters
        .par_iter()
        .map(|rows| space.price(&space.around(rows)) * rows.len() as f64)
        .collect::<Vec<_>>()
        .iter()
        .sum()
}

/// The cheaper of two partitions of the rows: annealing may end with a higher cost than at its
/// start.
pub fn cheaper(space: &Space<'_>, a: Vec<Vec<u32>>, b: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    if price(space, &a) <= price(space, &b) { a } else { b }
}

/// The cells that a search considers.
pub struct Choice {
    /// The cells.
    pub cells: Cells,
    /// Whether a step may open each cell.
    pub worth_opening: Vec<bool>,
    /// The cell of each class at the start.
    pub of_class: Vec<u32>,
}

impl Choice {
    fn new(
        records: &Records,
        all: &Cells,
        k: u64,
        value: &[f64],
        class_price: f64,
        of_class: &[u32],
    ) -> Self {
        let mut open = vec![false; all.len()];
        of_class.iter().for_each(|&cell| open[cell as usize] = true);
        let shortfall: Vec<f64> = (0..all.len() as u32)
            .into_par_iter()
            .map(|cell| bound::shortfall(records, all, cell, k, value) / class_price)
            .collect();
        let within =
            |cell: u32, limit: f64| open[cell as usize] || shortfall[cell as usize] <= limit;
        let kept: Vec<u32> =
            (0..all.len() as u32).filter(|&cell| within(cell, WORTH_KEEPING)).collect();
        let mut place = vec![0u32; all.len()];
        kept.iter().zip(0..).for_each(|(&cell, new)| place[cell as usize] = new);
        Choice {
            cells: all.some(&kept),
            worth_opening: kept.iter().map(|&cell| within(cell, WORTH_OPENING)).collect(),
            of_class: of_class.iter().map(|&cell| place[cell as usize]).collect(),
        }
    }
}
