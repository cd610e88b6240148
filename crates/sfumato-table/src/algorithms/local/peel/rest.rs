//! Lattices that are too large to walk: the rows that the walk couldn't place are given to
//! Mondrian, and if Mondrian alone loses less, its classes are taken instead. Rows are exchanged
//! between classes that are close in Mondrian's tree.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::observer::Quiet;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::registry::Params;
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{ErrorKind, Result};

use super::cells::Cells;
use super::exchange::exchange;
use super::improve::{COLD, FROZEN, cheaper, price};
use super::records::Records;
use super::search::Schedule;
use super::{Run, Work};
use crate::algorithms::local::mondrian::Mondrian;

/// Complete classes that a walk didn't finish: `placed` are lists of rows, `left` the other rows.
pub fn complete(run: &Run<'_>, mut placed: Vec<Vec<u32>>, left: &[u32]) -> Result<Vec<Vec<u32>>> {
    let whole = match mondrian(run.task) {
        // Only with some rows suppressed can the table be published: which ones, `publish` decides.
        Err(error) if error.kind == ErrorKind::Infeasible && run.task.max_suppressed > 0 => {
            return Ok(placed);
        }
        whole => whole?,
    };
    let part = select(run.task.table, left);
    match mondrian(&Task { table: &part, ..*run.task }) {
        Ok(rest) => placed.extend(
            rest.into_iter()
                .map(|rows| rows.into_iter().map(|row| left[row as usize]).collect::<Vec<u32>>()),
        ),
        // The rest can't stand alone; the whole table could.
        Err(error) if error.kind == ErrorKind::Infeasible => return Ok(whole),
        Err(error) => return Err(error),
    }
    Ok(cheaper(run.space, placed, whole))
}

/// The number of successive classes that count as neighbours.
const WINDOW: usize = 6;

/// Exchange rows between neighbours: classes that follow one another, in the order of Mondrian's
/// tree and of a walk.
pub fn exchange_near(
    run: &Run<'_>,
    records: &Records,
    work: &Work,
    clusters: Vec<Vec<u32>>,
) -> Vec<Vec<u32>> {
    let n_rows = run.task.table.n_rows as f64;
    let k = run.judge.min_rows;
    let cost = price(run.space, &clusters);
    let of_rows = |rows: &Vec<u32>| {
        rows.iter().map(|&row| records.of_row[row as usize]).collect::<Vec<u32>>()
    };
    let near =
        clusters.chunks(WINDOW).chain(clusters.get(WINDOW / 2..).unwrap_or(&[]).chunks(WINDOW));
    let mut cells = Cells::default();
    for window in near {
        let mut members: Vec<u32> = window.iter().flat_map(of_rows).collect();
        members.sort_unstable();
        members.dedup();
        cells.push(0.0, &members);
    }
    let class_price = (cost / n_rows * k as f64).max(f64::MIN_POSITIVE);
    let schedule = Schedule {
        steps: (work.exchanges * n_rows / k as f64) as u64,
        hot: COLD * class_price,
        cold: FROZEN * class_price,
        seed: run.task.seed,
    };
    let cancelled = || run.is_over();
    let exchanged =
        exchange(records, run.space, &cells, k, clusters.clone(), &schedule, &cancelled);
    cheaper(run.space, exchanged, clusters)
}

fn mondrian(task: &Task<'_>) -> Result<Vec<Vec<u32>>> {
    let params = Params::check(Mondrian.info(), &Default::default())?;
    // The rows were announced already.
    let observer = Quiet(task.observer);
    let recoding = Mondrian.anonymize(
        &params,
        &Task { max_suppressed: 0, workload: None, observer: &observer, ..*task },
    )?;
    let mut clusters: Vec<Vec<u32>> = vec![Vec::new(); recoding.n_classes()];
    for (row, &class) in
        recoding.class_of_row().iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
    {
        clusters[class as usize].push(row as u32);
    }
    Ok(clusters)
}

/// A table of some rows.
fn select(table: &Table, rows: &[u32]) -> Table {
    let column = |column: &Column| Column {
        name: column.name.clone(),
        role: column.role,
        codes: column.codes.gather(rows),
        domain: column.domain.clone(),
        hierarchy: column.hierarchy.clone(),
        weight: column.weight,
        missing: column.missing,
        missing_text: column.missing_text.clone(),
        native_type: column.native_type.clone(),
    };
    Table {
        n_rows: rows.len(),
        columns: table.columns.iter().map(column).collect(),
        subject: table.subject.as_ref().map(|subject| subject.gather(rows)),
    }
}
