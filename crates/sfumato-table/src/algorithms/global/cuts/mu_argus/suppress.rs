//! Local suppression: in every unsafe record, those cells are suppressed that break most of its
//! unsafe combinations, until no combination is unsafe, including those with suppressed cells.
//!
//! It terminates because cells are only ever suppressed, and with everything suppressed all records
//! are alike.

use rayon::prelude::*;
use sfumato_core::Result;

use super::cells::{Cells, STAR};
use super::count::{Unsafe, count, subsets};
use crate::algorithms::shared::progress::Progress;

/// Suppress until nothing is unsafe; whole records only within a limit. Returns how many cells of
/// published records are suppressed.
pub fn suppress(
    cells: &mut Cells<'_>,
    max_records: u64,
    progress: &mut Progress<'_>,
) -> Result<u64> {
    let before = stars(cells);
    let subsets = subsets(cells);
    let mut dropped = 0;
    loop {
        progress.reach(0)?;
        let found: Vec<Unsafe> =
            subsets.par_iter().map(|subset| count(cells, subset.clone())).collect();
        if found.iter().all(|unsafe_| unsafe_.rows.is_empty()) {
            return Ok(stars(cells).saturating_sub(before));
        }
        if break_combinations(cells, &found) {
            continue;
        }
        // What is left unsafe are suppressed cells that too few records have: these go, or more
        // records get them.
        for unsafe_ in found.iter().filter(|unsafe_| !unsafe_.rows.is_empty()) {
            mend(cells, &unsafe_.subset, max_records, &mut dropped);
        }
    }
}

fn stars(cells: &Cells<'_>) -> u64 {
    let in_column = |texts: &Vec<u32>| {
        texts.iter().enumerate().filter(|(row, text)| **text == STAR && cells.is_kept(*row)).count()
            as u64
    };
    cells.columns.iter().map(|column| in_column(&column.text_of)).sum()
}

/// Suppress cells of unsafe records. Returns whether there were any.
fn break_combinations(cells: &mut Cells<'_>, found: &[Unsafe]) -> bool {
    let mut of_row: Vec<(u32, u32)> = Vec::new();
    for (place, unsafe_) in found.iter().enumerate() {
        of_row.extend(unsafe_.rows.iter().map(|&row| (row, place as u32)));
    }
    of_row.sort_unstable();
    let mut any = false;
    for of_row in of_row.chunk_by(|a, b| a.0 == b.0) {
        let row = of_row[0].0 as usize;
        let mut open: Vec<&[usize]> =
            of_row.iter().map(|&(_, place)| found[place as usize].subset.as_slice()).collect();
        loop {
            let mut n = vec![0u32; cells.columns.len()];
            open.iter().flat_map(|subset| *subset).for_each(|&column| n[column] += 1);
            let can = (0..n.len())
                .filter(|&column| n[column] > 0 && cells.columns[column].text_of[row] != STAR);
            // Among equals the column with most values: its cells are rarest.
            let worst = can.max_by_key(|&column| {
                (n[column], cells.columns[column].n_texts, std::cmp::Reverse(column))
            });
            let Some(worst) = worst else { break };
            cells.columns[worst].text_of[row] = STAR;
            any = true;
            open.retain(|subset| !subset.contains(&worst));
        }
    }
    any
}

/// Repair columns that are suppressed together in too few records: suppress these records, or the
/// columns in more records.
fn mend(cells: &mut Cells<'_>, subset: &[usize], max_records: u64, dropped: &mut u64) {
    let hidden = |cells: &Cells<'_>, row: usize| {
        subset.iter().filter(|&&column| cells.columns[column].text_of[row] == STAR).count()
    };
    let kept: Vec<usize> = (0..cells.n_rows()).filter(|&row| cells.is_kept(row)).collect();
    let (rare, others): (Vec<usize>, Vec<usize>) =
        kept.into_iter().partition(|&row| hidden(cells, row) == subset.len());
    if rare.is_empty() || cells.people(rare.iter().copied()) >= cells.k {
        return;
    }
    let enough = cells.people(others.iter().copied()) >= cells.k;
    if enough && *dropped + rare.len() as u64 <= max_records {
        rare.iter().for_each(|&row| cells.drop_row(row));
        *dropped += rare.len() as u64;
        return;
    }
    // Those that lose least: most of the columns gone already, then most cells.
    let gone =
        |row: usize| cells.columns.iter().filter(|column| column.text_of[row] == STAR).count();
    let mut order: Vec<(usize, usize, usize)> = others
        .iter()
        .map(|&row| (subset.len() - hidden(cells, row), cells.columns.len() - gone(row), row))
        .collect();
    order.sort_unstable();
    let mut group = rare;
    let mut joined = 0;
    while cells.people(group.iter().copied()) < cells.k && joined < order.len() {
        group.push(order[joined].2);
        joined += 1;
    }
    for &(_, _, row) in &order[..joined] {
        subset.iter().for_each(|&column| cells.columns[column].text_of[row] = STAR);
    }
}
